// MatrixSubtractCalculator: subtracts a constant matrix from each matrix of a
// stream, or the other way round.
//
//   node {
//     calculator: "MatrixSubtractCalculator"
//     input_stream: "MINUEND:samples"          # Matrix
//     input_side_packet: "SUBTRAHEND:mean"     # Matrix
//     output_stream: "centred"                 # samples - mean
//   }
//
// One of MINUEND and SUBTRAHEND is the stream, the other the side packet.
// Matrices of different sizes end the run with an error. An empty input sends
// nothing; the bound passes through (timestamp offset 0).
//
// Thread rule: no state of its own.
#include "framework/calculator_framework.h"
#include "framework/formats/matrix.h"

namespace syncline {
namespace {

constexpr char kMinuend[] = "MINUEND";
constexpr char kSubtrahend[] = "SUBTRAHEND";

}  // namespace

class MatrixSubtractCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    const bool minuend_is_stream = cc->Inputs().HasTag(kMinuend);
    const char* const stream = minuend_is_stream ? kMinuend : kSubtrahend;
    const char* const constant = minuend_is_stream ? kSubtrahend : kMinuend;
    if (!cc->Inputs().HasTag(stream) ||
        !cc->InputSidePackets().HasTag(constant) ||
        cc->Inputs().NumEntries() + cc->InputSidePackets().NumEntries() != 2) {
      return absl::InvalidArgumentError(
          "MatrixSubtractCalculator needs MINUEND and SUBTRAHEND, one as input "
          "stream, the other as side packet");
    }
    cc->Inputs().Tag(stream).Set<Matrix>();
    cc->InputSidePackets().Tag(constant).Set<Matrix>();
    cc->Outputs().Index(0).Set<Matrix>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const bool minuend_is_stream = cc->Inputs().HasTag(kMinuend);
    const Packet& input = cc->Inputs().begin()->Value();
    if (input.IsEmpty()) return absl::OkStatus();
    const auto& stream = input.Get<Matrix>();
    const auto& constant = cc->InputSidePackets().begin()->Get<Matrix>();
    if (stream.rows() != constant.rows() || stream.cols() != constant.cols()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "MINUEND and SUBTRAHEND differ in size at ",
          cc->InputTimestamp().DebugString(), ": the stream's is ",
          stream.rows(), " x ", stream.cols(), ", the side packet's ",
          constant.rows(), " x ", constant.cols()));
    }
    cc->Outputs().Index(0).AddPacket(MakePacket<Matrix>(minuend_is_stream
                                                            ? stream - constant
                                                            : constant - stream)
                                         .At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(MatrixSubtractCalculator);

}  // namespace syncline
