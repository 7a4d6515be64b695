// ThresholdingCalculator: compares values with a threshold.
//
//   node {
//     calculator: "ThresholdingCalculator"
//     input_stream: "FLOAT:score"
//     output_stream: "FLAG:is_face"         # bool
//     options { [syncline.ThresholdingCalculatorOptions.ext] {
//       threshold: 0.1 } }
//   }
//
//   outputs, each of which may be left out
//     FLAG     bool at each value: value > threshold
//     ACCEPT   bool `true` where value > threshold
//     REJECT   bool `false` where not
//
// The threshold is a double, which the value is compared with as a double. It
// comes from the options, from the side packet THRESHOLD (double) or from the
// input stream THRESHOLD (double). A packet of that stream is valid until the
// next one; before the first one the threshold is 0.
//
// An empty FLOAT sends nothing; the bound passes through (timestamp offset 0).
//
// Thread rule: one call at a time.
#include "calculators/util/thresholding_calculator.pb.h"
#include "framework/calculator_framework.h"

namespace syncline {
namespace {

constexpr char kFloat[] = "FLOAT";
constexpr char kThreshold[] = "THRESHOLD";
constexpr char kFlag[] = "FLAG";
constexpr char kAccept[] = "ACCEPT";
constexpr char kReject[] = "REJECT";

void SendBool(bool value, absl::string_view tag, CalculatorContext* cc) {
  if (!cc->Outputs().HasTag(tag)) return;
  cc->Outputs().Tag(tag).AddPacket(
      MakePacket<bool>(value).At(cc->InputTimestamp()));
}

}  // namespace

class ThresholdingCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    const bool has_stream = cc->Inputs().HasTag(kThreshold);
    const bool has_side_packet = cc->InputSidePackets().HasTag(kThreshold);
    const bool has_option =
        cc->Options<ThresholdingCalculatorOptions>().has_threshold();
    if (has_stream + has_side_packet + has_option > 1) {
      return absl::InvalidArgumentError(absl::StrCat(
          "ThresholdingCalculator takes its threshold from one place, but has ",
          has_option ? "the option threshold, " : "",
          has_side_packet ? "the side packet THRESHOLD, " : "",
          has_stream ? "the input stream THRESHOLD, " : "", "together"));
    }
    cc->Inputs().Tag(kFloat).Set<float>();
    cc->Inputs().Tag(kThreshold).Set<double>().Optional();
    cc->InputSidePackets().Tag(kThreshold).Set<double>().Optional();
    for (const char* tag : {kFlag, kAccept, kReject}) {
      cc->Outputs().Tag(tag).Set<bool>().Optional();
    }
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    threshold_ = cc->Options<ThresholdingCalculatorOptions>().threshold();
    if (cc->InputSidePackets().HasTag(kThreshold)) {
      threshold_ = cc->InputSidePackets().Tag(kThreshold).Get<double>();
    }
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    if (HasTagValue(cc->Inputs(), kThreshold)) {
      threshold_ = cc->Inputs().Tag(kThreshold).Get<double>();
    }
    const InputStream& input = cc->Inputs().Tag(kFloat);
    if (input.IsEmpty()) return absl::OkStatus();
    const bool accept = static_cast<double>(input.Get<float>()) > threshold_;
    SendBool(accept, kFlag, cc);
    SendBool(accept, accept ? kAccept : kReject, cc);
    return absl::OkStatus();
  }

 private:
  double threshold_ = 0;
};
REGISTER_CALCULATOR(ThresholdingCalculator);

}  // namespace syncline
