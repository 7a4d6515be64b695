// PacketFlows: the way of each packet of a trace, from where it was sent over
// the calls that took it to where it was dropped.
//
// First all ends of all flows are counted, and then they are gone through in
// the order in which they are written, which tells the last end of each.
//
// Thread rule: for one thread at a time.
// Tested by perfetto_form_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_CONVERT_PACKET_FLOWS_H_
#define SYNCLINE_FRAMEWORK_TRACE_CONVERT_PACKET_FLOWS_H_

#include <cstdint>
#include <utility>

#include "framework/base/hash_map.h"

namespace syncline {

class PacketFlows {
 public:
  // In place of a call, for what is no call: no two of them are the same end.
  static constexpr std::int32_t kNoCall = -1;

  struct End {
    // 0: the packet has no other end, and so no flow.
    std::uint64_t flow = 0;
    bool is_last = false;
  };

  // Flows are numbered from here on.
  explicit PacketFlows(std::uint64_t first) : next_(first) {}

  // A call that takes a packet twice is one end of its flow.
  void Count(std::int32_t stream, std::int64_t timestamp, std::int32_t call) {
    Packet& packet = packets_[{stream, timestamp}];
    if (IsSameEnd(packet, call)) return;
    ++packet.ends;
  }
  void CountSent(std::int32_t stream, std::int64_t timestamp) {
    packets_[{stream, timestamp}].is_sent = true;
  }

  // REQUIRES: this end was counted.
  End Next(std::int32_t stream, std::int64_t timestamp, std::int32_t call) {
    Packet& packet = packets_[{stream, timestamp}];
    // The call before has been the last to count.
    if (packet.written == 0) packet.call = kNoCall;
    if (packet.ends < 2 || IsSameEnd(packet, call)) return {};
    if (packet.flow == 0) packet.flow = next_++;
    ++packet.written;
    return {packet.flow, packet.written == packet.ends};
  }
  // The trace tells when the packet was sent.
  bool IsSent(std::int32_t stream, std::int64_t timestamp) const {
    const auto found = packets_.find({stream, timestamp});
    return found != packets_.end() && found->second.is_sent;
  }

 private:
  struct Packet {
    std::uint64_t flow = 0;
    std::int32_t ends = 0;
    std::int32_t written = 0;
    std::int32_t call = kNoCall;  // of the end before
    bool is_sent = false;
  };

  // Notes the call.
  static bool IsSameEnd(Packet& packet, std::int32_t call) {
    if (call != kNoCall && packet.call == call) return true;
    packet.call = call;
    return false;
  }

  HashMap<std::pair<std::int32_t, std::int64_t>, Packet> packets_;
  std::uint64_t next_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_CONVERT_PACKET_FLOWS_H_
