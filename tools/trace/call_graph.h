// CallGraph: which calls of a trace had to wait for which, and how long each of
// them took.
//
// A call depends on the calls that sent the packets it took, and on the call of
// its node before. Where calls of a node overlapped, at most m of them, a call
// depends on the one m calls before.
//
// Thread rule: a value; const functions any thread.
// Tested by critical_test.

#ifndef SYNCLINE_TOOLS_TRACE_CALL_GRAPH_H_
#define SYNCLINE_TOOLS_TRACE_CALL_GRAPH_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "framework/trace/trace.h"
#include "framework/trace/trace_calls.h"

namespace syncline {

class CallGraph {
 public:
  // Calls whose begin or end is not known are left out. REQUIRES: CheckTrace()
  // is OK; `calls` are those of `trace`.
  CallGraph(const Trace& trace, const TraceCalls& calls);

  // In the order of their begins.
  std::size_t size() const { return nodes_.size(); }
  std::int32_t node(std::size_t call) const { return nodes_[call]; }
  // Ticks, without those of calls that ran within it.
  std::int64_t duration(std::size_t call) const { return durations_[call]; }
  // The calls that it depends on; all of them are before it.
  absl::Span<const std::int32_t> Before(std::size_t call) const {
    return absl::MakeConstSpan(before_).subspan(
        first_before_[call], first_before_[call + 1] - first_before_[call]);
  }
  // By node: the most calls that ran at the same time.
  const std::vector<int>& most_at_once() const { return most_at_once_; }

 private:
  std::vector<std::int32_t> nodes_;
  std::vector<std::int64_t> durations_;
  std::vector<std::int32_t> before_;
  // One more than there are calls.
  std::vector<std::size_t> first_before_;
  std::vector<int> most_at_once_;
};

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_TRACE_CALL_GRAPH_H_
