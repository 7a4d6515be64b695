#include "tools/trace/commands.h"

#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "framework/base/status_macros.h"
#include "framework/config/calculator_profile.pb.h"
#include "framework/trace/convert/graph_profile_form.h"
#include "framework/trace/convert/graph_profile_options.h"
#include "framework/trace/convert/perfetto_form.h"
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

using PieceWriter = absl::FunctionRef<absl::Status(absl::string_view piece)>;

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

// The profile as a whole, with all that it can have.
absl::Status WriteGraphProfile(const Trace& trace, PieceWriter write) {
  SYNCLINE_ASSIGN_OR_RETURN(const GraphProfile profile,
                            ToGraphProfile(trace, GraphProfileOptions()));
  std::string bytes;
  if (!profile.SerializeToString(&bytes)) {
    return absl::ResourceExhaustedError(
        "the trace is too large for a GraphProfile, which has at most 2 GB: "
        "record a shorter run");
  }
  return write(bytes);
}

absl::Status WriteForm(const Trace& trace, absl::string_view form,
                       PieceWriter write) {
  if (form == "perfetto") return WritePerfetto(trace, write);
  if (form == "graph_profile") return WriteGraphProfile(trace, write);
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
  OutputFile file(kProgram);
  SYNCLINE_RETURN_IF_ERROR(BeginOutput("output", options.output, &file));
  SYNCLINE_RETURN_IF_ERROR(WriteForm(
      trace.trace, options.to,
      [&file](absl::string_view piece) { return file.Write(piece); }));
  return file.Close();
}

std::vector<std::string> TraceForms() {
  return {"perfetto", "graph_profile", "text"};
}

}  // namespace syncline
