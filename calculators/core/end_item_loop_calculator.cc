#include "calculators/core/end_item_loop_calculator.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "framework/calculator_framework.h"

namespace syncline {

absl::Status EndItemLoopCalculator::GetContract(CalculatorContract* cc) {
  cc->Inputs().Tag("ITEM").SetAny();
  cc->Inputs().Tag("BATCH_END").Set<Timestamp>();
  cc->Outputs().Tag("ITEM");  // at least one
  for (int i = 0; i < cc->Outputs().NumEntries("ITEM"); ++i) {
    cc->Outputs().Get("ITEM", i).SetSameAs(&cc->Inputs().Tag("ITEM"));
  }
  return absl::OkStatus();
}

absl::Status EndItemLoopCalculator::Open(CalculatorContext* cc) {
  items_.resize(static_cast<std::size_t>(cc->Outputs().NumEntries("ITEM")));
  return absl::OkStatus();
}

absl::Status EndItemLoopCalculator::Process(CalculatorContext* cc) {
  Packet& item = cc->Inputs().Tag("ITEM").Value();
  if (!item.IsEmpty()) {
    const std::int64_t step = (cc->InputTimestamp() - batch_begin_).Value();
    if (step < 0 || step >= static_cast<std::int64_t>(items_.size())) {
      return absl::InvalidArgumentError(absl::StrCat(
          "The item at ", cc->InputTimestamp().DebugString(), " is number ",
          step, " of its batch, but there are ", items_.size(),
          " outputs ITEM; a loop ends with as many as it begins with"));
    }
    items_[static_cast<std::size_t>(step)] = std::move(item);
  }
  const InputStream& end = cc->Inputs().Tag("BATCH_END");
  if (end.IsEmpty()) return absl::OkStatus();
  batch_begin_ = cc->InputTimestamp() + 1;
  const Timestamp time = end.Get<Timestamp>();
  for (std::size_t i = 0; i < items_.size(); ++i) {
    OutputStream& output = cc->Outputs().Get("ITEM", static_cast<int>(i));
    if (items_[i].IsEmpty()) {
      output.SetNextTimestampBound(time.NextAllowedInStream());
    } else {
      output.AddPacket(std::exchange(items_[i], Packet()).At(time));
    }
  }
  return absl::OkStatus();
}
REGISTER_CALCULATOR(EndItemLoopCalculator);

}  // namespace syncline
