#include "tools/trace/trace_diff.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <utility>

#include "framework/trace/latency/latency.h"
#include "framework/trace/latency/quantiles.h"
#include "framework/trace/latency/trace_rate.h"
#include "framework/trace/trace_calls.h"
#include "framework/trace/trace_event.h"
#include "tools/trace/node_stats.h"

namespace syncline {
namespace {

// Differences below this share are not worth a word.
constexpr double kLeastChange = 0.02;
// Errors of the difference by which medians have to differ.
constexpr double kErrors = 3;
// With fewer calls, the quartiles say nothing.
constexpr std::int64_t kLeastCount = 5;

std::map<std::string, Sample> SamplesOf(const std::vector<LatencyPath>& paths,
                                        const TraceRate& rate) {
  std::map<std::string, Sample> samples;
  for (const LatencyPath& path : paths) {
    std::vector<std::int64_t> latencies;
    for (const LatencyMessage& message : path.messages) {
      // Clocks that went back count as no time.
      latencies.push_back(std::max<std::int64_t>(0, rate.Ns(message.ticks())));
    }
    samples.emplace(path.name, SampleOf(std::move(latencies)));
  }
  return samples;
}

// One run.
struct Side {
  explicit Side(const Trace& trace) : stats(ComputeTraceStats(trace)) {
    const TraceCalls calls(trace);
    const TraceRate rate(trace);
    std::vector<std::vector<std::int64_t>> durations(stats.nodes.size());
    for (const TracedCall& call : calls.calls()) {
      if (call.kind != TraceKind::kProcessBegin || !call.begin_is_known ||
          !call.end_is_known) {
        continue;
      }
      durations[call.node].push_back(
          rate.Ns(TicksBetween(call.begin, call.end)));
    }
    for (std::size_t i = 0; i < stats.nodes.size(); ++i) {
      numbers.emplace(stats.nodes[i].name, i);
      samples.push_back(SampleOf(std::move(durations[i])));
    }
    const Latencies latencies =
        ComputeLatencies(trace, calls, LatencyOptions());
    paths = SamplesOf(latencies.paths, rate);
    loops = SamplesOf(latencies.loops, rate);
  }

  TraceStats stats;
  // By node.
  std::vector<Sample> samples;
  std::map<std::string, std::size_t> numbers;
  std::map<std::string, Sample> paths;
  std::map<std::string, Sample> loops;
};

void FillBefore(const Side& side, std::size_t node, NodeDiff* diff) {
  diff->before = side.samples[node];
  diff->queue_before_ns = side.stats.nodes[node].in_queues().mean();
  diff->dropped_before = side.stats.nodes[node].num_dropped();
}

void FillAfter(const Side& side, std::size_t node, NodeDiff* diff) {
  diff->after = side.samples[node];
  diff->queue_after_ns = side.stats.nodes[node].in_queues().mean();
  diff->dropped_after = side.stats.nodes[node].num_dropped();
}

std::vector<NodeDiff> NodeDiffsOf(const Side& before, const Side& after) {
  std::vector<NodeDiff> nodes;
  for (const auto& [name, number] : before.numbers) {
    NodeDiff& diff = nodes.emplace_back();
    diff.node = name;
    FillBefore(before, number, &diff);
    const auto found = after.numbers.find(name);
    if (found == after.numbers.end()) {
      diff.verdict = Verdict::kGone;
      continue;
    }
    FillAfter(after, found->second, &diff);
    diff.verdict = Compare(diff.before, diff.after);
  }
  for (const auto& [name, number] : after.numbers) {
    if (before.numbers.count(name) > 0) continue;
    NodeDiff& diff = nodes.emplace_back();
    diff.node = name;
    diff.verdict = Verdict::kNew;
    FillAfter(after, number, &diff);
  }
  std::stable_sort(nodes.begin(), nodes.end(),
                   [](const NodeDiff& a, const NodeDiff& b) {
                     return std::abs(a.cost_ns()) > std::abs(b.cost_ns());
                   });
  return nodes;
}

std::vector<PathDiff> PathDiffsOf(const std::map<std::string, Sample>& before,
                                  const std::map<std::string, Sample>& after) {
  std::vector<PathDiff> paths;
  for (const auto& [name, sample] : before) {
    PathDiff& diff = paths.emplace_back();
    diff.path = name;
    diff.before = sample;
    const auto found = after.find(name);
    if (found == after.end()) {
      diff.verdict = Verdict::kGone;
      continue;
    }
    diff.after = found->second;
    diff.verdict = Compare(diff.before, diff.after);
  }
  for (const auto& [name, sample] : after) {
    if (before.count(name) == 0) {
      paths.push_back({name, Verdict::kNew, Sample(), sample});
    }
  }
  const auto change = [](const PathDiff& diff) {
    return std::abs(diff.after.median - diff.before.median);
  };
  std::stable_sort(paths.begin(), paths.end(),
                   [&change](const PathDiff& a, const PathDiff& b) {
                     return change(a) > change(b);
                   });
  return paths;
}

}  // namespace

TraceDiff ComputeTraceDiff(const Trace& before, const Trace& after) {
  const Side first(before);
  const Side second(after);
  TraceDiff diff;
  diff.nodes = NodeDiffsOf(first, second);
  diff.paths = PathDiffsOf(first.paths, second.paths);
  diff.loops = PathDiffsOf(first.loops, second.loops);
  diff.duration_before_ns = first.stats.duration;
  diff.duration_after_ns = second.stats.duration;
  return diff;
}

absl::string_view VerdictText(Verdict verdict) {
  switch (verdict) {
    case Verdict::kSlower:
      return "slower";
    case Verdict::kFaster:
      return "faster";
    case Verdict::kSame:
      return "same";
    case Verdict::kNotClear:
      return "not clear";
    case Verdict::kNew:
      return "new";
    case Verdict::kGone:
      return "gone";
  }
  return "";
}

Sample SampleOf(std::vector<std::int64_t> durations) {
  Sample sample;
  std::sort(durations.begin(), durations.end());
  for (const std::int64_t duration : durations) {
    sample.total = SumInRange(sample.total, duration);
  }
  sample.count = static_cast<std::int64_t>(durations.size());
  sample.median = Median(durations);
  sample.p99 = Quantile(durations, 0.99);
  if (durations.empty()) return sample;
  constexpr std::int64_t kMicrosecond = 1000;
  if (std::all_of(durations.begin(), durations.end(),
                  [](std::int64_t ns) { return ns % kMicrosecond == 0; })) {
    sample.step = kMicrosecond;
  }
  // Of a normal distribution, 1.349 standard deviations lie between the
  // quartiles, and the median has 1.253 times the error of the mean.
  const auto between = static_cast<double>(Quantile(durations, 0.75) -
                                           Quantile(durations, 0.25));
  sample.error = 1.253 * between / 1.349 /
                 std::sqrt(static_cast<double>(durations.size()));
  return sample;
}

Verdict Compare(const Sample& before, const Sample& after) {
  const auto change =
      static_cast<double>(after.median) - static_cast<double>(before.median);
  const double size = std::abs(change);
  const bool is_large =
      size > kLeastChange * std::abs(static_cast<double>(before.median));
  const bool is_sure =
      std::min(before.count, after.count) >= kLeastCount &&
      size > kErrors * std::hypot(before.error, after.error) &&
      (before.step == after.step ||
       size > static_cast<double>(std::max(before.step, after.step)));
  if (is_large && is_sure) {
    return change > 0 ? Verdict::kSlower : Verdict::kFaster;
  }
  return is_large ? Verdict::kNotClear : Verdict::kSame;
}

}  // namespace syncline
