// SentPackets: when each packet of a graph was sent, and from when the data in
// it is, until all its readers have it.
//
// Of each stream only the newest kMaxOfStream are known: what is not taken by
// then, such as the packets of a node that was closed, is forgotten.
//
// Thread rule: for one thread at a time.
// Tested by sent_packets_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_CONVERT_SENT_PACKETS_H_
#define SYNCLINE_FRAMEWORK_TRACE_CONVERT_SENT_PACKETS_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "framework/base/hash_map.h"

namespace syncline {

struct SentPacket {
  std::int64_t sent_us = 0;
  // When the source began the call from which the packet comes, or the
  // application sent what it comes from.
  std::int64_t origin_us = 0;
  // Tells packets apart.
  std::int64_t number = 0;
};

class SentPackets {
 public:
  static constexpr std::size_t kMaxOfStream = 4096;

  // By stream: how many inputs read it.
  explicit SentPackets(const std::vector<int>& num_readers) {
    for (const int readers : num_readers) streams_.push_back({readers, {}, {}});
  }

  SentPacket Add(std::int32_t stream, std::int64_t timestamp,
                 std::int64_t sent_us, std::int64_t origin_us) {
    Stream& of = streams_[stream];
    const SentPacket packet = {sent_us, origin_us, ++last_number_};
    if (of.num_readers == 0) return packet;
    of.packets[timestamp] = {packet, of.num_readers};
    of.order.push_back({timestamp, packet.number});
    if (of.order.size() > kMaxOfStream) Forget(&of);
    return packet;
  }

  // For a reader that takes or drops it; the last one ends what is known.
  // Null if nothing is known of the packet. Valid until the next call.
  const SentPacket* Take(std::int32_t stream, std::int64_t timestamp) {
    Stream& of = streams_[stream];
    const auto found = of.packets.find(timestamp);
    if (found == of.packets.end()) return nullptr;
    taken_ = found->second.packet;
    if (--found->second.readers_left == 0) of.packets.erase(found);
    return &taken_;
  }

 private:
  struct Known {
    SentPacket packet;
    int readers_left = 0;
  };
  struct Sent {
    std::int64_t timestamp = 0;
    std::int64_t number = 0;
  };
  struct Stream {
    int num_readers = 0;
    HashMap<std::int64_t, Known> packets;  // by timestamp
    std::deque<Sent> order;
  };

  static void Forget(Stream* stream) {
    const Sent oldest = stream->order.front();
    stream->order.pop_front();
    const auto found = stream->packets.find(oldest.timestamp);
    if (found != stream->packets.end() &&
        found->second.packet.number == oldest.number) {
      stream->packets.erase(found);
    }
  }

  std::vector<Stream> streams_;
  std::int64_t last_number_ = 0;
  SentPacket taken_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_CONVERT_SENT_PACKETS_H_
