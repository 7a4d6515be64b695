#include "framework/trace/latency/packet_origins.h"

#include <algorithm>

namespace syncline {

PacketOrigins::PacketOrigins(const Trace& trace, const TraceCalls& calls)
    : runs_(calls), by_stream_(trace.header.stream_size()) {
  for (const TracedPacket& packet : calls.added()) {
    by_stream_[packet.stream].push_back(
        {packet.timestamp, packet.tick, PacketOrigin::kApplication});
  }
  for (std::size_t i = 0; i < calls.calls().size(); ++i) {
    for (const TracedPacket& packet : calls.Sent(calls.calls()[i])) {
      by_stream_[packet.stream].push_back(
          {packet.timestamp, packet.tick, static_cast<std::int32_t>(i)});
    }
  }
  const auto is_before = [](const PacketOrigin& a, const PacketOrigin& b) {
    return a.timestamp < b.timestamp;
  };
  for (std::vector<PacketOrigin>& origins : by_stream_) {
    if (std::is_sorted(origins.begin(), origins.end(), is_before)) continue;
    std::stable_sort(origins.begin(), origins.end(), is_before);
  }
}

const PacketOrigin* PacketOrigins::Find(const TracedPacket& packet) const {
  const std::vector<PacketOrigin>& origins = by_stream_[packet.stream];
  const std::int32_t run = runs_.At(packet.tick);
  for (auto found =
           std::lower_bound(origins.begin(), origins.end(), packet.timestamp,
                            [](const PacketOrigin&o, std::int64_t t) {
                              return o.timestamp < t;
                            });
       found != origins.end() && found->timestamp == packet.timestamp;
       ++found) {
    if (runs_.At(found->sent) == run) return &*found;
  }
  return nullptr;
}

}  // namespace syncline
