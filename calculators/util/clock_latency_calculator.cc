// ClockLatencyCalculator: sends how much later times are than a reference.
//
//   node {
//     calculator: "ClockLatencyCalculator"
//     input_stream: "detected_at"               # each absl::Time
//     input_stream: "drawn_at"
//     input_stream: "REFERENCE:captured_at"     # absl::Time
//     output_stream: "detection_latency"        # each absl::Duration
//     output_stream: "drawing_latency"
//   }
//
// For times that ClockTimestampCalculator takes at several places of a graph.
// REFERENCE may also be called REFERENCE_SIGNAL.
//
// If there is no reference at a timestamp nothing is sent, and an empty input
// sends nothing; the bound passes through (timestamp offset 0).
//
// Thread rule: no state of its own.
#include "absl/time/time.h"
#include "calculators/core/forwarding.h"
#include "framework/calculator_framework.h"

namespace syncline {
namespace {

constexpr char kReference[] = "REFERENCE";
constexpr char kReferenceSignal[] = "REFERENCE_SIGNAL";

}  // namespace

class ClockLatencyCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    SYNCLINE_RETURN_IF_ERROR(CheckUntaggedPairs("ClockLatencyCalculator", cc));
    for (int i = 0; i < cc->Outputs().NumEntries(); ++i) {
      cc->Inputs().Index(i).Set<absl::Time>();
      cc->Outputs().Index(i).Set<absl::Duration>();
    }
    cc->Inputs().Tag(ReferenceTag(cc->Inputs())).Set<absl::Time>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const InputStream& reference = cc->Inputs().Tag(ReferenceTag(cc->Inputs()));
    if (reference.IsEmpty()) return absl::OkStatus();
    for (int i = 0; i < cc->Outputs().NumEntries(); ++i) {
      const InputStream& input = cc->Inputs().Index(i);
      if (input.IsEmpty()) continue;
      cc->Outputs().Index(i).AddPacket(
          MakePacket<absl::Duration>(input.Get<absl::Time>() -
                                     reference.Get<absl::Time>())
              .At(cc->InputTimestamp()));
    }
    return absl::OkStatus();
  }

 private:
  template <typename Ports>
  static const char* ReferenceTag(const Ports& inputs) {
    return inputs.HasTag(kReferenceSignal) ? kReferenceSignal : kReference;
  }
};
REGISTER_CALCULATOR(ClockLatencyCalculator);

}  // namespace syncline
