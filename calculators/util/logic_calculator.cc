// LogicCalculator: and, or, or exclusive or of bools.
//
//   node {
//     calculator: "LogicCalculator"
//     input_stream: "has_hand"             # bool
//     input_stream: "has_face"
//     input_side_packet: "is_enabled"      # bool
//     output_stream: "is_person"
//     options { [syncline.LogicCalculatorOptions.ext] {
//       op: OR
//       negate: false
//       input_value: true } }
//   }
//
// Input streams, side packets and the values of the options are all combined.
// XOR of several is true if an odd number of them is.
//
// If any input is empty at a timestamp, nothing is sent, and the bound passes
// through (timestamp offset 0).
//
// Thread rule: constant after Open.
#include "calculators/util/logic_calculator.pb.h"
#include "framework/calculator_framework.h"

namespace syncline {

class LogicCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    RET_CHECK_GT(cc->Inputs().NumEntries(""), 0)
        << "LogicCalculator needs an input stream without tag";
    for (int i = 0; i < cc->Inputs().NumEntries(""); ++i) {
      cc->Inputs().Index(i).Set<bool>();
    }
    for (int i = 0; i < cc->InputSidePackets().NumEntries(""); ++i) {
      cc->InputSidePackets().Index(i).Set<bool>();
    }
    cc->Outputs().Index(0).Set<bool>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    const auto& options = cc->Options<LogicCalculatorOptions>();
    op_ = options.op();
    negate_ = options.negate();
    constant_ = op_ == LogicCalculatorOptions::AND;
    for (const bool value : options.input_value()) {
      constant_ = Combine(constant_, value);
    }
    for (const Packet& packet : cc->InputSidePackets()) {
      constant_ = Combine(constant_, packet.Get<bool>());
    }
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    bool result = constant_;
    for (const InputStream& input : cc->Inputs()) {
      if (input.IsEmpty()) return absl::OkStatus();
      result = Combine(result, input.Get<bool>());
    }
    cc->Outputs().Index(0).AddPacket(
        MakePacket<bool>(result != negate_).At(cc->InputTimestamp()));
    return absl::OkStatus();
  }

 private:
  bool Combine(bool a, bool b) const {
    switch (op_) {
      case LogicCalculatorOptions::AND:
        return a && b;
      case LogicCalculatorOptions::OR:
        return a || b;
      case LogicCalculatorOptions::XOR:
        return a != b;
    }
    return false;
  }

  LogicCalculatorOptions::Operation op_ = LogicCalculatorOptions::AND;
  bool negate_ = false;
  bool constant_ = false;  // the result of all values except the streams
};
REGISTER_CALCULATOR(LogicCalculator);

}  // namespace syncline
