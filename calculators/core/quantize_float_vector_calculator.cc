// QuantizeFloatVectorCalculator: encodes numbers as bytes, one byte for each.
//
//   node {
//     calculator: "QuantizeFloatVectorCalculator"
//     input_stream: "FLOAT_VECTOR:features"     # std::vector<float>
//     output_stream: "ENCODED:bytes"            # std::string
//     options { [syncline.QuantizeFloatVectorCalculatorOptions.ext] {
//       max_quantized_value: 64
//       min_quantized_value: -64 } }
//   }
//
// quantized_range.h has the formula. Numbers outside of the range become the
// nearest byte. An empty input sends nothing; the bound passes through
// (timestamp offset 0).
//
// Thread rule: constant after Open.
#include <string>
#include <utility>
#include <vector>

#include "calculators/core/quantize_float_vector_calculator.pb.h"
#include "calculators/core/quantized_range.h"
#include "framework/calculator_framework.h"

namespace syncline {

class QuantizeFloatVectorCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Tag("FLOAT_VECTOR").Set<std::vector<float>>();
    cc->Outputs().Tag("ENCODED").Set<std::string>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    SYNCLINE_ASSIGN_OR_RETURN(
        range_, QuantizedRange::Create(
                    cc->Options<QuantizeFloatVectorCalculatorOptions>(),
                    "QuantizeFloatVectorCalculatorOptions"));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const InputStream& input = cc->Inputs().Tag("FLOAT_VECTOR");
    if (input.IsEmpty()) return absl::OkStatus();
    std::string bytes;
    for (const float value : input.Get<std::vector<float>>()) {
      bytes.push_back(static_cast<char>(range_.Encode(value)));
    }
    cc->Outputs().Tag("ENCODED").AddPacket(
        MakePacket<std::string>(std::move(bytes)).At(cc->InputTimestamp()));
    return absl::OkStatus();
  }

 private:
  QuantizedRange range_;
};
REGISTER_CALCULATOR(QuantizeFloatVectorCalculator);

}  // namespace syncline
