// AddHeaderCalculator: gives a stream a header.
//
//   node {
//     calculator: "AddHeaderCalculator"
//     input_stream: "DATA:audio"
//     input_side_packet: "HEADER:audio_header"
//     output_stream: "audio_with_header"
//   }
//
// The header is the side packet HEADER or the header of the input stream
// HEADER; the node has one of the two. If that is empty, the output has no
// header. A packet on the stream HEADER ends the run with an error. DATA goes
// out unchanged. An empty DATA sends nothing; the bound passes through
// (timestamp offset 0).
//
// Thread rule: no state of its own.
#include "framework/calculator_framework.h"

namespace syncline {
namespace {

constexpr char kData[] = "DATA";
constexpr char kHeader[] = "HEADER";

}  // namespace

class AddHeaderCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    if (cc->Inputs().HasTag(kHeader) ==
        cc->InputSidePackets().HasTag(kHeader)) {
      return absl::InvalidArgumentError(
          "AddHeaderCalculator needs HEADER as an input stream or as a side "
          "packet, one of them");
    }
    cc->Inputs().Tag(kData).SetAny();
    cc->Inputs().Tag(kHeader).SetAny().Optional();
    cc->InputSidePackets().Tag(kHeader).SetAny().Optional();
    cc->Outputs().Index(0).SetSameAs(&cc->Inputs().Tag(kData));
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    const Packet header = cc->Inputs().HasTag(kHeader)
                              ? cc->Inputs().Tag(kHeader).Header()
                              : cc->InputSidePackets().Tag(kHeader);
    if (!header.IsEmpty()) cc->Outputs().Index(0).SetHeader(header);
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    if (HasTagValue(cc->Inputs(), kHeader)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "Stream \"", cc->Inputs().Tag(kHeader).Name(), "\" has a packet at ",
          cc->InputTimestamp().DebugString(),
          ", but a stream that gives a header carries none"));
    }
    const InputStream& data = cc->Inputs().Tag(kData);
    if (!data.IsEmpty()) cc->Outputs().Index(0).AddPacket(data.Value());
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(AddHeaderCalculator);

}  // namespace syncline
