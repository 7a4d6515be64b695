// VectorSizeCalculator<T>: how many elements a vector has.
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

#include "framework/calculator_framework.h"

namespace syncline {
namespace api2 {

template <typename T>
class VectorSizeCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Tag("VECTOR").Set<std::vector<T>>();
    cc->Outputs().Tag("SIZE").Set<int>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const InputStream& vector = cc->Inputs().Tag("VECTOR");
    if (vector.IsEmpty()) return absl::OkStatus();
    cc->Outputs().Tag("SIZE").AddPacket(
        MakePacket<int>(static_cast<int>(vector.Get<std::vector<T>>().size()))
            .At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};

}  // namespace api2

using api2::VectorSizeCalculator;

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_CORE_VECTOR_SIZE_CALCULATOR_H_
