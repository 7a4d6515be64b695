// PacketPresenceCalculator: says for each timestamp whether there is a packet.
//
//   node {
//     calculator: "PacketPresenceCalculator"
//     input_stream: "PACKET:faces"
//     output_stream: "PRESENCE:has_faces"    # bool
//   }
//
//   PACKET     10     bound 21
//   PRESENCE   true   false@20
//
// PRESENCE is true at the time of a packet, and false at a time up to which
// PACKET is settled without one. So an empty input gives an answer too. Which
// times between packets get an answer depends on how bounds reach the node:
// several bounds may be combined into one call, at the latest of their times.
// To get answers at certain times, feed PACKET from a node that sends a packet
// or a bound at each of them.
//
// Thread rule: no state of its own.
#include "framework/calculator_framework.h"

namespace syncline {

class PacketPresenceCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Tag("PACKET").SetAny();
    cc->Outputs().Tag("PRESENCE").Set<bool>();
    cc->SetProcessTimestampBounds(true);
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const bool is_present = !cc->Inputs().Tag("PACKET").IsEmpty();
    OutputStream& presence = cc->Outputs().Tag("PRESENCE");
    // TimeoutInputStreamHandler may call again at a time that was answered
    // already.
    if (cc->InputTimestamp() >= presence.NextTimestampBound()) {
      presence.AddPacket(MakePacket<bool>(is_present).At(cc->InputTimestamp()));
    }
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(PacketPresenceCalculator);

}  // namespace syncline
