// GraphProfileCalculator: sends what the profiler of its own graph has
// measured.
//
//   node {
//     calculator: "GraphProfileCalculator"
//     input_stream: "FRAME:frames"        # any type; its packets set the pace
//     output_stream: "PROFILE:profile"    # GraphProfile
//   }
//
// The first packet of FRAME, and then each that comes profile_interval or more
// after the last profile, becomes a profile at its time: the events and the
// histograms since the profile before. The first one has the graph's config,
// too. What is measured is in the graph's profiler_config; without it, the
// profiles have nothing in them. A call with an empty FRAME sends nothing.
//
// Thread rule: one call at a time.
#include <cstdint>
#include <memory>
#include <utility>

#include "calculators/core/graph_profile_calculator.pb.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_profile.pb.h"
#include "framework/profiler/graph_profiler.h"

namespace syncline {

class GraphProfileCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Tag("FRAME").SetAny();
    cc->Outputs().Tag("PROFILE").Set<GraphProfile>();
    cc->SetTimestampOffset(0);
    if (cc->Options<GraphProfileCalculatorOptions>().profile_interval() < 0) {
      return absl::InvalidArgumentError(
          "profile_interval must not be negative.");
    }
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    interval_ = TimestampDiff(
        cc->Options<GraphProfileCalculatorOptions>().profile_interval());
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    if (cc->Inputs().Tag("FRAME").IsEmpty()) return absl::OkStatus();
    const Timestamp now = cc->InputTimestamp();
    if (last_ != Timestamp::Unset() && now.IsRangeValue() &&
        now - last_ < interval_) {
      return absl::OkStatus();
    }
    const bool is_first = last_ == Timestamp::Unset();
    last_ = now;
    auto profile = std::make_unique<GraphProfile>();
    ProfilingContext* const profiler = cc->GetProfilingContext();
    if (profiler != nullptr) {
      SYNCLINE_RETURN_IF_ERROR(profiler->CaptureProfile(
          profile.get(),
          is_first ? PopulateGraphConfig::kFull : PopulateGraphConfig::kNo));
    }
    cc->Outputs().Tag("PROFILE").Add(profile.release(), now);
    return absl::OkStatus();
  }

 private:
  TimestampDiff interval_;
  Timestamp last_;
};
REGISTER_CALCULATOR(GraphProfileCalculator);

}  // namespace syncline
