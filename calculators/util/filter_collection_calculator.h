// FilterCollectionCalculator<Iterable>: sends the elements of a collection for
// which a condition holds.
//
//   using FilterPosesCalculator =
//   FilterCollectionCalculator<std::vector<Pose>>;
//   REGISTER_CALCULATOR(FilterPosesCalculator);
//
//   node {
//     calculator: "FilterPosesCalculator"
//     input_stream: "ITERABLE:poses"          # Iterable
//     input_stream: "CONDITION:are_visible"   # std::vector<bool>
//     output_stream: "ITERABLE:visible_poses"
//   }
//
// CONDITION has one bool for each element; another number ends the run with an
// error. If ITERABLE is empty nothing is sent, and the bound passes through
// (timestamp offset 0). If only CONDITION is empty, all elements are sent,
// since there is no condition.
//
// Thread rule: no state of its own.
// Tested by util_calculators_test.

#ifndef SYNCLINE_CALCULATORS_UTIL_FILTER_COLLECTION_CALCULATOR_H_
#define SYNCLINE_CALCULATORS_UTIL_FILTER_COLLECTION_CALCULATOR_H_

#include <utility>
#include <vector>

#include "framework/calculator_framework.h"

namespace syncline {

template <typename IterableT>
class FilterCollectionCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Tag("ITERABLE").Set<IterableT>();
    cc->Inputs().Tag("CONDITION").Set<std::vector<bool>>();
    cc->Outputs().Tag("ITERABLE").Set<IterableT>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const InputStream& input = cc->Inputs().Tag("ITERABLE");
    if (input.IsEmpty()) return absl::OkStatus();
    OutputStream& output = cc->Outputs().Tag("ITERABLE");
    if (cc->Inputs().Tag("CONDITION").IsEmpty()) {
      output.AddPacket(input.Value());
      return absl::OkStatus();
    }
    const auto& elements = input.Get<IterableT>();
    const auto& keep = cc->Inputs().Tag("CONDITION").Get<std::vector<bool>>();
    if (keep.size() != elements.size()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "CONDITION has ", keep.size(), " bools at ",
          cc->InputTimestamp().DebugString(), ", but ITERABLE has ",
          elements.size(), " elements; there is one for each"));
    }
    IterableT result;
    auto is_kept = keep.begin();
    for (const auto& element : elements) {
      if (*is_kept++) result.push_back(element);
    }
    output.AddPacket(
        MakePacket<IterableT>(std::move(result)).At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_UTIL_FILTER_COLLECTION_CALCULATOR_H_
