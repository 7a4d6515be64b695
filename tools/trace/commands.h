// What `trace` does with a trace: the text of each command's report, and traces
// in other forms.
//
// Thread rule: free functions.
// Tested by trace_tool_test.

#ifndef SYNCLINE_TOOLS_TRACE_COMMANDS_H_
#define SYNCLINE_TOOLS_TRACE_COMMANDS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/trace/latency/latency.h"
#include "framework/trace/trace.h"
#include "tools/trace/table.h"

namespace syncline {

struct TraceCommandOptions {
  LatencyOptions latency;
  // Where the messages of `latency` go, or empty.
  std::string log;
  // Of `jobs`.
  std::int64_t count = 100;
  // Of `convert`: the form, and where it goes.
  std::string to;
  std::string output;
};

// The traces that the command line names.
struct NamedTrace {
  std::string path;
  Trace trace;
};

absl::StatusOr<Report> StatsOf(const std::vector<NamedTrace>& traces,
                               const TraceCommandOptions& options);
absl::StatusOr<Report> LatencyOf(const std::vector<NamedTrace>& traces,
                                 const TraceCommandOptions& options);
absl::StatusOr<Report> JobsOf(const std::vector<NamedTrace>& traces,
                              const TraceCommandOptions& options);
absl::StatusOr<Report> CriticalPathOf(const std::vector<NamedTrace>& traces,
                                      const TraceCommandOptions& options);
absl::StatusOr<Report> DiffOf(const std::vector<NamedTrace>& traces,
                              const TraceCommandOptions& options);

// Writes the trace in the form options.to to options.output, which must not be
// the file of the trace.
absl::Status ConvertTrace(const NamedTrace& trace,
                          const TraceCommandOptions& options);

// The forms of ConvertTrace.
std::vector<std::string> TraceForms();

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_TRACE_COMMANDS_H_
