// VectorIndicesCalculator<T>: the indices of a vector, 0 to its size - 1.
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
// For loops that want to know where they are. A vector without elements has a
// vector without indices; an empty input sends nothing, and the bound passes
// through (timestamp offset 0).
//
// Thread rule: no state of its own.
// Tested by vector_calculators_test.

#ifndef SYNCLINE_CALCULATORS_CORE_VECTOR_INDICES_CALCULATOR_H_
#define SYNCLINE_CALCULATORS_CORE_VECTOR_INDICES_CALCULATOR_H_

#include <numeric>
#include <utility>
#include <vector>

#include "framework/calculator_framework.h"

namespace syncline {
namespace api2 {

template <typename T>
class VectorIndicesCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Tag("VECTOR").Set<std::vector<T>>();
    cc->Outputs().Tag("INDICES").Set<std::vector<int>>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const InputStream& vector = cc->Inputs().Tag("VECTOR");
    if (vector.IsEmpty()) return absl::OkStatus();
    std::vector<int> indices(vector.Get<std::vector<T>>().size());
    std::iota(indices.begin(), indices.end(), 0);
    cc->Outputs().Tag("INDICES").AddPacket(
        MakePacket<std::vector<int>>(std::move(indices))
            .At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};

}  // namespace api2

using api2::VectorIndicesCalculator;

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_CORE_VECTOR_INDICES_CALCULATOR_H_
