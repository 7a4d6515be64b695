// EndLoopCalculator<Iterable>: collects the results of a loop.
//
//   using EndLoopDrawingsCalculator = EndLoopCalculator<std::vector<Drawing>>;
//   REGISTER_CALCULATOR(EndLoopDrawingsCalculator);
//
//   node {
//     calculator: "EndLoopDrawingsCalculator"
//     input_stream: "ITEM:drawing"          # the type of the elements
//     input_stream: "BATCH_END:end"         # of the node that begins the loop
//     output_stream: "ITERABLE:drawings"    # Iterable, at the time outside
//   }
//
//   ITEM       a@0   b@1         bound 3
//   BATCH_END        100@1       200@2
//   ITERABLE         [a, b]@100  bound 201
//
// An empty ITEM adds nothing. A batch without items sends nothing: only the
// bound is raised, also for timestamps at which there was no collection.
//
// Items are copied. Items that cannot be copied are moved; this node must then
// be the only reader of ITEM.
//
// Thread rule: one call at a time.
// Tested by loop_calculators_test.

#ifndef SYNCLINE_CALCULATORS_CORE_END_LOOP_CALCULATOR_H_
#define SYNCLINE_CALCULATORS_CORE_END_LOOP_CALCULATOR_H_

#include <memory>
#include <utility>

#include "calculators/core/take_or_copy.h"
#include "framework/calculator_framework.h"

namespace syncline {

template <typename IterableT>
class EndLoopCalculator : public CalculatorBase {
  using ItemT = typename IterableT::value_type;

 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Tag("ITEM").Set<ItemT>();
    cc->Inputs().Tag("BATCH_END").Set<Timestamp>();
    cc->Outputs().Tag("ITERABLE").Set<IterableT>();
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    InputStream& item = cc->Inputs().Tag("ITEM");
    if (!item.IsEmpty()) {
      if (items_ == nullptr) items_ = std::make_unique<IterableT>();
      SYNCLINE_RETURN_IF_ERROR(TakeOrCopy<ItemT>(item, [this](auto&& value) {
        items_->push_back(std::forward<decltype(value)>(value));
      }));
    }
    const InputStream& end = cc->Inputs().Tag("BATCH_END");
    if (end.IsEmpty()) return absl::OkStatus();
    OutputStream& output = cc->Outputs().Tag("ITERABLE");
    const Timestamp time = end.Get<Timestamp>();
    if (items_ != nullptr) {
      output.Add(items_.release(), time);
    } else {
      output.SetNextTimestampBound(time.NextAllowedInStream());
    }
    return absl::OkStatus();
  }

 private:
  // of this batch; null if there are no items
  std::unique_ptr<IterableT> items_;
};

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_CORE_END_LOOP_CALCULATOR_H_
