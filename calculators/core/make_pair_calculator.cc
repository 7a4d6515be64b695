// MakePairCalculator: makes a pair of the packets of two streams at one
// timestamp.
//
//   node {
//     calculator: "MakePairCalculator"
//     input_stream: "frame"
//     input_stream: "pose"
//     output_stream: "both"          # std::pair<Packet, Packet>
//   }
//
// An empty input is an empty packet in the pair. If both are empty nothing is
// sent, and the bound passes through (timestamp offset 0).
//
// Thread rule: no state of its own.
#include <utility>

#include "calculators/core/forwarding.h"
#include "framework/calculator_framework.h"

namespace syncline {

class MakePairCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    for (int i = 0; i < 2; ++i) cc->Inputs().Index(i).SetAny();
    cc->Outputs().Index(0).Set<std::pair<Packet, Packet>>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    if (!AnyInputHasPacket(*cc)) return absl::OkStatus();
    cc->Outputs().Index(0).AddPacket(
        MakePacket<std::pair<Packet, Packet>>(cc->Inputs().Index(0).Value(),
                                              cc->Inputs().Index(1).Value())
            .At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(MakePairCalculator);

}  // namespace syncline
