// MergeToVectorCalculator<T>: makes a vector of the packets of several inputs
// at one timestamp.
//
//   using MergePosesToVectorCalculator = MergeToVectorCalculator<Pose>;
//   REGISTER_CALCULATOR(MergePosesToVectorCalculator);
//
//   node {
//     calculator: "MergePosesToVectorCalculator"
//     input_stream: "left"            # each T
//     input_stream: "right"
//     output_stream: "poses"          # std::vector<T>
//   }
//
// The elements have the order of the inputs. An empty input adds none, so the
// vector may have fewer elements than there are inputs. If all are empty
// nothing is sent; the bound passes through (timestamp offset 0).
//
// Elements are copied. Elements that cannot be copied are moved; this node must
// then be the only reader of its inputs.
//
// Thread rule: no state of its own.
// Tested by vector_calculators_test.

#ifndef SYNCLINE_CALCULATORS_CORE_MERGE_TO_VECTOR_CALCULATOR_H_
#define SYNCLINE_CALCULATORS_CORE_MERGE_TO_VECTOR_CALCULATOR_H_

#include <utility>
#include <vector>

#include "calculators/core/take_or_copy.h"
#include "framework/api2/node.h"  // IWYU pragma: export
#include "framework/calculator_framework.h"

namespace syncline {

template <typename T>
class MergeToVectorCalculator : public api2::Node {
 public:
  static constexpr typename api2::Input<T>::Multiple kIn{""};
  static constexpr api2::Output<std::vector<T>> kOut{""};
  SYNCLINE_NODE_CONTRACT(kIn, kOut);

  static absl::Status UpdateContract(CalculatorContract* cc) {
    RET_CHECK_GT(kIn(cc).Count(), 0)
        << "there has to be at least one input without tag to merge";
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    std::vector<T> result;
    for (InputStream& input : cc->Inputs()) {
      if (input.IsEmpty()) continue;
      SYNCLINE_RETURN_IF_ERROR(TakeOrCopy<T>(input, [&result](auto&& value) {
        result.push_back(std::forward<decltype(value)>(value));
      }));
    }
    if (result.empty()) return absl::OkStatus();
    cc->Outputs().Index(0).AddPacket(
        MakePacket<std::vector<T>>(std::move(result)).At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};

namespace api2 {
using ::syncline::MergeToVectorCalculator;
}  // namespace api2

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_CORE_MERGE_TO_VECTOR_CALCULATOR_H_
