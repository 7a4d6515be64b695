// StreamToSidePacketCalculator: makes a side packet of the packet of a stream.
//
//   node {
//     calculator: "StreamToSidePacketCalculator"
//     input_stream: "calibration"
//     output_side_packet: "calibration_of_run"
//   }
//
// The stream has one packet; the side packet has no timestamp. A second packet
// ends the run with an error. An empty input, a bound, does nothing: nodes that
// need the side packet wait until there is one.
//
// Thread rule: no state of its own.
#include "framework/calculator_framework.h"

namespace syncline {

class StreamToSidePacketCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).SetAny();
    cc->OutputSidePackets().Index(0).SetSameAs(&cc->Inputs().Index(0));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    cc->OutputSidePackets().Index(0).Set(
        cc->Inputs().Index(0).Value().At(Timestamp::Unset()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(StreamToSidePacketCalculator);

}  // namespace syncline
