// DefaultSidePacketCalculator: a side packet, or another one if it is not
// given.
//
//   node {
//     calculator: "DefaultSidePacketCalculator"
//     input_side_packet: "OPTIONAL_VALUE:model"   # may be left out
//     input_side_packet: "DEFAULT_VALUE:built_in_model"
//     output_side_packet: "VALUE:model_to_use"
//   }
//
// OPTIONAL_VALUE may be missing: if the application does not give it, or a
// subgraph does not connect it.
//
// Thread rule: no state of its own.
#include "framework/calculator_framework.h"

namespace syncline {

class DefaultSidePacketCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    PacketType& value = cc->InputSidePackets().Tag("DEFAULT_VALUE");
    value.SetAny();
    cc->InputSidePackets().Tag("OPTIONAL_VALUE").SetSameAs(&value).Optional();
    cc->OutputSidePackets().Tag("VALUE").SetSameAs(&value);
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    const PacketSet& inputs = cc->InputSidePackets();
    cc->OutputSidePackets().Tag("VALUE").Set(
        HasTagValue(inputs, "OPTIONAL_VALUE") ? inputs.Tag("OPTIONAL_VALUE")
                                              : inputs.Tag("DEFAULT_VALUE"));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* /*cc*/) override {
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(DefaultSidePacketCalculator);

}  // namespace syncline
