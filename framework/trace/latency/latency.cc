#include "framework/trace/latency/latency.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "framework/trace/latency/packet_origins.h"
#include "framework/trace/latency/packet_ways.h"
#include "framework/trace/latency/quantiles.h"
#include "framework/trace/latency/trace_rate.h"

namespace syncline {
namespace {

std::vector<std::int32_t> SinksOf(const TraceFileHeader& header) {
  std::vector<bool> is_read(header.stream_size());
  for (const TraceFileHeader::Node& node : header.node()) {
    for (const int stream : node.input_stream()) is_read[stream] = true;
  }
  std::vector<std::int32_t> sinks;
  for (int i = 0; i < header.stream_size(); ++i) {
    // An input of the graph that nobody reads goes nowhere.
    if (header.stream(i).producer() < 0) continue;
    if (!is_read[i] || IsOutput(header.stream(i))) sinks.push_back(i);
  }
  return sinks;
}

constexpr std::int32_t kNodeIsSink = -1;

// Calls of nodes without outputs that took packets, as if each had sent one
// when it ended.
std::vector<PacketOrigin> ArrivalsAtNodes(const Trace& trace,
                                          const TraceCalls& calls) {
  std::vector<PacketOrigin> arrivals;
  for (std::size_t i = 0; i < calls.calls().size(); ++i) {
    const TracedCall& call = calls.calls()[i];
    if (call.kind != TraceKind::kProcessBegin || call.num_taken == 0 ||
        !call.end_is_known ||
        trace.header.node(call.node).output_stream_size() > 0) {
      continue;
    }
    arrivals.push_back(
        {call.timestamp, call.end, static_cast<std::int32_t>(i)});
  }
  return arrivals;
}

// What tells paths apart: the stream of the source, the nodes, and the sink.
using PathKey = std::vector<std::int32_t>;

class PathTable {
 public:
  PathTable(const Trace& trace, const LatencyOptions& options)
      : trace_(trace), rate_(trace), options_(options) {}

  void Add(const PacketWay& way, std::int32_t sink,
           const PacketOrigin& arrived) {
    PathKey key = {way.source_stream};
    for (auto step = way.steps.rbegin(); step != way.steps.rend(); ++step) {
      const bool is_end =
          step == way.steps.rbegin() || step + 1 == way.steps.rend();
      if (!options_.is_limited || is_end) key.push_back(step->node);
    }
    key.push_back(sink);
    LatencyPath& path = paths_[key];
    if (path.name.empty()) Describe(key, &path);
    path.messages.push_back(
        {way.source_timestamp, arrived.timestamp, way.begin, arrived.sent, 0});
    if (options_.is_limited) return;
    for (auto step = way.steps.rbegin(); step != way.steps.rend(); ++step) {
      path.ticks.push_back(step->waiting);
      path.ticks.push_back(step->in_call);
    }
  }

  std::vector<LatencyPath> Finish() {
    std::vector<LatencyPath> paths;
    for (auto& [key, path] : paths_) {
      KeepWhatCounts(&path);
      Summarize(&path);
      paths.push_back(std::move(path));
    }
    std::stable_sort(paths.begin(), paths.end(),
                     [](const LatencyPath& a, const LatencyPath& b) {
                       return a.num_all > b.num_all;
                     });
    return paths;
  }

 private:
  void Describe(const PathKey& key, LatencyPath* path) const {
    path->source_stream = key.front();
    path->sink_stream = key.back();
    if (key.front() >= 0) {
      path->name = trace_.header.stream(key.front()).name();
    }
    for (std::size_t i = 1; i + 1 < key.size(); ++i) {
      path->nodes.push_back({key[i]});
      absl::StrAppend(&path->name, path->name.empty() ? "" : " -> ",
                      trace_.header.node(key[i]).name());
    }
    if (key.back() < 0) return;
    absl::StrAppend(&path->name, " -> ",
                    trace_.header.stream(key.back()).name());
  }

  // Leaves out the first and the last messages, and those that were fast.
  void KeepWhatCounts(LatencyPath* path) const {
    const std::vector<std::size_t> order = ByArrival(*path);
    const auto all = static_cast<std::int64_t>(order.size());
    const std::size_t width = path->ticks.size() / order.size();
    std::vector<LatencyMessage> messages;
    std::vector<std::int64_t> ticks;
    const std::int64_t end = all - std::min(all, options_.skip_last);
    for (std::int64_t i = std::min(all, options_.skip_first); i < end; ++i) {
      LatencyMessage message = path->messages[order[i]];
      if (rate_.Ns(message.ticks()) < options_.threshold_ns) continue;
      message.number = i;
      messages.push_back(message);
      const auto from =
          path->ticks.begin() + static_cast<std::ptrdiff_t>(width * order[i]);
      ticks.insert(ticks.end(), from,
                   from + static_cast<std::ptrdiff_t>(width));
    }
    path->num_all = all;
    path->messages = std::move(messages);
    path->ticks = std::move(ticks);
  }

