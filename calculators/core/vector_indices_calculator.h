// VectorIndicesCalculator<T>: sends the indices of a vector, 0 to its size - 1.
//
//   using PoseVectorIndicesCalculator = VectorIndicesCalculator<Pose>;
//   REGISTER_CALCULATOR(PoseVectorIndicesCalculator);
//
//   node {
//     calculator: "PoseVectorIndicesCalculator"
//     input_stream: "VECTOR:poses"        # std::vector<T>
//     output_stream: "INDICES:indices"    # std::vector<int>
//   }
//
// For loops that need the index of each element. For a vector without elements
// it sends a vector without indices; an empty input sends nothing, and the
// bound passes through (timestamp offset 0).
//
// Thread rule: no state of its own.
// Tested by vector_calculators_test.

#ifndef SYNCLINE_CALCULATORS_CORE_VECTOR_INDICES_CALCULATOR_H_
#define SYNCLINE_CALCULATORS_CORE_VECTOR_INDICES_CALCULATOR_H_

#include <numeric>
#include <utility>
#include <vector>

#include "framework/api2/node.h"  // IWYU pragma: export
#include "framework/calculator_framework.h"

namespace syncline {

template <typename T>
class VectorIndicesCalculator : public api2::Node {
 public:
  static constexpr api2::Input<std::vector<T>> kVector{"VECTOR"};
  static constexpr api2::Output<std::vector<int>> kIndices{"INDICES"};
  SYNCLINE_NODE_CONTRACT(kVector, kIndices);

  absl::Status Process(CalculatorContext* cc) override {
    if (kVector(cc).IsEmpty()) return absl::OkStatus();
    std::vector<int> indices(kVector(cc)->size());
    std::iota(indices.begin(), indices.end(), 0);
    kIndices(cc).Send(std::move(indices));
    return absl::OkStatus();
  }
};

namespace api2 {
using ::syncline::VectorIndicesCalculator;
}  // namespace api2

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_CORE_VECTOR_INDICES_CALCULATOR_H_
