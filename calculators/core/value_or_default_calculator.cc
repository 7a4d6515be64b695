// ValueOrDefaultCalculator: fills the gaps of a stream with a side packet.
//
//   node {
//     calculator: "ValueOrDefaultCalculator"
//     input_stream: "IN:pose"
//     input_stream: "TICK:frames"           # any type: where a value is due
//     input_side_packet: "default_pose"
//     output_stream: "OUT:always_pose"
//     output_stream: "FLAG:is_default"      # bool, optional
//   }
//
//   IN     p@10          q@30
//   TICK   f@10   g@20
//   OUT    p@10   d@20   q@30
//   FLAG          true
//
// An empty IN is replaced by the default, at the timestamp of TICK; only then
// FLAG has a packet, `true`. If both are empty nothing is sent; the bound
// passes through (timestamp offset 0).
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
    if (!cc->Inputs().Tag("IN").IsEmpty()) {
      cc->Outputs().Tag("OUT").AddPacket(cc->Inputs().Tag("IN").Value());
    } else if (!cc->Inputs().Tag("TICK").IsEmpty()) {
      cc->Outputs().Tag("OUT").AddPacket(
          cc->InputSidePackets().Index(0).At(cc->InputTimestamp()));
      if (cc->Outputs().HasTag("FLAG")) {
        cc->Outputs().Tag("FLAG").AddPacket(
            MakePacket<bool>(true).At(cc->InputTimestamp()));
      }
    }
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(ValueOrDefaultCalculator);

}  // namespace syncline
