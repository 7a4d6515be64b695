// How two runs of a graph differ: which nodes became slower, and what else did.
// Nodes, paths and loops are matched by their names.
//
// Thread rule: pure functions and values.
// Tested by trace_diff_test.

#ifndef SYNCLINE_TOOLS_TRACE_TRACE_DIFF_H_
#define SYNCLINE_TOOLS_TRACE_TRACE_DIFF_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "framework/trace/trace.h"

namespace syncline {

enum class Verdict { kSlower, kFaster, kSame, kNotClear, kNew, kGone };

// "slower", "faster", "same", "not clear", "new", "gone".
absl::string_view VerdictText(Verdict verdict);

// Durations of one kind in one run, in nanoseconds.
struct Sample {
  std::int64_t count = 0;
  std::int64_t total = 0;
  std::int64_t median = 0;
  std::int64_t p99 = 0;
  // How far the median of another run of the same length may be from this one:
  // its standard error, from the quartiles and the count.
  double error = 0;
  // 1,000 where all durations are whole microseconds, as in MediaPipe's form:
  // times between two steps are not known. Else 1.
  std::int64_t step = 1;
};
// Of durations in any order.
Sample SampleOf(std::vector<std::int64_t> durations);

// kSame: the medians differ by at most 2 % of the first. kNotClear: by more,
// but not by more than three errors of their difference, or not by more than a
// step where the two have different ones, or there are fewer than five
// durations.
Verdict Compare(const Sample& before, const Sample& after);

struct NodeDiff {
  std::string node;
  Verdict verdict = Verdict::kSame;
  // Calls of Process.
  Sample before;
  Sample after;
  // Mean time of packets in the queues of the node.
  std::int64_t queue_before_ns = 0;
  std::int64_t queue_after_ns = 0;
  std::int64_t dropped_before = 0;
  std::int64_t dropped_after = 0;

  // What it costs in all: the difference of the totals.
  std::int64_t cost_ns() const { return after.total - before.total; }
};

struct PathDiff {
  std::string path;
  Verdict verdict = Verdict::kSame;
  Sample before;
  Sample after;
};

struct TraceDiff {
  // Those that cost or save the most first.
  std::vector<NodeDiff> nodes;
  // Those whose medians differ the most first.
  std::vector<PathDiff> paths;
  // The same round loops.
  std::vector<PathDiff> loops;
  std::int64_t duration_before_ns = 0;
  std::int64_t duration_after_ns = 0;
};

// REQUIRES: CheckTrace() is OK for both.
TraceDiff ComputeTraceDiff(const Trace& before, const Trace& after);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_TRACE_TRACE_DIFF_H_
