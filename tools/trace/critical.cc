#include "tools/trace/critical.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <queue>
#include <utility>

#include "absl/types/span.h"
#include "framework/trace/latency/trace_rate.h"

namespace syncline {
namespace {

template <typename T>
using LeastFirst = std::priority_queue<T, std::vector<T>, std::greater<>>;

// The calls of the longest chain, the last one first.
std::vector<std::size_t> LongestChain(const CallGraph& graph) {
  // By call: when the chain to it ends, and the call before it there, or -1.
  std::vector<std::int64_t> ends(graph.size());
  std::vector<std::int32_t> before(graph.size(), -1);
  std::size_t last = 0;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    std::int64_t begin = 0;
    for (const std::int32_t other : graph.Before(i)) {
      if (before[i] >= 0 && ends[other] <= begin) continue;
      begin = ends[other];
      before[i] = other;
    }
    ends[i] = SumInRange(begin, graph.duration(i));
    if (ends[i] > ends[last]) last = i;
  }
  std::vector<std::size_t> chain;
  if (graph.size() == 0) return chain;
  for (auto i = static_cast<std::int32_t>(last); i >= 0; i = before[i]) {
    chain.push_back(static_cast<std::size_t>(i));
  }
  return chain;
}

// The calls that depend on each call.
class CallsAfter {
 public:
  explicit CallsAfter(const CallGraph& graph) : first_(graph.size() + 1, 0) {
    for (std::size_t i = 0; i < graph.size(); ++i) {
      for (const std::int32_t other : graph.Before(i)) ++first_[other + 1];
    }
    for (std::size_t i = 0; i < graph.size(); ++i) first_[i + 1] += first_[i];
    after_.resize(first_.back());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (std::size_t i = 0; i < graph.size(); ++i) {
      for (const std::int32_t other : graph.Before(i)) {
        after_[next[other]++] = static_cast<std::int32_t>(i);
      }
    }
  }
  absl::Span<const std::int32_t> Of(std::size_t call) const {
    return absl::MakeConstSpan(after_).subspan(first_[call],
                                               first_[call + 1] - first_[call]);
  }

 private:
  std::vector<std::size_t> first_;
  std::vector<std::int32_t> after_;
};

int NumThreads(const Trace& trace, const TraceCalls& calls) {
  std::vector<bool> has_run(trace.threads.size());
  for (const TracedCall& call : calls.calls()) has_run[call.thread] = true;
  return static_cast<int>(std::count(has_run.begin(), has_run.end(), true));
}

// By node; times in ticks.
std::vector<CriticalNode> NodesOf(const Trace& trace, const CallGraph& graph,
                                  const std::vector<std::size_t>& chain) {
  std::vector<CriticalNode> nodes(trace.header.node_size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    nodes[i].node = static_cast<std::int32_t>(i);
    nodes[i].most_at_once = graph.most_at_once()[i];
  }
  for (std::size_t i = 0; i < graph.size(); ++i) {
    CriticalNode& node = nodes[graph.node(i)];
    ++node.calls;
    node.busy_ns = SumInRange(node.busy_ns, graph.duration(i));
  }
  for (const std::size_t call : chain) {
    CriticalNode& node = nodes[graph.node(call)];
    ++node.calls_on_chain;
    node.on_chain_ns = SumInRange(node.on_chain_ns, graph.duration(call));
  }
  for (CriticalNode& node : nodes) {
    node.least_ns = node.busy_ns / std::max(1, node.most_at_once);
  }
  return nodes;
}

}  // namespace

CriticalReport ComputeCritical(const Trace& trace, const TraceCalls& calls) {
  const CallGraph graph(trace, calls);
  const TraceRate rate(trace);
  const std::vector<std::size_t> chain = LongestChain(graph);
  CriticalReport report;
  report.nodes = NodesOf(trace, graph, chain);
  std::int64_t work = 0;
  std::int64_t chain_ticks = 0;
  for (CriticalNode& node : report.nodes) {
    work = SumInRange(work, node.busy_ns);
    chain_ticks = SumInRange(chain_ticks, node.on_chain_ns);
    for (std::int64_t* time :
         {&node.busy_ns, &node.least_ns, &node.on_chain_ns}) {
      *time = rate.Ns(*time);
    }
  }
  std::stable_sort(report.nodes.begin(), report.nodes.end(),
                   [](const CriticalNode& a, const CriticalNode& b) {
                     return a.least_ns > b.least_ns;
                   });
  report.duration_ns = rate.Ns(TicksOfRun(trace));
  report.chain_ns = rate.Ns(chain_ticks);
  report.calls_on_chain = static_cast<std::int64_t>(chain.size());
  report.work_ns = rate.Ns(work);
  report.threads = NumThreads(trace, calls);
  report.estimate_ns = rate.Ns(EstimateTicks(graph, report.threads));
  report.estimate_of_one_more_ns =
      rate.Ns(EstimateTicks(graph, report.threads + 1));
  return report;
}

std::int64_t EstimateTicks(const CallGraph& graph, int threads) {
  const CallsAfter after(graph);
  std::vector<std::size_t> waits_for(graph.size());
  LeastFirst<std::size_t> ready;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    waits_for[i] = graph.Before(i).size();
    if (waits_for[i] == 0) ready.push(i);
  }
  // The calls that run, by their ends.
  LeastFirst<std::pair<std::int64_t, std::size_t>> running;
  std::int64_t now = 0;
  while (true) {
    while (!ready.empty() && static_cast<int>(running.size()) < threads) {
      running.push({SumInRange(now, graph.duration(ready.top())), ready.top()});
      ready.pop();
    }
    if (running.empty()) return now;
    const auto [end, ended] = running.top();
    running.pop();
    now = end;
    for (const std::int32_t next : after.Of(ended)) {
      if (--waits_for[next] == 0) ready.push(static_cast<std::size_t>(next));
    }
  }
}

}  // namespace syncline
