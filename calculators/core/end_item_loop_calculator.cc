#include "calculators/core/end_item_loop_calculator.h"

#include <cstddef>
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
  num_outputs_ = static_cast<std::size_t>(cc->Outputs().NumEntries("ITEM"));
  return absl::OkStatus();
}

absl::Status EndItemLoopCalculator::Process(CalculatorContext* cc) {
  Packet& item = cc->Inputs().Tag("ITEM").Value();
  if (!item.IsEmpty()) {
    if (items_.size() == num_outputs_) {
      return absl::InvalidArgumentError(absl::StrCat(
          "The item at ", cc->InputTimestamp().DebugString(), " is number ",
          num_outputs_ + 1, " of its batch, but there are ", num_outputs_,
          " outputs ITEM; a loop ends with as many outputs as its "
          "BeginItemLoopCalculator has ITEM inputs"));
    }
    items_.push_back(std::move(item));
  }
  const InputStream& end = cc->Inputs().Tag("BATCH_END");
  if (end.IsEmpty()) return absl::OkStatus();
  if (!items_.empty() && items_.size() < num_outputs_) {
    return absl::InvalidArgumentError(absl::StrCat(
        "The batch that ends at ", cc->InputTimestamp().DebugString(), " has ",
        items_.size(), " items, but there are ", num_outputs_,
        " outputs ITEM; a batch has an item for each of them, or none at all. "
        "Send a packet in each step of the loop, such as an empty collection"));
  }
  SendBatch(end.Get<Timestamp>(), cc);
  return absl::OkStatus();
}

void EndItemLoopCalculator::SendBatch(Timestamp time, CalculatorContext* cc) {
  for (std::size_t i = 0; i < num_outputs_; ++i) {
    OutputStream& output = cc->Outputs().Get("ITEM", static_cast<int>(i));
    if (items_.empty()) {
      output.SetNextTimestampBound(time.NextAllowedInStream());
    } else {
      output.AddPacket(std::move(items_[i]).At(time));
    }
  }
  items_.clear();
}
REGISTER_CALCULATOR(EndItemLoopCalculator);

}  // namespace syncline
