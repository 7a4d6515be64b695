// MatrixMultiplyCalculator: multiplies a constant matrix with each matrix of a
// stream.
//
//   node {
//     calculator: "MatrixMultiplyCalculator"
//     input_stream: "samples"            # Matrix
//     input_side_packet: "weights"       # Matrix, on the left
//     output_stream: "weighted"          # weights * samples
//   }
//
// Matrices that do not fit end the run with an error. An empty input sends
// nothing; the bound passes through (timestamp offset 0).
//
// Thread rule: no state of its own.
#include "framework/calculator_framework.h"
#include "framework/formats/matrix.h"

namespace syncline {

class MatrixMultiplyCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<Matrix>();
    cc->InputSidePackets().Index(0).Set<Matrix>();
    cc->Outputs().Index(0).Set<Matrix>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    if (cc->Inputs().Index(0).IsEmpty()) return absl::OkStatus();
    const auto& left = cc->InputSidePackets().Index(0).Get<Matrix>();
    const auto& right = cc->Inputs().Index(0).Get<Matrix>();
    if (left.cols() != right.rows()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "A matrix of ", left.rows(), " x ", left.cols(),
          " cannot be multiplied with the one at ",
          cc->InputTimestamp().DebugString(), " of ", right.rows(), " x ",
          right.cols(), "; it needs ", left.cols(), " rows"));
    }
    cc->Outputs().Index(0).AddPacket(
        MakePacket<Matrix>(left * right).At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(MatrixMultiplyCalculator);

}  // namespace syncline
