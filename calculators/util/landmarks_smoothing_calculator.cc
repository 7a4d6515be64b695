// LandmarksSmoothingCalculator: smooths the landmarks of an object over time.
//
//   node {
//     calculator: "LandmarksSmoothingCalculator"
//     input_stream: "NORM_LANDMARKS:pose"           # NormalizedLandmarkList
//     input_stream: "IMAGE_SIZE:size"               # std::pair<int, int>
//     output_stream: "NORM_FILTERED_LANDMARKS:calm" # NormalizedLandmarkList
//     options { [syncline.LandmarksSmoothingCalculatorOptions.ext] {
//       one_euro_filter { min_cutoff: 0.05 beta: 80 } } }
//   }
//
//   inputs, one of
//     NORM_LANDMARKS    NormalizedLandmarkList, together with IMAGE_SIZE; out
//                       comes NORM_FILTERED_LANDMARKS
//     LANDMARKS         LandmarkList; out comes FILTERED_LANDMARKS
//   and, optional,
//     OBJECT_SCALE_ROI  NormalizedRect or Rect, as the landmarks are: how large
//                       the object is. Speeds are measured by that, and where
//                       there is none by the box around the landmarks
//
// The options choose the filter; landmarks_filter.h describes how it is
// applied. Visibility, presence and names are kept. one_euro_filter sends
// landmarks at timestamp 0 or before as they are, and does not remember them.
//
// If the landmarks are empty nothing is sent; if another input, such as the
// image's size, has a packet then, the filters start anew. Landmarks without
// IMAGE_SIZE at their timestamp send nothing. The bound passes through
// (timestamp offset 0).
//
// Thread rule: one call at a time.
// Tested by landmark_calculators_test.
#include <memory>
#include <utility>

#include "absl/types/optional.h"
#include "calculators/util/geometry.h"
#include "calculators/util/landmarks_filter.h"
#include "calculators/util/landmarks_smoothing_calculator.pb.h"
#include "calculators/util/ports.h"
#include "framework/calculator_framework.h"
#include "framework/formats/landmark.pb.h"
#include "framework/formats/rect.pb.h"

namespace syncline {
namespace {

constexpr char kNormLandmarks[] = "NORM_LANDMARKS";
constexpr char kLandmarks[] = "LANDMARKS";
constexpr char kImageSize[] = "IMAGE_SIZE";
constexpr char kScaleRoi[] = "OBJECT_SCALE_ROI";
constexpr char kNormFiltered[] = "NORM_FILTERED_LANDMARKS";
constexpr char kFiltered[] = "FILTERED_LANDMARKS";

}  // namespace

class LandmarksSmoothingCalculator : public CalculatorBase {
 public:
  using Options = LandmarksSmoothingCalculatorOptions;

  static absl::Status GetContract(CalculatorContract* cc) {
    SYNCLINE_RETURN_IF_ERROR(
        LandmarksFilter::CheckOptions(cc->Options<Options>()));
    SYNCLINE_RETURN_IF_ERROR(
        OneTagOf(cc->Inputs(), {kNormLandmarks, kLandmarks}, "the input")
            .status());
    cc->Inputs().Tag(kScaleRoi).Optional();
    if (cc->Inputs().HasTag(kNormLandmarks)) {
      cc->Inputs().Tag(kNormLandmarks).Set<NormalizedLandmarkList>();
      cc->Inputs().Tag(kImageSize).Set<std::pair<int, int>>();
      cc->Inputs().Tag(kScaleRoi).Set<NormalizedRect>();
      cc->Outputs().Tag(kNormFiltered).Set<NormalizedLandmarkList>();
    } else {
      cc->Inputs().Tag(kLandmarks).Set<LandmarkList>();
      cc->Inputs().Tag(kScaleRoi).Set<Rect>();
      cc->Outputs().Tag(kFiltered).Set<LandmarkList>();
    }
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    filter_ = std::make_unique<LandmarksFilter>(cc->Options<Options>());
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const InputStreamSet& inputs = cc->Inputs();
    absl::optional<double> object_scale;
    if (inputs.HasTag(kLandmarks)) {
      if (HasTagValue(inputs, kScaleRoi)) {
        const auto& roi = inputs.Tag(kScaleRoi).Get<Rect>();
        object_scale = (double{1} * roi.width() + roi.height()) / 2;
      }
      return Send<LandmarkList>(kLandmarks, kFiltered, {}, object_scale, cc);
    }
    LandmarksFilter::Units units;
    if (HasTagValue(inputs, kImageSize)) {
      SYNCLINE_ASSIGN_OR_RETURN((const auto [width, height]),
                                ReadImageSize(cc));
      units = {double(width), double(height)};
    } else if (HasTagValue(inputs, kNormLandmarks)) {
      return absl::OkStatus();
    }
    if (HasTagValue(inputs, kScaleRoi)) {
      const auto& roi = inputs.Tag(kScaleRoi).Get<NormalizedRect>();
      object_scale = (roi.width() * units.x + roi.height() * units.y) / 2;
    }
    return Send<NormalizedLandmarkList>(kNormLandmarks, kNormFiltered, units,
                                        object_scale, cc);
  }

 private:
  template <typename List>
  absl::Status Send(const char* from, const char* to,
                    LandmarksFilter::Units units,
                    absl::optional<double> object_scale,
                    CalculatorContext* cc) {
    const InputStream& input = cc->Inputs().Tag(from);
    if (input.IsEmpty()) {
      filter_->Reset();
      return absl::OkStatus();
    }
    cc->Outputs().Tag(to).AddPacket(
        MakePacket<List>(filter_->Apply(cc->InputTimestamp(), input.Get<List>(),
                                        units, object_scale))
            .At(cc->InputTimestamp()));
    return absl::OkStatus();
  }

  std::unique_ptr<LandmarksFilter> filter_;
};
REGISTER_CALCULATOR(LandmarksSmoothingCalculator);

}  // namespace syncline
