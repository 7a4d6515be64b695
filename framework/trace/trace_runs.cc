#include "framework/trace/trace_runs.h"

#include <cstddef>

#include "framework/trace/trace_event.h"

namespace syncline {

TraceRuns::TraceRuns(const TraceCalls& calls) {
  // By node: whether a call of it was found in this run.
  std::vector<bool> has_called;
  std::uint64_t end = 0;  // of the calls so far
  for (const TracedCall& call : calls.calls()) {
    const auto node = static_cast<std::size_t>(call.node);
    if (node >= has_called.size()) has_called.resize(node + 1);
    if (call.kind == TraceKind::kOpenBegin && has_called[node]) {
      if (ends_.empty() || end > ends_.back()) ends_.push_back(end);
      has_called.assign(has_called.size(), false);
    }
    has_called[node] = true;
    if (call.end_is_known) end = std::max(end, call.end);
  }
}

}  // namespace syncline
