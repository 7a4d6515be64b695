#include "tools/trace/call_graph.h"

#include <algorithm>
#include <queue>

#include "framework/trace/latency/packet_origins.h"
#include "framework/trace/latency/trace_rate.h"

namespace syncline {
namespace {

bool IsWhole(const TracedCall& call) {
  return call.begin_is_known && call.end_is_known;
}

// By node.
std::vector<int> MostAtOnce(const Trace& trace, const TraceCalls& calls) {
  // By node: the ends of the calls that run.
  using Ends = std::priority_queue<std::uint64_t, std::vector<std::uint64_t>,
                                   std::greater<>>;
  std::vector<Ends> running(trace.header.node_size());
  std::vector<int> most(trace.header.node_size(), 0);
  for (const TracedCall& call : calls.calls()) {
    if (!IsWhole(call)) continue;
    Ends& ends = running[call.node];
    while (!ends.empty() && ends.top() <= call.begin) ends.pop();
    ends.push(call.end);
    most[call.node] = std::max(most[call.node], static_cast<int>(ends.size()));
  }
  return most;
}

// By call: its ticks without those of calls within it.
std::vector<std::int64_t> OwnTicks(const Trace& trace,
                                   const TraceCalls& calls) {
  std::vector<std::int64_t> ticks;
  // By thread: the positions of calls that may have calls within them.
  std::vector<std::vector<std::size_t>> open(trace.threads.size());
  for (std::size_t i = 0; i < calls.calls().size(); ++i) {
    const TracedCall& call = calls.calls()[i];
    ticks.push_back(TicksBetween(call.begin, call.end));
    if (!IsWhole(call)) continue;
    std::vector<std::size_t>& outer = open[call.thread];
    while (!outer.empty() && calls.calls()[outer.back()].end < call.end) {
      outer.pop_back();
    }
    if (!outer.empty() && calls.calls()[outer.back()].end > call.begin) {
      ticks[outer.back()] =
          std::max<std::int64_t>(0, ticks[outer.back()] - ticks[i]);
    }
    outer.push_back(i);
  }
  return ticks;
}

}  // namespace

CallGraph::CallGraph(const Trace& trace, const TraceCalls& calls)
    : most_at_once_(MostAtOnce(trace, calls)) {
  const PacketOrigins origins(trace, calls);
  const std::vector<std::int64_t> own_ticks = OwnTicks(trace, calls);
  // By node, and by position in `calls`: the positions here.
  std::vector<std::vector<std::int32_t>> of_node(trace.header.node_size());
  std::vector<std::int32_t> here(calls.calls().size(), -1);
  first_before_.push_back(0);
  for (std::size_t i = 0; i < calls.calls().size(); ++i) {
    const TracedCall& call = calls.calls()[i];
    if (!IsWhole(call)) continue;
    const auto position = static_cast<std::int32_t>(nodes_.size());
    std::vector<std::int32_t>& siblings = of_node[call.node];
    const auto at_once = static_cast<std::size_t>(most_at_once_[call.node]);
    if (siblings.size() >= at_once) {
      before_.push_back(siblings[siblings.size() - at_once]);
    }
    for (const TracedPacket& packet : calls.Taken(call)) {
      const PacketOrigin* const origin = origins.Find(packet);
      if (origin == nullptr || origin->call == PacketOrigin::kApplication ||
          static_cast<std::size_t>(origin->call) >= i ||
          here[origin->call] < 0) {
        continue;
      }
      before_.push_back(here[origin->call]);
    }
    first_before_.push_back(before_.size());
    nodes_.push_back(call.node);
    durations_.push_back(own_ticks[i]);
    siblings.push_back(position);
    here[i] = position;
  }
}

}  // namespace syncline
