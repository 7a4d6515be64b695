// PacketInnerJoinCalculator: sends the packets of timestamps at which all
// streams have one.
//
//   node {
//     calculator: "PacketInnerJoinCalculator"
//     input_stream: "frames"
//     input_stream: "poses"
//     output_stream: "frames_with_pose"
//     output_stream: "poses_with_frame"
//   }
//
// If any input is empty, nothing is sent on any output; the bound passes
// through (timestamp offset 0). Headers are forwarded.
//
// Thread rule: no state of its own.
#include "calculators/core/forwarding.h"
#include "framework/calculator_framework.h"

namespace syncline {

class PacketInnerJoinCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->SetTimestampOffset(TimestampDiff(0));
    return DeclareUntaggedPairs("PacketInnerJoinCalculator", cc);
  }

  absl::Status Open(CalculatorContext* cc) override {
    ForwardUntaggedHeaders(cc);
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    for (const InputStream& input : cc->Inputs()) {
      if (input.IsEmpty()) return absl::OkStatus();
    }
    ForwardUntaggedPackets(cc);
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(PacketInnerJoinCalculator);

}  // namespace syncline
