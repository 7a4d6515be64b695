#include "pages/live/call_meter.h"

#include <algorithm>
#include <map>
#include <utility>

#include "framework/base/steady_time.h"
#include "framework/trace/latency/latency.h"
#include "framework/trace/latency/quantiles.h"
#include "framework/trace/latency/trace_rate.h"
#include "framework/trace/trace_calls.h"

namespace syncline {

namespace {

std::int64_t NsSinceFirstEvent(const Trace& trace) {
  const TraceClockPoint& end = trace.clock_points.back();
  std::int64_t ns = 0;
  for (const TraceThread& thread : trace.threads) {
    if (thread.events.empty()) continue;
    ns =
        std::max(ns, trace.Ns(end.tick) - trace.Ns(thread.events.front().tick));
  }
  return ns;
}

}  // namespace

CallMeter::CallMeter(const CalculatorGraph* graph) : graph_(graph) {
  cursor_.position.most_of_lane = kMostOfThread;
}

void CallMeter::Forget() {
  parts_.clear();
  open_.clear();
}

void CallMeter::Read() {
  const std::int64_t now_ns = SteadyNowNs();
  Trace trace = graph_->TakeTrace(&cursor_);
  if (trace.header.node_size() > 0) {
    header_ = std::move(trace.header);
    header_.clear_config();
    Forget();
  }
  if (header_.node_size() == 0) return;
  Part part;
  part.num_events = static_cast<std::size_t>(trace.num_events());
  part.begin_ns =
      last_read_ns_ == 0 ? now_ns - NsSinceFirstEvent(trace) : last_read_ns_;
  part.end_ns = now_ns;
  has_events_ = has_events_ || part.num_events > 0;
  last_read_ns_ = now_ns;
  AddCalls(trace, &part);
  part.trace = std::move(trace);
  parts_.push_back(std::move(part));
  DropOldParts();
}

void CallMeter::AddCalls(const Trace& trace, Part* part) {
  if (open_.size() < trace.threads.size()) open_.resize(trace.threads.size());
  std::map<int, NodeCalls> calls;
  const std::int64_t part_ns =
      std::max<std::int64_t>(1, part->end_ns - part->begin_ns);
  for (std::size_t lane = 0; lane < trace.threads.size(); ++lane) {
    const TraceThread& thread = trace.threads[lane];
    std::vector<OpenCall>& open = open_[lane];
    // After a gap it is not known which calls go on.
    std::int64_t seen_ns = part_ns;
    if (thread.num_lost > 0) {
      open.clear();
      if (!thread.events.empty()) {
        seen_ns =
            std::max<std::int64_t>(1, trace.Ns(thread.events.back().tick) -
                                          trace.Ns(thread.events.front().tick));
      }
    }
    for (const TraceEvent& event : thread.events) {
      if (event.kind() == TraceKind::kProcessBegin) {
        open.push_back({static_cast<int>(event.id()), event.tick});
      } else if (event.kind() == TraceKind::kProcessEnd) {
        const auto node = static_cast<int>(event.id());
        while (!open.empty() && open.back().node != node) open.pop_back();
        if (open.empty()) continue;
        const std::int64_t ns = std::max<std::int64_t>(
            0, trace.Ns(event.tick) - trace.Ns(open.back().begin));
        open.pop_back();
        NodeCalls& of_node = calls[node];
        ++of_node.num;
        of_node.total_ns += ns;
        of_node.longest_ns = std::max(of_node.longest_ns, ns);
        of_node.busy += static_cast<double>(ns) / static_cast<double>(seen_ns);
        of_node.per_second += 1e9 / static_cast<double>(seen_ns);
      }
    }
  }
  for (const auto& [node, of_node] : calls) {
    part->calls.push_back({node, of_node});
  }
}

void CallMeter::DropOldParts() {
  const std::int64_t now_ns = parts_.back().end_ns;
  while (parts_.size() > 1 && now_ns - parts_.front().end_ns > kLongestKeptNs) {
    parts_.pop_front();
  }
  std::size_t kept = 0;
  for (auto part = parts_.rbegin(); part != parts_.rend(); ++part) {
    kept += part->num_events;
    // The newest part stays, however long it is.
    if (kept <= kMostKept || part == parts_.rbegin()) continue;
    part->trace = Trace();
    part->num_events = 0;
  }
}

std::vector<NodeCalls> CallMeter::Calls() const {
  std::vector<NodeCalls> all(static_cast<std::size_t>(header_.node_size()));
  std::int64_t covered_ns = 0;
  for (auto part = parts_.rbegin(); part != parts_.rend(); ++part) {
    const std::int64_t ns =
        std::max<std::int64_t>(1, part->end_ns - part->begin_ns);
    covered_ns += ns;
    for (const Part::OfNode& of_node : part->calls) {
      if (of_node.node >= header_.node_size()) continue;
      NodeCalls& sum = all[of_node.node];
      sum.num += of_node.calls.num;
      sum.total_ns += of_node.calls.total_ns;
      sum.longest_ns = std::max(sum.longest_ns, of_node.calls.longest_ns);
      sum.busy += of_node.calls.busy * static_cast<double>(ns);
      sum.per_second += of_node.calls.per_second * static_cast<double>(ns);
    }
    if (covered_ns >= kRecentNs) break;
  }
  const auto covered =
      static_cast<double>(std::max<std::int64_t>(1, covered_ns));
  for (NodeCalls& calls : all) {
    calls.busy /= covered;
    calls.per_second /= covered;
  }
  return all;
}

std::vector<int> CallMeter::NodesInCalls() const {
  std::vector<int> nodes;
  for (const std::vector<OpenCall>& lane : open_) {
    for (const OpenCall& call : lane) nodes.push_back(call.node);
  }
  return nodes;
}

Trace CallMeter::KeptTrace() const {
  Trace kept;
  kept.header = header_;
  std::vector<std::int64_t> lost;
  auto storage = std::make_shared<std::vector<std::shared_ptr<const void>>>();
  for (const Part& part : parts_) {
    if (part.trace.clock_points.empty()) continue;
    const Trace& trace = part.trace;
    storage->push_back(trace.storage);
    if (kept.clock_points.empty()) {
      kept.clock_points.push_back(trace.clock_points.front());
    }
    kept.clock_points.push_back(trace.clock_points.back());
    if (kept.threads.size() < trace.threads.size()) {
      kept.threads.resize(trace.threads.size());
    }
    for (std::size_t lane = 0; lane < trace.threads.size(); ++lane) {
      TraceThread& to = kept.threads[lane];
      to.num_lost += trace.threads[lane].num_lost;
      for (const TraceEvents::Piece& piece :
           trace.threads[lane].events.pieces()) {
        to.events.Append(piece.events, piece.lost_before);
      }
    }
  }
  if (kept.clock_points.empty()) kept.clock_points.resize(1);
  kept.storage = std::move(storage);
  return kept;
}

std::vector<SinkLatency> CallMeter::SinkLatencies() const {
  const Trace trace = KeptTrace();
  if (trace.num_events() == 0 || !CheckTrace(trace).ok()) return {};
  const Latencies found =
      ComputeLatencies(trace, TraceCalls(trace), {.is_limited = true});
  const TraceRate rate(trace);
  const bool has_outputs =
      std::any_of(header_.stream().begin(), header_.stream().end(), IsOutput);
  // By name and kind.
  std::map<std::pair<std::string, bool>, std::vector<std::int64_t>> by_sink;
  for (const LatencyPath& path : found.paths) {
    const bool is_node = path.sink_stream < 0;
    // Where the graph says what its outputs are, a stream that nobody reads is
    // none.
    if (!is_node && has_outputs &&
        !IsOutput(header_.stream(path.sink_stream))) {
      continue;
    }
    const std::string& name = is_node
                                  ? header_.node(path.nodes.back().node).name()
                                  : header_.stream(path.sink_stream).name();
    std::vector<std::int64_t>& ns = by_sink[{name, is_node}];
    for (const LatencyMessage& message : path.messages) {
      ns.push_back(rate.Ns(message.ticks()));
    }
  }
  std::vector<SinkLatency> latencies;
  for (auto& [sink, ns] : by_sink) {
    if (ns.empty()) continue;
    std::sort(ns.begin(), ns.end());
    latencies.push_back({.name = sink.first,
                         .is_node = sink.second,
                         .num = static_cast<std::int64_t>(ns.size()),
                         .p50_ns = Median(ns),
                         .p99_ns = Quantile(ns, 0.99),
                         .longest_ns = ns.back()});
  }
  return latencies;
}

}  // namespace syncline
