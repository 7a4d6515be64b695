// StringToIntCalculator and similar calculators: convert a side packet with a
// number as text, such as a flag of a command line, to a number.
//
//   node {
//     calculator: "StringToIntCalculator"
//     input_side_packet: "port_text"      # std::string
//     output_side_packet: "port"          # int
//   }
//
//   StringToIntCalculator      int              StringToUintCalculator
//   StringToInt32Calculator    std::int32_t     StringToUint32Calculator
//   StringToInt64Calculator    std::int64_t     StringToUint64Calculator
//
// The text is decimal; blanks around it and a sign are allowed. A text that is
// not a number, or too large a number, ends the run with an error.
//
// Thread rule: no state of its own.
#include <cstdint>
#include <string>

#include "absl/strings/numbers.h"
#include "framework/calculator_framework.h"

namespace syncline {

template <typename Int>
class StringToIntCalculatorTemplate : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->InputSidePackets().Index(0).Set<std::string>();
    cc->OutputSidePackets().Index(0).Set<Int>();
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    const auto& text = cc->InputSidePackets().Index(0).Get<std::string>();
    Int number = 0;
    if (!absl::SimpleAtoi(text, &number)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "\"", text, "\" is not a number that fits in ", 8 * sizeof(Int),
          std::is_signed_v<Int> ? "" : " unsigned", " bits"));
    }
    cc->OutputSidePackets().Index(0).Set(MakePacket<Int>(number));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* /*cc*/) override {
    return absl::OkStatus();
  }
};

using StringToIntCalculator = StringToIntCalculatorTemplate<int>;
REGISTER_CALCULATOR(StringToIntCalculator);

using StringToUintCalculator = StringToIntCalculatorTemplate<unsigned int>;
REGISTER_CALCULATOR(StringToUintCalculator);

using StringToInt32Calculator = StringToIntCalculatorTemplate<std::int32_t>;
REGISTER_CALCULATOR(StringToInt32Calculator);

using StringToUint32Calculator = StringToIntCalculatorTemplate<std::uint32_t>;
REGISTER_CALCULATOR(StringToUint32Calculator);

using StringToInt64Calculator = StringToIntCalculatorTemplate<std::int64_t>;
REGISTER_CALCULATOR(StringToInt64Calculator);

using StringToUint64Calculator = StringToIntCalculatorTemplate<std::uint64_t>;
REGISTER_CALCULATOR(StringToUint64Calculator);

}  // namespace syncline
