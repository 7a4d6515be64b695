#include "framework/trace/latency/packet_ways.h"

#include <algorithm>

#include "framework/trace/latency/trace_rate.h"

namespace syncline {

bool WayFinder::IsBackEdge(std::int32_t node, std::int32_t port) const {
  const TraceFileHeader::Node& of = trace_.header.node(node);
  return port >= 0 && port < of.input_is_back_edge_size() &&
         of.input_is_back_edge(port);
}

absl::optional<WayFinder::Critical> WayFinder::LastTaken(
    const TracedCall& call,
    absl::FunctionRef<bool(const TracedPacket&)> counts) const {
  absl::optional<Critical> last;
  for (const TracedPacket& packet : calls_.Taken(call)) {
    if (!counts(packet)) continue;
    const PacketOrigin* const origin = origins_.Find(packet);
    if (origin == nullptr) return Critical{packet.stream, packet.port, nullptr};
    if (!last.has_value() || origin->sent > last->origin->sent) {
      last = {packet.stream, packet.port, origin};
    }
  }
  return last;
}

absl::optional<PacketWay> WayFinder::Find(std::int32_t stream,
                                          const PacketOrigin& arrived) const {
  PacketWay way;
  const PacketOrigin* packet = &arrived;
  // No node is twice on a way without back edges; what is damaged may differ.
  for (int i = 0; i <= trace_.header.node_size(); ++i) {
    way.source_timestamp = packet->timestamp;
    if (packet->call == PacketOrigin::kApplication) {
      way.source_stream = stream;
      way.begin = packet->sent;
      return way;
    }
    const TracedCall& call = calls_.calls()[packet->call];
    // Of a source, MediaPipe's files know only what it sent, and when.
    if (!call.begin_is_known && call.num_taken == 0) {
      way.steps.push_back({call.node, 0, 0});
      way.begin = packet->sent;
      return way;
    }
    if (!call.begin_is_known) return absl::nullopt;
    PacketWay::Step& step = way.steps.emplace_back();
    step.node = call.node;
    step.in_call = TicksBetween(call.begin, packet->sent);
    const absl::optional<Critical> last =
        LastTaken(call, [&](const TracedPacket& taken) {
          return !IsBackEdge(call.node, taken.port);
        });
    if (!last.has_value()) {
      way.begin = call.begin;
      return way;
    }
    if (last->origin == nullptr) return absl::nullopt;
    step.waiting = TicksBetween(last->origin->sent, call.begin);
    packet = last->origin;
    stream = last->stream;
  }
  return absl::nullopt;
}

absl::optional<WayFinder::Critical> WayFinder::LastOnLoop(
    const TracedCall& call, const Reach& reach) const {
  const absl::optional<Critical> forward =
      LastTaken(call, [&](const TracedPacket& taken) {
        return reach.forward[taken.stream] &&
               !IsBackEdge(call.node, taken.port);
      });
  if (forward.has_value()) return forward;
  // A loop may have several back edges.
  return LastTaken(
      call, [&](const TracedPacket& taken) { return reach.any[taken.stream]; });
}

WayFinder::Loop WayFinder::FindLoop(const TracedCall& taker,
                                    const TracedPacket& packet) const {
  const PacketOrigin* sent = origins_.Find(packet);
  if (sent == nullptr || !taker.begin_is_known) return {Loop::kIncomplete, {}};
  const Reach& reach = ReachOf(taker.node);
  Loop loop;
  // Of the node itself: the wait for this call, which ends the way.
  loop.way.steps.push_back(
      {taker.node, TicksBetween(sent->sent, taker.begin), 0});
  while (sent->call != PacketOrigin::kApplication) {
    const TracedCall& call = calls_.calls()[sent->call];
    if (!call.begin_is_known) return {Loop::kIncomplete, {}};
    const std::int64_t in_call = TicksBetween(call.begin, sent->sent);
    loop.way.source_timestamp = sent->timestamp;
    loop.way.begin = call.begin;
    if (call.node == taker.node) {
      loop.way.steps.push_back({call.node, 0, in_call});
      loop.kind = Loop::kWhole;
      return loop;
    }
    for (const PacketWay::Step& step : loop.way.steps) {
      if (step.node == call.node) return {Loop::kNone, {}};
    }
    const absl::optional<Critical> last = LastOnLoop(call, reach);
    if (!last.has_value()) return {Loop::kNone, {}};
    if (last->origin == nullptr) return {Loop::kIncomplete, {}};
    // It counts once, at the back edge of the node with the least number.
    if (IsBackEdge(call.node, last->port) && call.node < taker.node) {
      return {Loop::kNone, {}};
    }
    loop.way.steps.push_back(
        {call.node, TicksBetween(last->origin->sent, call.begin), in_call});
    sent = last->origin;
  }
  return {Loop::kNone, {}};
}

const WayFinder::Reach& WayFinder::ReachOf(std::int32_t node) const {
  const auto [found, is_new] = reach_.try_emplace(node);
  if (is_new) {
    found->second = {StreamsFrom(node, /*over_back_edges=*/false),
                     StreamsFrom(node, /*over_back_edges=*/true)};
  }
  return found->second;
}

std::vector<bool> WayFinder::StreamsFrom(std::int32_t node,
                                         bool over_back_edges) const {
  const TraceFileHeader& header = trace_.header;
  std::vector<bool> streams(header.stream_size());
  std::vector<bool> is_reached(header.node_size());
  is_reached[node] = true;
  // Nodes need not be in the order of the streams.
  bool has_more = true;
  while (has_more) {
    has_more = false;
    for (int i = 0; i < header.node_size(); ++i) {
      const TraceFileHeader::Node& of = header.node(i);
      for (int port = 0; port < of.input_stream_size(); ++port) {
        if (is_reached[i]) break;
        is_reached[i] = streams[of.input_stream(port)] &&
                        (over_back_edges || !IsBackEdge(i, port));
      }
      if (!is_reached[i]) continue;
      for (const int stream : of.output_stream()) {
        has_more = has_more || !streams[stream];
        streams[stream] = true;
      }
    }
  }
  return streams;
}

}  // namespace syncline
