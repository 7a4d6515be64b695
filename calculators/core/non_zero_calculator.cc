// NonZeroCalculator: whether a number is not 0.
//
//   node {
//     calculator: "NonZeroCalculator"
//     input_stream: "INPUT:count"             # int
//     output_stream: "OUTPUT_BOOL:is_any"     # bool
//     output_stream: "OUTPUT:one_or_zero"     # int
//   }
//
// One of the two outputs may be left out. INPUT may be a side packet instead of
// a stream; the node is then a source that sends its answer at 0 and ends.
//
// An empty input sends nothing; the bound passes through (timestamp offset 0).
//
// Thread rule: no state of its own.
#include "framework/calculator_framework.h"

namespace syncline {
namespace {

constexpr char kInput[] = "INPUT";
constexpr char kOutput[] = "OUTPUT";
constexpr char kOutputBool[] = "OUTPUT_BOOL";

void Send(int value, Timestamp time, CalculatorContext* cc) {
  if (cc->Outputs().HasTag(kOutput)) {
    cc->Outputs().Tag(kOutput).AddPacket(
        MakePacket<int>(value != 0 ? 1 : 0).At(time));
  }
  if (cc->Outputs().HasTag(kOutputBool)) {
    cc->Outputs()
        .Tag(kOutputBool)
        .AddPacket(MakePacket<bool>(value != 0).At(time));
  }
}

}  // namespace

class NonZeroCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    if (cc->Inputs().HasTag(kInput) == cc->InputSidePackets().HasTag(kInput)) {
      return absl::InvalidArgumentError(
          "NonZeroCalculator needs INPUT as a stream or as a side packet, one "
          "of them");
    }
    if (cc->Outputs().NumEntries() == 0) {
      return absl::InvalidArgumentError(
          "NonZeroCalculator needs the output OUTPUT or OUTPUT_BOOL, or both");
    }
    cc->Inputs().Tag(kInput).Set<int>().Optional();
    cc->InputSidePackets().Tag(kInput).Set<int>().Optional();
    cc->Outputs().Tag(kOutput).Set<int>().Optional();
    cc->Outputs().Tag(kOutputBool).Set<bool>().Optional();
    // As a source, the node has no input whose timestamp an offset could refer
    // to.
    if (cc->Inputs().HasTag(kInput)) cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    if (!cc->Inputs().HasTag(kInput)) return tool::StatusStop();
    const InputStream& input = cc->Inputs().Tag(kInput);
    if (!input.IsEmpty()) Send(input.Get<int>(), cc->InputTimestamp(), cc);
    return absl::OkStatus();
  }

  absl::Status Close(CalculatorContext* cc) override {
    if (cc->InputSidePackets().HasTag(kInput)) {
      Send(cc->InputSidePackets().Tag(kInput).Get<int>(), Timestamp(0), cc);
    }
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(NonZeroCalculator);

}  // namespace syncline
