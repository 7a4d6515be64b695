// SidePacketsToStreamsCalculator: sends what side packets hold on streams.
//
//   node {
//     calculator: "SidePacketsToStreamsCalculator"
//     input_side_packet: "ints"       # std::vector<Packet>
//     output_stream: "int"            # those packets at 0, 1, 2, ...
//   }
//
// Each side packet goes to the output of the same position. Its options say
// whether it is one packet or a vector of them, and what timestamps they get;
// see source.proto. Vectors are all of the same length.
//
// Thread rule: no state of its own.
// Tested by sink_test.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "framework/calculator_framework.h"
#include "framework/config/source.pb.h"

namespace syncline {
namespace {

using Options = SidePacketsToStreamsCalculatorOptions;

Packet WithTimestamp(const Packet& packet, std::size_t position,
                     Options::SetTimestampMode mode) {
  switch (mode) {
    case Options::VECTOR_INDEX:
      return packet.At(Timestamp(static_cast<std::int64_t>(position)));
    case Options::PRE_STREAM:
      return packet.At(Timestamp::PreStream());
    case Options::WHOLE_STREAM:
      return packet.At(Timestamp::PostStream());
    case Options::NONE:
      break;
  }
  return packet;
}

}  // namespace

class SidePacketsToStreamsCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    const auto& options = cc->Options<Options>();
    const int count = cc->InputSidePackets().NumEntries("");
    if (count != cc->Outputs().NumEntries("") ||
        (options.has_num_inputs() && options.num_inputs() != count)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "SidePacketsToStreamsCalculator needs as many output streams as "
          "input side packets, and num_inputs, if it is given, to be that "
          "number; it has ",
          count, " input side packets, ", cc->Outputs().NumEntries(""),
          " output streams and num_inputs ", options.num_inputs()));
    }
    if (!options.vectors_of_packets() &&
        options.set_timestamp() == Options::NONE) {
      return absl::InvalidArgumentError(
          "a side packet has no timestamp: with vectors_of_packets false, "
          "set_timestamp cannot be NONE");
    }
    for (int i = 0; i < count; ++i) {
      PacketType& side_packet = cc->InputSidePackets().Index(i);
      if (options.vectors_of_packets()) {
        side_packet.Set<std::vector<Packet>>();
        cc->Outputs().Index(i).SetAny();
      } else {
        side_packet.SetAny();
        cc->Outputs().Index(i).SetSameAs(&side_packet);
      }
    }
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const auto& options = cc->Options<Options>();
    if (options.vectors_of_packets()) SYNCLINE_RETURN_IF_ERROR(CheckSizes(*cc));
    for (int i = 0; i < cc->Outputs().NumEntries(); ++i) {
      const Packet& side_packet = cc->InputSidePackets().Index(i);
      OutputStream& output = cc->Outputs().Index(i);
      if (!options.vectors_of_packets()) {
        output.AddPacket(
            WithTimestamp(side_packet, 0, options.set_timestamp()));
        continue;
      }
      std::size_t position = 0;
      for (const Packet& packet : side_packet.Get<std::vector<Packet>>()) {
        output.AddPacket(
            WithTimestamp(packet, position++, options.set_timestamp()));
      }
    }
    return tool::StatusStop();
  }

 private:
  static absl::Status CheckSizes(const CalculatorContext& cc) {
    const auto size = [&cc](int i) {
      return cc.InputSidePackets().Index(i).Get<std::vector<Packet>>().size();
    };
    for (int i = 1; i < cc.Outputs().NumEntries(); ++i) {
      if (size(i) == size(0)) continue;
      return absl::InvalidArgumentError(
          absl::StrCat("the input side packets hold vectors of different "
                       "sizes: number 0 has ",
                       size(0), " packets, number ", i, " has ", size(i)));
    }
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(SidePacketsToStreamsCalculator);

}  // namespace syncline
