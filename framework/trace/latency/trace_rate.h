// TraceRate: how long a tick of a trace is, how long its run was, and sums of
// durations.
//
// Reports count durations in ticks and turn them into nanoseconds at the end,
// all with the same rate, so that parts and wholes fit together.
//
// Thread rule: a value; const functions any thread.
// Tested by node_stats_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_LATENCY_TRACE_RATE_H_
#define SYNCLINE_FRAMEWORK_TRACE_LATENCY_TRACE_RATE_H_

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "framework/trace/sum_in_range.h"
#include "framework/trace/trace.h"

namespace syncline {

class TraceRate {
 public:
  // Of the whole trace: from its first clock point to its last one.
  explicit TraceRate(const Trace& trace) {
    if (trace.clock_points.empty()) return;
    const TraceClockPoint& first = trace.clock_points.front();
    const TraceClockPoint& last = trace.clock_points.back();
    if (last.tick <= first.tick) return;
    ns_per_tick_ = static_cast<double>(last.steady_ns - first.steady_ns) /
                   static_cast<double>(last.tick - first.tick);
  }

  double ns_per_tick() const { return ns_per_tick_; }
  // Of a duration. Stays in range.
  std::int64_t Ns(std::int64_t ticks) const {
    // The difference of two such numbers is in range, too.
    constexpr double kLimit = 4.6e18;
    return std::llround(
        std::clamp(static_cast<double>(ticks) * ns_per_tick_, -kLimit, kLimit));
  }

 private:
  double ns_per_tick_ = 1;
};

// Ticks from one moment to another. REQUIRES: both are below kMaxTraceTick.
inline std::int64_t TicksBetween(std::uint64_t from, std::uint64_t to) {
  return static_cast<std::int64_t>(to) - static_cast<std::int64_t>(from);
}

// What reports call the run, in ticks: from the first event of the trace to the
// last one. 0 without events.
inline std::int64_t TicksOfRun(const Trace& trace) {
  std::uint64_t begin = kMaxTraceTick;
  std::uint64_t end = 0;
  for (const TraceThread& thread : trace.threads) {
    if (thread.events.empty()) continue;
    begin = std::min(begin, thread.events.front().tick);
    end = std::max(end, thread.events.back().tick);
  }
  return std::max<std::int64_t>(0, TicksBetween(begin, end));
}

// Durations of the same kind.
struct Durations {
  std::int64_t count = 0;
  std::int64_t total = 0;
  std::int64_t max = 0;

  // Clocks that went back count as no time.
  void Add(std::int64_t duration) {
    duration = std::max<std::int64_t>(0, duration);
    ++count;
    total = SumInRange(total, duration);
    max = std::max(max, duration);
  }
  std::int64_t mean() const { return count == 0 ? 0 : total / count; }
  // From ticks to nanoseconds.
  Durations In(const TraceRate& rate) const {
    return {count, rate.Ns(total), rate.Ns(max)};
  }
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_LATENCY_TRACE_RATE_H_
