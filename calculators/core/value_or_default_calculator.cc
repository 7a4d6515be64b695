// ValueOrDefaultCalculator: fills the gaps of a stream with a side packet.
//
//   node {
//     calculator: "ValueOrDefaultCalculator"
//     input_stream: "IN:pose"
//     input_stream: "TICK:frames"           # any type: when a value is due
//     input_side_packet: "default_pose"
//     output_stream: "OUT:always_pose"
//     output_stream: "FLAG:is_default"      # bool, optional
//   }
//
//   IN     p@10          q@30
//   TICK   f@10   g@20          h@40
//   OUT    p@10   d@20          d@40
//   FLAG          true          true
//
// Each packet of TICK makes one packet of OUT at its timestamp: the packet of
// IN, or the default if IN is empty there. Only for the default FLAG has a
// packet, `true`. A packet of IN at another timestamp is not sent: an empty
// TICK sends nothing, and the bound passes through (timestamp offset 0).
//
// Thread rule: no state of its own.
#include "framework/calculator_framework.h"

namespace syncline {

class ValueOrDefaultCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    PacketType& in = cc->Inputs().Tag("IN");
    in.SetAny();
    cc->Inputs().Tag("TICK").SetAny();
    cc->InputSidePackets().Index(0).SetSameAs(&in);
    cc->Outputs().Tag("OUT").SetSameAs(&in);
    cc->Outputs().Tag("FLAG").Set<bool>().Optional();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    const Packet& header = cc->Inputs().Tag("IN").Header();
    if (!header.IsEmpty()) cc->Outputs().Tag("OUT").SetHeader(header);
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    if (cc->Inputs().Tag("TICK").IsEmpty()) return absl::OkStatus();
    if (!cc->Inputs().Tag("IN").IsEmpty()) {
      cc->Outputs().Tag("OUT").AddPacket(cc->Inputs().Tag("IN").Value());
      return absl::OkStatus();
    }
    cc->Outputs().Tag("OUT").AddPacket(
        cc->InputSidePackets().Index(0).At(cc->InputTimestamp()));
    if (cc->Outputs().HasTag("FLAG")) {
      cc->Outputs().Tag("FLAG").AddPacket(
          MakePacket<bool>(true).At(cc->InputTimestamp()));
    }
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(ValueOrDefaultCalculator);

}  // namespace syncline
