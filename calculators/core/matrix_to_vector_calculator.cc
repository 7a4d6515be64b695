// MatrixToVectorCalculator: makes a vector of the elements of a matrix, column
// by column.
//
//   node {
//     calculator: "MatrixToVectorCalculator"
//     input_stream: "matrix"          # Matrix
//     output_stream: "numbers"        # std::vector<float>
//   }
//
// An empty input sends nothing; the bound passes through (timestamp offset 0).
//
// Thread rule: no state of its own.
#include <vector>

#include "framework/calculator_framework.h"
#include "framework/formats/matrix.h"

namespace syncline {

class MatrixToVectorCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<Matrix>();
    cc->Outputs().Index(0).Set<std::vector<float>>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    if (cc->Inputs().Index(0).IsEmpty()) return absl::OkStatus();
    // A Matrix is stored column by column.
    const auto& matrix = cc->Inputs().Index(0).Get<Matrix>();
    cc->Outputs().Index(0).AddPacket(
        MakePacket<std::vector<float>>(matrix.data(),
                                       matrix.data() + matrix.size())
            .At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(MatrixToVectorCalculator);

}  // namespace syncline
