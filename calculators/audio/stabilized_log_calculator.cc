// StabilizedLogCalculator: computes output_scale * log(value + stabilizer) for
// every value of a stream of matrices.
//
//   node {
//     calculator: "StabilizedLogCalculator"
//     input_stream: "spectrogram"        # Matrix, with a TimeSeriesHeader
//     output_stream: "log_spectrogram"   # Matrix, with the same header
//     options { [syncline.StabilizedLogCalculatorOptions.ext] {
//       stabilizer: 0.001 } }
//   }
//
// A value below 0 ends the run with an error, unless check_nonnegativity is
// false. A value that is not a number (NaN) always does. An empty input sends
// nothing; the bound passes through (timestamp offset 0).
//
// Thread rule: no state of its own.
#include "calculators/audio/stabilized_log_calculator.pb.h"
#include "framework/calculator_framework.h"
#include "framework/formats/matrix.h"
#include "framework/formats/time_series_header.pb.h"
#include "util/time_series_util.h"

namespace syncline {

class StabilizedLogCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    const auto& options = cc->Options<StabilizedLogCalculatorOptions>();
    if (!(options.stabilizer() >= 0)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "stabilizer is ", options.stabilizer(), ", but is at least 0"));
    }
    cc->Inputs().Index(0).Set<Matrix>();
    cc->Outputs().Index(0).Set<Matrix>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    TimeSeriesHeader header;
    SYNCLINE_RETURN_IF_ERROR(time_series_util::FillTimeSeriesHeaderIfValid(
        cc->Inputs().Index(0).Header(), &header));
    cc->Outputs().Index(0).SetHeader(cc->Inputs().Index(0).Header());
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    if (cc->Inputs().Index(0).IsEmpty()) return absl::OkStatus();
    const auto& options = cc->Options<StabilizedLogCalculatorOptions>();
    const auto& input = cc->Inputs().Index(0).Get<Matrix>();
    if (input.array().isNaN().any()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "The matrix at ", cc->InputTimestamp().DebugString(),
          " has a value that is not a number (NaN); a node before this one "
          "computed it, for example as 0 / 0 or the root of a value below 0"));
    }
    if (options.check_nonnegativity() && (input.array() < 0).any()) {
      return absl::InvalidArgumentError(
          absl::StrCat("The matrix at ", cc->InputTimestamp().DebugString(),
                       " has a value of ", input.minCoeff(),
                       ", which has no logarithm; see check_nonnegativity"));
    }
    const auto scale = static_cast<float>(options.output_scale());
    cc->Outputs().Index(0).AddPacket(
        MakePacket<Matrix>(
            scale * (input.array() + options.stabilizer()).log().matrix())
            .At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(StabilizedLogCalculator);

}  // namespace syncline
