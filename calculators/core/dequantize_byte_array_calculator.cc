// DequantizeByteArrayCalculator: converts bytes to the numbers that they
// encode.
//
//   node {
//     calculator: "DequantizeByteArrayCalculator"
//     input_stream: "ENCODED:bytes"               # std::string
//     output_stream: "FLOAT_VECTOR:features"      # std::vector<float>
//     options { [syncline.DequantizeByteArrayCalculatorOptions.ext] {
//       max_quantized_value: 64
//       min_quantized_value: -64 } }
//   }
//
// The inverse of QuantizeFloatVectorCalculator; quantized_range.h has the
// formula. An empty input sends nothing; the bound passes through (timestamp
// offset 0).
//
// Thread rule: constant after Open.
#include <string>
#include <utility>
#include <vector>

#include "calculators/core/dequantize_byte_array_calculator.pb.h"
#include "calculators/core/quantized_range.h"
#include "framework/calculator_framework.h"

namespace syncline {

class DequantizeByteArrayCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Tag("ENCODED").Set<std::string>();
    cc->Outputs().Tag("FLOAT_VECTOR").Set<std::vector<float>>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    SYNCLINE_ASSIGN_OR_RETURN(
        range_, QuantizedRange::Create(
                    cc->Options<DequantizeByteArrayCalculatorOptions>(),
                    "DequantizeByteArrayCalculatorOptions"));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const InputStream& input = cc->Inputs().Tag("ENCODED");
    if (input.IsEmpty()) return absl::OkStatus();
    std::vector<float> values;
    for (const char byte : input.Get<std::string>()) {
      values.push_back(range_.Decode(static_cast<unsigned char>(byte)));
    }
    cc->Outputs()
        .Tag("FLOAT_VECTOR")
        .AddPacket(MakePacket<std::vector<float>>(std::move(values))
                       .At(cc->InputTimestamp()));
    return absl::OkStatus();
  }

 private:
  QuantizedRange range_;
};
REGISTER_CALCULATOR(DequantizeByteArrayCalculator);

}  // namespace syncline
