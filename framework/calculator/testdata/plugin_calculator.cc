// A calculator in a library of its own. Loaded at run time by
// calculator_plugin_test.

#include <string>

#include "absl/status/status.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/packet/packet.h"

namespace plugin_test {

class RepeatCalculator : public syncline::CalculatorBase {
 public:
  static absl::Status GetContract(syncline::CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<std::string>();
    cc->Outputs().Index(0).Set<std::string>();
    return absl::OkStatus();
  }
  absl::Status Process(syncline::CalculatorContext* cc) override {
    const std::string& text = cc->Inputs().Index(0).Get<std::string>();
    cc->Outputs().Index(0).AddPacket(
        syncline::MakePacket<std::string>(text + text)
            .At(cc->InputTimestamp()));
    cc->GetCounter("calls")->Increment();
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(::plugin_test::RepeatCalculator);

}  // namespace plugin_test
