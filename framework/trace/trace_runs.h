// TraceRuns: which run of its graph something in a trace belongs to.
//
// A graph may run several times while it is traced, each time with the same
// timestamps. Then a packet is known by its stream, its timestamp and its run.
//
// Each node is opened once in a run. So where a node is opened again, another
// run has begun, after the end of all calls before. Runs of which the trace has
// no Open, or that lie at one and the same time of a simulated clock, are not
// told apart.
//
// Thread rule: a value; const functions any thread.
// Tested by trace_runs_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_TRACE_RUNS_H_
#define SYNCLINE_FRAMEWORK_TRACE_TRACE_RUNS_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "framework/trace/trace_calls.h"

namespace syncline {

class TraceRuns {
 public:
  explicit TraceRuns(const TraceCalls& calls);

  // The run to which this tick belongs, from 0.
  std::int32_t At(std::uint64_t tick) const {
    if (ends_.empty()) return 0;
    const auto later = std::lower_bound(ends_.begin(), ends_.end(), tick);
    return static_cast<std::int32_t>(later - ends_.begin());
  }

 private:
  // The last tick of each run but the last one.
  std::vector<std::uint64_t> ends_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_TRACE_RUNS_H_
