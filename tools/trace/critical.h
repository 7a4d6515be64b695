// What decides how fast a run is: the busiest node, the longest chain of calls
// of which each had to wait for the one before, and how much more threads could
// do.
//
// Thread rule: pure functions and values.
// Tested by critical_test.

#ifndef SYNCLINE_TOOLS_TRACE_CRITICAL_H_
#define SYNCLINE_TOOLS_TRACE_CRITICAL_H_

#include <cstdint>
#include <vector>

#include "framework/trace/trace.h"
#include "framework/trace/trace_calls.h"
#include "tools/trace/call_graph.h"

namespace syncline {

// A node's part in the time of the run. Times are in nanoseconds.
struct CriticalNode {
  std::int32_t node = 0;
  std::int64_t calls = 0;
  // In all its calls.
  std::int64_t busy_ns = 0;
  // The most calls that ran at the same time.
  int most_at_once = 0;
  // The least time in which its calls can be done, one after another, or as
  // many at a time as ran at the same time.
  std::int64_t least_ns = 0;
  // Of the longest chain.
  std::int64_t calls_on_chain = 0;
  std::int64_t on_chain_ns = 0;
};

struct CriticalReport {
  // Those first without which the run could end the soonest: by least_ns.
  std::vector<CriticalNode> nodes;
  // Of the run, as all reports have it: see TicksOfRun.
  std::int64_t duration_ns = 0;
  // The longest chain of calls: no number of threads does the run in less time.
  std::int64_t chain_ns = 0;
  std::int64_t calls_on_chain = 0;
  // All calls.
  std::int64_t work_ns = 0;
  // Threads that ran calls.
  int threads = 0;
  // Estimates of how long the calls take with so many threads, and with one
  // thread more: see EstimateTicks.
  std::int64_t estimate_ns = 0;
  std::int64_t estimate_of_one_more_ns = 0;
};

// `calls` are those of `trace`. REQUIRES: CheckTrace() is OK.
CriticalReport ComputeCritical(const Trace& trace, const TraceCalls& calls);

// How many ticks the calls take with `threads` threads, if each call lasts as
// long as it did and begins as soon as a thread is free and the calls that it
// depends on have ended, the earlier one first. An estimate: inputs are there
// from the beginning, queues have no limits, all executors share the threads,
// and handing over costs nothing.
std::int64_t EstimateTicks(const CallGraph& graph, int threads);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_TRACE_CRITICAL_H_
