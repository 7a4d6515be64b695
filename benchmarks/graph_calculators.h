// The calculators of the benchmarks, and the state they share with the
// application during one run.
//
//   BenchmarkSource       sends state->packets packets on each of its outputs
//   BenchmarkPass         sends its first input on
//   BenchmarkWork         the same, after state->work_steps of work
//   BenchmarkSink         counts calls in which every input had a packet
//   BenchmarkPacedSource  sends a packet with the time of day every 25 us
//   BenchmarkTimedWork    notes how old a packet is, works, and sends it on
//
// All except BenchmarkPass get the state as side packet "state".
//
// Thread rule: see the members.
#ifndef SYNCLINE_BENCHMARKS_GRAPH_CALCULATORS_H_
#define SYNCLINE_BENCHMARKS_GRAPH_CALCULATORS_H_

#include <atomic>
#include <cstdint>
#include <vector>

namespace syncline {

struct BenchmarkState {
  // Constant during a run.
  std::int64_t packets = 0;
  std::int64_t work_steps = 0;
  std::int64_t work_ns = 0;

  // Sinks add their counts when they are closed, BenchmarkTimedWork each call.
  std::atomic<std::int64_t> delivered{0};

  // Used only by the one BenchmarkTimedWork until the run is over.
  std::vector<double> age_ns;
};

// The monotonic clock, in nanoseconds.
std::int64_t MonotonicNs();
// Keeps the core busy for so long by that clock.
void BeBusyFor(std::int64_t ns);

}  // namespace syncline

#endif  // SYNCLINE_BENCHMARKS_GRAPH_CALCULATORS_H_
