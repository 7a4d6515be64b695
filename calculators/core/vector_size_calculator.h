// VectorSizeCalculator<T>: sends the number of elements of a vector.
//
//   using PoseVectorSizeCalculator = VectorSizeCalculator<Pose>;
//   REGISTER_CALCULATOR(PoseVectorSizeCalculator);
//
//   node {
//     calculator: "PoseVectorSizeCalculator"
//     input_stream: "VECTOR:poses"        # std::vector<T>
//     output_stream: "SIZE:count"         # int
//   }
//
// An empty input sends nothing; the bound passes through (timestamp offset 0).
//
// Thread rule: no state of its own.
// Tested by vector_calculators_test.

#ifndef SYNCLINE_CALCULATORS_CORE_VECTOR_SIZE_CALCULATOR_H_
#define SYNCLINE_CALCULATORS_CORE_VECTOR_SIZE_CALCULATOR_H_

#include <vector>

#include "framework/api2/node.h"  // IWYU pragma: export
#include "framework/calculator_framework.h"

namespace syncline {

template <typename T>
class VectorSizeCalculator : public api2::Node {
 public:
  static constexpr api2::Input<std::vector<T>> kVector{"VECTOR"};
  static constexpr api2::Output<int> kSize{"SIZE"};
  SYNCLINE_NODE_CONTRACT(kVector, kSize);

  absl::Status Process(CalculatorContext* cc) override {
    if (kVector(cc).IsEmpty()) return absl::OkStatus();
    kSize(cc).Send(static_cast<int>(kVector(cc)->size()));
    return absl::OkStatus();
  }
};

namespace api2 {
using ::syncline::VectorSizeCalculator;
}  // namespace api2

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_CORE_VECTOR_SIZE_CALCULATOR_H_
