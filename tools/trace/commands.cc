#include "tools/trace/commands.h"

#include <utility>

#include "framework/base/status_macros.h"
#include "framework/base/status_text.h"
#include "framework/trace/convert/graph_profile_form.h"
#include "framework/trace/convert/graph_profile_options.h"
#include "framework/trace/convert/perfetto_form.h"
#include "framework/trace/trace_calls.h"
#include "tools/output_file.h"
#include "tools/replace_file.h"
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

absl::Status WriteForm(const Trace& trace, absl::string_view form,
                       WritePiece write) {
  if (form == "perfetto") return WritePerfetto(trace, write);
  if (form == "graph_profile") {
    return WriteGraphProfile(trace, GraphProfileOptions(), write);
  }
  return WriteEventLines(trace, write);
}

}  // namespace

absl::StatusOr<Report> StatsOf(const std::vector<NamedTrace>& traces,
                               const TraceCommandOptions& options) {
  Report report = StatsReport(ComputeTraceStats(traces[0].trace));
  AddMissing(traces[0], &report);
  return report;
}

absl::StatusOr<Report> LatencyOf(const std::vector<NamedTrace>& traces,
                                 const TraceCommandOptions& options) {
  const Trace& trace = traces[0].trace;
  const Latencies latencies =
      ComputeLatencies(trace, TraceCalls(trace), options.latency);
  if (!options.log.empty()) {
    SYNCLINE_RETURN_IF_ERROR(PrefixStatus(
        "--log: ",
        ReplaceFile(kProgram, options.log, LatencyLog(trace, latencies))));
  }
  Report report = LatencyReport(trace, latencies, options.latency);
  AddMissing(traces[0], &report);
  return report;
}

absl::StatusOr<Report> JobsOf(const std::vector<NamedTrace>& traces,
                              const TraceCommandOptions& options) {
  Report report = JobsReport(ComputeJobStats(traces[0].trace, options.count));
  AddMissing(traces[0], &report);
  return report;
}

absl::StatusOr<Report> CriticalPathOf(const std::vector<NamedTrace>& traces,
                                      const TraceCommandOptions& options) {
  const Trace& trace = traces[0].trace;
  Report report =
      CriticalPathReport(trace, ComputeCritical(trace, TraceCalls(trace)));
  AddMissing(traces[0], &report);
  return report;
}

absl::StatusOr<Report> DiffOf(const std::vector<NamedTrace>& traces,
                              const TraceCommandOptions& options) {
  return DiffReport(ComputeTraceDiff(traces[0].trace, traces[1].trace));
}

absl::Status ConvertTrace(const NamedTrace& trace,
                          const TraceCommandOptions& options) {
  return PrefixStatus(
      "--output: ",
      ReplaceFile(kProgram, options.output, [&](WritePiece write) {
        return WriteForm(trace.trace, options.to, write);
      }));
}

std::vector<std::string> TraceForms() {
  return {"perfetto", "graph_profile", "text"};
}

}  // namespace syncline
