// PacketFlows: the way of each packet of a trace, from where it was sent over
// the calls that took it to where it was dropped.
//
// First all ends of all flows are counted, and then they are gone through in
// the order in which they are written, which tells the last end of each. Each
// packet has a number, so that it is looked for only once for each of its ends:
// a trace has them by the million, so they lie in arrays.
//
// Thread rule: for one thread at a time.
// Tested by perfetto_form_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_CONVERT_PACKET_FLOWS_H_
#define SYNCLINE_FRAMEWORK_TRACE_CONVERT_PACKET_FLOWS_H_

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "absl/hash/hash.h"

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
  explicit PacketFlows(std::uint64_t first)
      : slots_(kFirstSlots), next_(first) {}

  // The number of this packet, from 0, which the others take. It is the same
  // each time. `run`: of TraceRuns.
  std::int32_t Find(std::int32_t stream, std::int64_t timestamp,
                    std::int32_t run) {
    const std::size_t slot = SlotOf(stream, timestamp, run);
    if (slots_[slot] != 0) return slots_[slot] - 1;
    packets_.push_back({.stream = stream, .run = run, .timestamp = timestamp});
    const auto count = static_cast<std::int32_t>(packets_.size());
    slots_[slot] = count;
    if (2 * packets_.size() > slots_.size()) Grow();
    return count - 1;
  }

  // A call that takes a packet twice is one end of its flow.
  void Count(std::int32_t number, std::int32_t call) {
    Packet& packet = packets_[number];
    if (IsSameEnd(packet, call)) return;
    ++packet.ends;
  }
  void CountSent(std::int32_t number) { packets_[number].is_sent = true; }

  // REQUIRES: this end was counted.
  End Next(std::int32_t number, std::int32_t call) {
    Packet& packet = packets_[number];
    // The call before has been the last to count.
    if (packet.written == 0) packet.call = kNoCall;
    if (packet.ends < 2 || IsSameEnd(packet, call)) return {};
    if (packet.flow == 0) packet.flow = next_++;
    ++packet.written;
    return {packet.flow, packet.written == packet.ends};
  }
  // The trace tells when the packet was sent.
  bool IsSent(std::int32_t number) const { return packets_[number].is_sent; }

 private:
  // A power of 2, as all numbers of slots.
  static constexpr std::size_t kFirstSlots = 1024;

  struct Packet {
    std::int32_t stream = 0;
    std::int32_t run = 0;
    std::int64_t timestamp = 0;
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

  // Where the packet is in the table, or has its place.
  std::size_t SlotOf(std::int32_t stream, std::int64_t timestamp,
                     std::int32_t run) const {
    const std::tuple<std::int32_t, std::int64_t, std::int32_t> key(
        stream, timestamp, run);
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = absl::Hash<decltype(key)>()(key) & mask;
    while (slots_[slot] != 0) {
      const Packet& packet = packets_[slots_[slot] - 1];
      if (packet.timestamp == timestamp && packet.stream == stream &&
          packet.run == run) {
        break;
      }
      slot = (slot + 1) & mask;
    }
    return slot;
  }
  void Grow() {
    slots_.assign(2 * slots_.size(), 0);
    std::int32_t number = 0;
    for (const Packet& packet : packets_) {
      slots_[SlotOf(packet.stream, packet.timestamp, packet.run)] = ++number;
    }
  }

  std::vector<Packet> packets_;
  // Numbers of packets plus 1, at the first free place from that of the hash;
  // 0: free. Half of them are.
  std::vector<std::int32_t> slots_;
  std::uint64_t next_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_CONVERT_PACKET_FLOWS_H_
