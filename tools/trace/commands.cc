#include "tools/trace/commands.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "framework/base/status_macros.h"
#include "framework/trace/trace_calls.h"
#include "tools/exit_status.h"
#include "tools/output_file.h"
#include "tools/trace/critical.h"
#include "tools/trace/event_lines.h"
#include "tools/trace/job_stats.h"
#include "tools/trace/node_stats.h"
#include "tools/trace/reports.h"
#include "tools/trace/trace_diff.h"

namespace syncline {
namespace {

constexpr char kProgram[] = "trace";

void AddMissing(const NamedTrace& trace, Report* report) {
  report->values.emplace_back("cut_off",
                              std::int64_t{trace.trace.is_cut_off ? 1 : 0});
  report->values.emplace_back("lost_events", trace.trace.num_lost());
}

// Opens and empties it.
absl::Status BeginOutput(absl::string_view flag, const std::string& path,
                         OutputFile* file) {
  SYNCLINE_RETURN_IF_ERROR(file->Open(path))
      << "--" << flag << ": cannot write \"" << ShownName(path) << "\"";
  return file->Begin();
}

}  // namespace

absl::StatusOr<Report> StatsOf(const std::vector<NamedTrace>& traces,
                               const TraceOptions& options) {
  Report report = StatsReport(ComputeTraceStats(traces[0].trace));
  AddMissing(traces[0], &report);
  return report;
}

absl::StatusOr<Report> LatencyOf(const std::vector<NamedTrace>& traces,
                                 const TraceOptions& options) {
  const Trace& trace = traces[0].trace;
  const Latencies latencies =
      ComputeLatencies(trace, TraceCalls(trace), options.latency);
  if (!options.log.empty()) {
    OutputFile file(kProgram);
    SYNCLINE_RETURN_IF_ERROR(BeginOutput("log", options.log, &file));
    SYNCLINE_RETURN_IF_ERROR(file.Write(LatencyLog(trace, latencies)));
    SYNCLINE_RETURN_IF_ERROR(file.Close());
  }
  Report report = LatencyReport(trace, latencies, options.latency);
  AddMissing(traces[0], &report);
  return report;
}

absl::StatusOr<Report> JobsOf(const std::vector<NamedTrace>& traces,
                              const TraceOptions& options) {
  Report report = JobsReport(ComputeJobStats(traces[0].trace, options.count));
  AddMissing(traces[0], &report);
  return report;
}

absl::StatusOr<Report> CriticalPathOf(const std::vector<NamedTrace>& traces,
                                      const TraceOptions& options) {
  const Trace& trace = traces[0].trace;
  Report report =
      CriticalPathReport(trace, ComputeCritical(trace, TraceCalls(trace)));
  AddMissing(traces[0], &report);
  return report;
}

absl::StatusOr<Report> DiffOf(const std::vector<NamedTrace>& traces,
                              const TraceOptions& options) {
  return DiffReport(ComputeTraceDiff(traces[0].trace, traces[1].trace));
}

absl::Status ConvertTrace(const NamedTrace& trace,
                          const TraceOptions& options) {
  OutputFile file(kProgram);
  SYNCLINE_RETURN_IF_ERROR(BeginOutput("output", options.output, &file));
  const auto write = [&file](absl::string_view piece) {
    return file.Write(piece);
  };
  SYNCLINE_RETURN_IF_ERROR(WriteEventLines(trace.trace, write));
  return file.Close();
}

std::vector<std::string> TraceForms() { return {"text"}; }

}  // namespace syncline
