// Copyright 2023 The Acme Authors.

#include "calculators/core/gate_calculator.pb.h"
#include "calculators/core/packet_thinner_calculator.pb.h"
#include "framework/calculator_framework.h"
#include "absl/strings/substitute.h"
#include "framework/port/integral_types.h"

namespace syncline {

// Counts the steps between packets. Without an include of their own, the types
// with sizes, LOG and absl::Substitute come with calculator_framework.h.
class CorpusStepsCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).SetAny();
    cc->Outputs().Index(0).Set<int64>();
    cc->Outputs().Tag("TEXT").Set<std::string>();
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    VLOG(1) << "allows by default: " << GateCalculatorOptions().allow();
    period_ = PacketThinnerCalculatorOptions().period();
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const int64 now = cc->InputTimestamp().Value();
    const int64 step = last_ == kint64max ? 0 : now - last_;
    last_ = now;
    RET_CHECK_GE(step, 0) << "of " << period_;
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int64>(step).At(cc->InputTimestamp()));
    cc->Outputs().Tag("TEXT").AddPacket(
        MakePacket<std::string>(absl::Substitute("step $0", step))
            .At(cc->InputTimestamp()));
    return absl::OkStatus();
  }

 private:
  int64 last_ = kint64max;
  int64 period_ = 0;
};
REGISTER_CALCULATOR(CorpusStepsCalculator);

}  // namespace syncline