  static std::vector<std::size_t> ByArrival(const LatencyPath& path) {
    std::vector<std::size_t> order(path.messages.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&path](std::size_t a, std::size_t b) {
                       return path.messages[a].end < path.messages[b].end;
                     });
    return order;
  }

  void Summarize(LatencyPath* path) const {
    if (path->messages.empty()) return;
    const auto count = static_cast<double>(path->messages.size());
    std::vector<std::int64_t> ns;
    double total = 0;
    for (const LatencyMessage& message : path->messages) {
      ns.push_back(rate_.Ns(message.ticks()));
      total += static_cast<double>(message.ticks());
    }
    std::sort(ns.begin(), ns.end());
    path->mean_ns = total / count * rate_.ns_per_tick();
    path->min_ns = ns.front();
    path->p50_ns = Median(ns);
    path->p99_ns = Quantile(ns, 0.99);
    path->max_ns = ns.back();
    const auto [fastest, slowest] = std::minmax_element(
        path->messages.begin(), path->messages.end(),
        [](const LatencyMessage& a, const LatencyMessage& b) {
          return a.ticks() < b.ticks();
        });
    path->fastest = fastest - path->messages.begin();
    path->slowest = slowest - path->messages.begin();
    for (std::size_t i = 0; i < path->ticks.size(); ++i) {
      PathNode& node = path->nodes[i / 2 % path->nodes.size()];
      const double mean =
          static_cast<double>(path->ticks[i]) / count * rate_.ns_per_tick();
      (i % 2 == 0 ? node.waiting_ns : node.in_call_ns) += mean;
    }
  }

  const Trace& trace_;
  const TraceRate rate_;
  const LatencyOptions options_;
  std::map<PathKey, LatencyPath> paths_;
};

// A message is a packet that a call takes at a back edge, as it arrives when
// the call begins.
std::vector<LatencyPath> LoopsOf(const Trace& trace, const TraceCalls& calls,
                                 const WayFinder& finder,
                                 const LatencyOptions& options,
                                 std::int64_t* num_incomplete) {
  PathTable table(trace, options);
  for (const TracedCall& call : calls.calls()) {
    const TraceFileHeader::Node& node = trace.header.node(call.node);
    if (node.input_is_back_edge_size() == 0) continue;
    for (const TracedPacket& packet : calls.Taken(call)) {
      if (packet.port < 0 || packet.port >= node.input_is_back_edge_size() ||
          !node.input_is_back_edge(packet.port)) {
        continue;
      }
      const WayFinder::Loop loop = finder.FindLoop(call, packet);
      if (loop.kind == WayFinder::Loop::kIncomplete) ++*num_incomplete;
      if (loop.kind != WayFinder::Loop::kWhole) continue;
      table.Add(loop.way, kNodeIsSink,
                {packet.timestamp, call.begin, PacketOrigin::kApplication});
    }
  }
  return table.Finish();
}

}  // namespace

bool IsOutput(const TraceFileHeader::Stream& stream) {
  return stream.is_observed() || stream.is_graph_output();
}

Latencies ComputeLatencies(const Trace& trace, const TraceCalls& calls,
                           const LatencyOptions& options) {
  const WayFinder finder(trace, calls);
  PathTable table(trace, options);
  Latencies latencies;
  const auto add = [&](std::int32_t sink, const PacketOrigin& arrived) {
    const absl::optional<PacketWay> way = finder.Find(sink, arrived);
    if (way.has_value()) {
      table.Add(*way, sink, arrived);
    } else {
      ++latencies.num_incomplete;
    }
  };
  for (const std::int32_t sink : SinksOf(trace.header)) {
    for (const PacketOrigin& arrived : finder.origins().OfStream(sink)) {
      add(sink, arrived);
    }
  }
  for (const PacketOrigin& arrived : ArrivalsAtNodes(trace, calls)) {
    add(kNodeIsSink, arrived);
  }
  latencies.paths = table.Finish();
  latencies.loops =
      LoopsOf(trace, calls, finder, options, &latencies.num_incomplete_loops);
  return latencies;
}

}  // namespace syncline
