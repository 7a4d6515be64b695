#include "tools/trace/job_stats.h"

#include <algorithm>
#include <utility>

#include "absl/types/optional.h"
#include "framework/trace/call_tracker.h"
#include "framework/trace/latency/quantiles.h"
#include "framework/trace/latency/trace_rate.h"
#include "framework/trace/trace_event.h"

namespace syncline {
namespace {

// The last calls of one node, in ticks.
struct LastJobs {
  std::vector<std::int64_t> ring;
  std::size_t next = 0;
  std::int64_t total = 0;

  void Add(std::int64_t ticks, std::size_t count) {
    total = SumInRange(total, ticks);
    if (ring.size() < count) {
      ring.push_back(ticks);
      return;
    }
    ring[next] = ticks;
    next = (next + 1) % count;
  }
};

double VarianceOf(const std::vector<std::int64_t>& values) {
  double mean = 0;
  for (const std::int64_t value : values) mean += static_cast<double>(value);
  mean /= static_cast<double>(values.size());
  double squares = 0;
  for (const std::int64_t value : values) {
    const double difference = static_cast<double>(value) - mean;
    squares += difference * difference;
  }
  return squares / static_cast<double>(values.size());
}

void DescribeJobs(const LastJobs& jobs, const TraceRate& rate, double duration,
                  NodeJobs* to) {
  if (duration > 0) to->load = static_cast<double>(jobs.total) / duration;
  if (jobs.ring.empty()) return;
  std::vector<std::int64_t> ns;
  for (const std::int64_t ticks : jobs.ring) ns.push_back(rate.Ns(ticks));
  std::sort(ns.begin(), ns.end());
  to->samples = static_cast<std::int64_t>(ns.size());
  to->min_ns = ns.front();
  to->median_ns = Median(ns);
  to->p90_ns = Quantile(ns, 0.9);
  to->max_ns = ns.back();
  to->variance_ns2 = VarianceOf(ns);
}

}  // namespace

JobStats ComputeJobStats(const Trace& trace, std::int64_t count) {
  JobStats stats;
  const TraceFileHeader& header = trace.header;
  for (const std::string& executor : header.executor()) {
    stats.executors.push_back({executor});
  }
  std::vector<LastJobs> jobs(header.node_size());
  stats.nodes.resize(header.node_size());
  CallTracker tracker(trace);
  absl::optional<std::uint64_t> first;
  std::uint64_t last = 0;
  ForEachEvent(trace, [&](int thread, const TraceEvent& event) {
    if (!first.has_value()) first = event.tick;
    last = std::max(last, event.tick);
    const CallTracker::Step step = tracker.Add(thread, event);
    if (event.kind() == TraceKind::kCondition &&
        event.extra < kNumConditionStates) {
      ++stats.nodes[event.id()].condition_checks[event.extra];
    }
    if (step.ended == nullptr || !step.ended->begin_is_known ||
        step.ended->kind != TraceKind::kProcessBegin) {
      return;
    }
    ++stats.nodes[event.id()].executions;
    jobs[event.id()].Add(
        std::max<std::int64_t>(0, TicksBetween(step.ended->begin, event.tick)),
        static_cast<std::size_t>(std::max<std::int64_t>(1, count)));
  });
  const TraceRate rate(trace);
  const auto duration =
      static_cast<double>(TicksBetween(first.value_or(0), last));
  for (int i = 0; i < header.node_size(); ++i) {
    NodeJobs& node = stats.nodes[i];
    node.node = header.node(i).name();
    node.calculator = header.node(i).calculator();
    DescribeJobs(jobs[i], rate, duration, &node);
    const int number = header.node(i).executor();
    if (number >= static_cast<int>(stats.executors.size())) continue;
    ExecutorJobs& executor = stats.executors[number];
    node.executor = executor.executor;
    ++executor.nodes;
    executor.executions += node.executions;
    executor.load += node.load;
  }
  return stats;
}

}  // namespace syncline
