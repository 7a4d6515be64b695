// VisibilitySmoothingCalculator: smooths the visibility of landmarks over time.
//
//   node {
//     calculator: "VisibilitySmoothingCalculator"
//     input_stream: "NORM_LANDMARKS:pose"           # NormalizedLandmarkList
//     output_stream: "NORM_FILTERED_LANDMARKS:calm" # NormalizedLandmarkList
//     options { [syncline.VisibilitySmoothingCalculatorOptions.ext] {
//       low_pass_filter { alpha: 0.1 } } }
//   }
//
// With LANDMARKS (LandmarkList) instead, the output is FILTERED_LANDMARKS. Each
// landmark has its own low-pass filter. Its other fields are kept, and a
// landmark without a visibility gets none. If the number of landmarks changes,
// all filters start anew; after a visibility of NaN, the filter of that
// landmark does.
//
// An empty input sends nothing; the bound passes through (timestamp offset 0).
//
// Thread rule: one call at a time.
// Tested by landmark_calculators_test.
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "calculators/util/ports.h"
#include "calculators/util/visibility_smoothing_calculator.pb.h"
#include "framework/calculator_framework.h"
#include "framework/formats/landmark.pb.h"
#include "util/filtering/low_pass_filter.h"

namespace syncline {
namespace {

constexpr char kNormLandmarks[] = "NORM_LANDMARKS";
constexpr char kLandmarks[] = "LANDMARKS";
constexpr char kNormFiltered[] = "NORM_FILTERED_LANDMARKS";
constexpr char kFiltered[] = "FILTERED_LANDMARKS";

}  // namespace

class VisibilitySmoothingCalculator : public CalculatorBase {
 public:
  using Options = VisibilitySmoothingCalculatorOptions;

  static absl::Status GetContract(CalculatorContract* cc) {
    const float alpha = cc->Options<Options>().low_pass_filter().alpha();
    if (!(alpha >= 0 && alpha <= 1)) {
      return absl::InvalidArgumentError(
          absl::StrCat("alpha is ", alpha, ", but has to be from 0 to 1"));
    }
    SYNCLINE_RETURN_IF_ERROR(
        OneTagOf(cc->Inputs(), {kNormLandmarks, kLandmarks}, "the input")
            .status());
    if (cc->Inputs().HasTag(kNormLandmarks)) {
      cc->Inputs().Tag(kNormLandmarks).Set<NormalizedLandmarkList>();
      cc->Outputs().Tag(kNormFiltered).Set<NormalizedLandmarkList>();
    } else {
      cc->Inputs().Tag(kLandmarks).Set<LandmarkList>();
      cc->Outputs().Tag(kFiltered).Set<LandmarkList>();
    }
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    if (cc->Inputs().HasTag(kLandmarks)) {
      Send<LandmarkList>(kLandmarks, kFiltered, cc);
    } else {
      Send<NormalizedLandmarkList>(kNormLandmarks, kNormFiltered, cc);
    }
    return absl::OkStatus();
  }

 private:
  template <typename List>
  void Send(const char* from, const char* to, CalculatorContext* cc) {
    const InputStream& input = cc->Inputs().Tag(from);
    if (input.IsEmpty()) return;
    const auto& options = cc->Options<Options>();
    if (!options.has_low_pass_filter()) {
      cc->Outputs().Tag(to).AddPacket(input.Value());
      return;
    }
    auto landmarks = input.Get<List>();
    const LowPassFilter unused(options.low_pass_filter().alpha());
    const auto count = static_cast<std::size_t>(landmarks.landmark_size());
    if (filters_.size() != count) filters_.assign(count, unused);
    for (std::size_t i = 0; i < count; ++i) {
      auto& landmark = *landmarks.mutable_landmark(static_cast<int>(i));
      if (!landmark.has_visibility()) continue;
      if (std::isfinite(landmark.visibility())) {
        landmark.set_visibility(filters_[i].Apply(landmark.visibility()));
      } else {
        filters_[i] = unused;
      }
    }
    cc->Outputs().Tag(to).AddPacket(
        MakePacket<List>(std::move(landmarks)).At(cc->InputTimestamp()));
  }

  std::vector<LowPassFilter> filters_;  // one for each landmark
};
REGISTER_CALCULATOR(VisibilitySmoothingCalculator);

}  // namespace syncline
