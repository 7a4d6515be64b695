#include "calculators/core/begin_item_loop_calculator.h"

#include "framework/calculator_framework.h"

namespace syncline {

absl::Status BeginItemLoopCalculator::GetContract(CalculatorContract* cc) {
  PacketType& first = cc->Inputs().Tag("ITEM");
  first.SetAny();
  for (int i = 1; i < cc->Inputs().NumEntries("ITEM"); ++i) {
    cc->Inputs().Get("ITEM", i).SetSameAs(&first);
  }
  cc->Outputs().Tag("ITEM").SetSameAs(&first);
  return LoopSteps::DeclareBegin("BeginItemLoopCalculator", cc);
}

absl::Status BeginItemLoopCalculator::Process(CalculatorContext* cc) {
  for (int i = 0; i < cc->Inputs().NumEntries("ITEM"); ++i) {
    const InputStream& item = cc->Inputs().Get("ITEM", i);
    if (item.IsEmpty()) {
      steps_.Skip();
    } else {
      steps_.SendItem(item.Value(), cc);
    }
  }
  steps_.EndBatch(cc);
  return absl::OkStatus();
}
REGISTER_CALCULATOR(BeginItemLoopCalculator);

}  // namespace syncline
