// SequenceShiftCalculator: sends each packet at the timestamp of an earlier or
// later packet.
//
//   node {
//     calculator: "SequenceShiftCalculator"
//     input_stream: "frames"
//     input_side_packet: "PACKET_OFFSET:offset"    # int, optional
//     output_stream: "shifted"
//     options { [syncline.SequenceShiftCalculatorOptions.ext] {
//       packet_offset: 1 } }
//   }
//
//   frames                     a@10    b@20    c@30    d@40
//   shifted, packet_offset 1           a@20    b@30    c@40
//   shifted, packet_offset -1  b@10    c@20    d@30
//
// With a positive offset, a packet is sent at the timestamp of a later packet;
// with a negative offset, at that of an earlier one, whose timestamp waits for
// it. As many packets as the offset says are dropped, at the end or at the
// beginning.
//
// An empty input says that the input is settled up to its time. With a positive
// offset, the output gets this bound. With a negative offset it cannot, since
// the oldest waiting timestamp may still get a packet.
// emit_empty_packets_before_first_packet adds nothing to that, and is an error
// with an offset that is not positive.
//
// Thread rule: one call at a time.
#include <cstddef>
#include <deque>
#include <utility>

#include "calculators/core/forwarding.h"
#include "calculators/core/sequence_shift_calculator.pb.h"
#include "framework/calculator_framework.h"

namespace syncline {
namespace {

constexpr char kPacketOffset[] = "PACKET_OFFSET";

}  // namespace

class SequenceShiftCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).SetAny();
    cc->Outputs().Index(0).SetSameAs(&cc->Inputs().Index(0));
    cc->InputSidePackets().Tag(kPacketOffset).Set<int>().Optional();
    cc->SetProcessTimestampBounds(true);
    cc->SetOrderIndependent(true);
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    const auto& options = cc->Options<SequenceShiftCalculatorOptions>();
    offset_ = options.packet_offset();
    if (cc->InputSidePackets().HasTag(kPacketOffset)) {
      offset_ = cc->InputSidePackets().Tag(kPacketOffset).Get<int>();
    }
    if (options.emit_empty_packets_before_first_packet() && offset_ <= 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          "emit_empty_packets_before_first_packet is for a packet_offset above "
          "0, but that is ",
          offset_));
    }
    ForwardUntaggedHeaders(cc);
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const Packet& packet = cc->Inputs().Index(0).Value();
    OutputStream& output = cc->Outputs().Index(0);
    const Timestamp bound = BoundAfter(packet);
    if (offset_ >= 0) {
      if (!packet.IsEmpty()) SendEarlier(packet, output);
      RaiseBound(bound, output);
    } else {
      if (!packet.IsEmpty()) SendWhereDue(packet, output);
      RaiseBound(times_.empty() ? bound : times_.front(), output);
    }
    return absl::OkStatus();
  }

 private:
  // Sends the packet that came `offset_` packets before this one.
  void SendEarlier(const Packet& packet, OutputStream& output) {
    packets_.push_back(packet);
    if (packets_.size() <= static_cast<std::size_t>(offset_)) return;
    output.AddPacket(std::move(packets_.front()).At(packet.Timestamp()));
    packets_.pop_front();
  }

  // Sends this packet at the timestamp of the packet `-offset_` before it.
  void SendWhereDue(const Packet& packet, OutputStream& output) {
    times_.push_back(packet.Timestamp());
    if (static_cast<std::int64_t>(times_.size()) <= -std::int64_t{offset_}) {
      return;
    }
    output.AddPacket(packet.At(times_.front()));
    times_.pop_front();
  }

  int offset_ = 0;
  // Only one of the two is in use. Its size is at most the offset.
  std::deque<Packet> packets_;
  std::deque<Timestamp> times_;
};
REGISTER_CALCULATOR(SequenceShiftCalculator);

}  // namespace syncline
