// MuxCalculator: sends the packets of one of several streams, which another
// stream selects.
//
//   node {
//     calculator: "MuxCalculator"
//     input_stream: "INPUT:0:from_camera"
//     input_stream: "INPUT:1:from_file"
//     input_stream: "SELECT:which"          # int, counts INPUT from 0
//     output_stream: "OUTPUT:frames"
//   }
//
// A stream SELECT chooses an input for each of its timestamps: a packet of
// SELECT at t waits until the chosen input is settled at t; the others need not
// be settled (MuxInputStreamHandler). A side packet SELECT chooses for the
// whole run; the inputs are then joined as usual.
//
// An empty chosen input sends nothing; the bound passes through (timestamp
// offset 0). A number without an input ends the run with an error.
//
// Thread rule: constant after Open.
#include "framework/calculator_framework.h"

namespace syncline {
namespace {

constexpr char kInput[] = "INPUT";
constexpr char kSelect[] = "SELECT";
constexpr char kOutput[] = "OUTPUT";

}  // namespace

class MuxCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    const bool has_stream = cc->Inputs().HasTag(kSelect);
    if (has_stream == cc->InputSidePackets().HasTag(kSelect)) {
      return absl::InvalidArgumentError(
          "MuxCalculator needs SELECT as an input stream or as a side packet, "
          "one of them");
    }
    PacketType& first = cc->Inputs().Get(kInput, 0);
    first.SetAny();
    for (int i = 1; i < cc->Inputs().NumEntries(kInput); ++i) {
      cc->Inputs().Get(kInput, i).SetSameAs(&first);
    }
    cc->Outputs().Tag(kOutput).SetSameAs(&first);
    if (has_stream) {
      cc->Inputs().Tag(kSelect).Set<int>();
      cc->SetInputStreamHandler("MuxInputStreamHandler");
    } else {
      cc->InputSidePackets().Tag(kSelect).Set<int>();
    }
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    if (cc->InputSidePackets().HasTag(kSelect)) {
      for_run_ = cc->InputSidePackets().Tag(kSelect).Get<int>();
      return CheckChoice(for_run_, *cc);
    }
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    int choice = for_run_;
    if (cc->Inputs().HasTag(kSelect)) {
      if (cc->Inputs().Tag(kSelect).IsEmpty()) return absl::OkStatus();
      choice = cc->Inputs().Tag(kSelect).Get<int>();
      SYNCLINE_RETURN_IF_ERROR(CheckChoice(choice, *cc));
    }
    const Packet& packet = cc->Inputs().Get(kInput, choice).Value();
    if (!packet.IsEmpty()) cc->Outputs().Tag(kOutput).AddPacket(packet);
    return absl::OkStatus();
  }

 private:
  static absl::Status CheckChoice(int choice, const CalculatorContext& cc) {
    const int inputs = cc.Inputs().NumEntries(kInput);
    if (choice >= 0 && choice < inputs) return absl::OkStatus();
    return absl::OutOfRangeError(absl::StrCat(
        "SELECT is ", choice, " at ", cc.InputTimestamp().DebugString(),
        ", but there are ", inputs, " inputs INPUT, which count from 0"));
  }

  int for_run_ = 0;
};
REGISTER_CALCULATOR(MuxCalculator);

}  // namespace syncline
