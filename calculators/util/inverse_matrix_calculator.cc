// InverseMatrixCalculator: inverts a matrix.
//
//   node {
//     calculator: "InverseMatrixCalculator"
//     input_stream: "MATRIX:image_to_crop"    # std::array<float, 16>, by rows
//     output_stream: "MATRIX:crop_to_image"
//   }
//
// A matrix that has no inverse ends the run with an error. An empty input sends
// nothing; the bound passes through (timestamp offset 0).
//
// Thread rule: no state of its own.
// Tested by detection_calculators_test.
#include <array>

#include "Eigen/Core"
#include "Eigen/LU"
#include "framework/calculator_framework.h"

namespace syncline {

class InverseMatrixCalculator : public CalculatorBase {
 public:
  using Numbers = std::array<float, 16>;

  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Tag("MATRIX").Set<Numbers>();
    cc->Outputs().Tag("MATRIX").Set<Numbers>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const InputStream& input = cc->Inputs().Tag("MATRIX");
    if (input.IsEmpty()) return absl::OkStatus();
    using Matrix4 = Eigen::Matrix<float, 4, 4, Eigen::RowMajor>;
    const Eigen::Map<const Matrix4> matrix(input.Get<Numbers>().data());
    Numbers inverse;
    bool is_invertible = false;
    // In doubles: with floats, rounding errors could look like a determinant
    // that is not 0.
    Eigen::Matrix4d result;
    matrix.cast<double>().computeInverseWithCheck(result, is_invertible, 1e-12);
    if (!is_invertible || !result.allFinite()) {
      return absl::InvalidArgumentError(
          absl::StrCat("the matrix at ", cc->InputTimestamp().DebugString(),
                       " has no inverse"));
    }
    Eigen::Map<Matrix4>(inverse.data()) = result.cast<float>();
    cc->Outputs().Tag("MATRIX").AddPacket(
        MakePacket<Numbers>(inverse).At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(InverseMatrixCalculator);

}  // namespace syncline
