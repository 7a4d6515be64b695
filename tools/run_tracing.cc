#include "tools/run_tracing.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <iostream>
#include <map>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "framework/base/status_macros.h"
#include "framework/config/calculator_profile.pb.h"
#include "framework/trace/convert/graph_profile_form.h"
#include "framework/trace/convert/perfetto_form.h"
#include "framework/trace/trace_calls.h"
#include "framework/trace/trace_file.h"
#include "framework/trace/trace_options.h"
#include "tools/output_file.h"
#include "tools/trace/latency.h"
#include "tools/trace/node_stats.h"

namespace syncline {
namespace {

constexpr int kMostOutputs = 8;
constexpr int kBusiestNodes = 3;

absl::Status WriteForm(const Trace& trace, TraceRequest::Form form,
                       OutputFile* file) {
  if (form == TraceRequest::Form::kPerfetto) {
    return WritePerfetto(
        trace, [&](absl::string_view piece) { return file->Write(piece); });
  }
  SYNCLINE_ASSIGN_OR_RETURN(const GraphProfile profile,
                            ToGraphProfile(trace, GraphProfileOptions()));
  return file->Write(profile.SerializeAsString());
}

std::string DurationText(std::int64_t ns) {
  return absl::FormatDuration(absl::Nanoseconds(ns));
}

// By the sink: the latencies of all its paths together.
std::vector<std::string> LatencyLines(const Trace& trace) {
  const TraceCalls calls(trace);
  const Latencies latencies =
      ComputeLatencies(trace, calls, {.is_limited = true});
  std::map<std::string, std::vector<std::int64_t>> by_sink;
  for (const LatencyPath& path : latencies.paths) {
    const std::string sink =
        path.sink_stream >= 0
            ? absl::StrCat("of \"",
                           trace.header.stream(path.sink_stream).name())
            : absl::StrCat("up to \"",
                           trace.header.node(path.nodes.back().node).name());
    std::vector<std::int64_t>& ns = by_sink[sink];
    for (const LatencyMessage& message : path.messages) {
      ns.push_back(trace.Ns(message.end) - trace.Ns(message.begin));
    }
  }
  std::vector<std::string> lines;
  for (auto& [sink, ns] : by_sink) {
    if (ns.empty() || lines.size() == kMostOutputs) continue;
    std::sort(ns.begin(), ns.end());
    lines.push_back(absl::StrCat(
        "latency ", sink, "\": p50 ", DurationText(ns[(ns.size() - 1) / 2]),
        ", p99 ", DurationText(ns[(ns.size() - 1) * 99 / 100]), ", ", ns.size(),
        ns.size() == 1 ? " packet" : " packets"));
  }
  return lines;
}

std::string BusiestLine(const Trace& trace) {
  const TraceStats stats = ComputeTraceStats(trace);
  std::vector<std::string> parts;
  for (const int id : stats.ByTime()) {
    const NodeStats& node = stats.nodes[id];
    const std::int64_t in_calls = node.process.total;
    if (in_calls <= 0 || parts.size() == kBusiestNodes) break;
    parts.push_back(absl::StrFormat(
        "\"%s\" %s (%.0f %%)", node.name, DurationText(in_calls),
        stats.duration == 0 ? 0.0
                            : 100.0 * static_cast<double>(in_calls) /
                                  static_cast<double>(stats.duration)));
  }
  if (parts.empty()) return "";
  return absl::StrCat("busiest nodes: ", absl::StrJoin(parts, ", "));
}

}  // namespace

std::vector<std::string> TraceSummary(const Trace& trace) {
  std::vector<std::string> lines = LatencyLines(trace);
  const std::string busiest = BusiestLine(trace);
  if (!busiest.empty()) lines.push_back(busiest);
  if (!lines.empty() && trace.num_lost() > 0) {
    lines.push_back(
        absl::StrCat("these times are of the last events of each thread; ",
                     trace.num_lost(), " older ones are not kept"));
  }
  return lines;
}

absl::Status RunTracing::AddUses(FileUses* uses) const {
  if (!request_.trace.empty()) {
    SYNCLINE_RETURN_IF_ERROR(uses->AddWritten("--trace", request_.trace));
  }
  if (request_.flight_recorder.empty()) return absl::OkStatus();
  return uses->AddWritten("--flight_recorder", request_.flight_recorder);
}

absl::Status RunTracing::MakeEventFile() {
  event_file_ = request_.trace;
  if (request_.form == TraceRequest::Form::kTrace) return absl::OkStatus();
  event_file_ += ".XXXXXX";
  const int file = mkstemp(event_file_.data());
  if (file < 0) {
    return absl::ErrnoToStatus(
        errno, absl::StrCat("--trace: no file can be made beside \"",
                            request_.trace, "\""));
  }
  close(file);
  return absl::OkStatus();
}

absl::Status RunTracing::Start(CalculatorGraph* graph) {
  if (!request_.trace.empty()) {
    SYNCLINE_RETURN_IF_ERROR(MakeEventFile());
    SYNCLINE_RETURN_IF_ERROR(graph->StartTrace(event_file_));
  }
  if (request_.flight_recorder.empty()) return absl::OkStatus();
  const absl::Status enabled = graph->EnableFlightRecorder(
      {.path = request_.flight_recorder, .writes_after_errors = false});
  records_flight_ = enabled.ok();
  if (!enabled.ok()) {
    std::cerr << "run_graph: warning: --flight_recorder: " << enabled.message()
              << "\n";
  }
  return absl::OkStatus();
}

std::string RunTracing::WriteFlightRecorder(CalculatorGraph* graph) const {
  if (!records_flight_) return "";
  const absl::Status written =
      graph->WriteFlightRecorder(request_.flight_recorder);
  if (!written.ok()) return std::string(written.message());
  return absl::StrCat("the last events are in \"", request_.flight_recorder,
                      "\"");
}

absl::Status RunTracing::Convert() const {
  SYNCLINE_ASSIGN_OR_RETURN(const Trace trace, ReadTraceFile(event_file_));
  OutputFile file("run_graph");
  SYNCLINE_RETURN_IF_ERROR(file.Open(request_.trace));
  SYNCLINE_RETURN_IF_ERROR(file.Begin());
  SYNCLINE_RETURN_IF_ERROR(WriteForm(trace, request_.form, &file));
  SYNCLINE_RETURN_IF_ERROR(file.Close());
  unlink(event_file_.c_str());
  return absl::OkStatus();
}

absl::Status RunTracing::Finish(CalculatorGraph* graph,
                                const absl::Status& status) {
  summary_ = TraceSummary(graph->TakeTrace());
  if (!status.ok()) {
    const std::string written = WriteFlightRecorder(graph);
    if (!written.empty()) std::cerr << "run_graph: " << written << "\n";
  }
  if (request_.trace.empty()) return absl::OkStatus();
  std::int64_t num_lost = 0;
  const absl::Status stopped = graph->StopTrace(&num_lost);
  const std::string lost =
      num_lost == 0 ? ""
                    : absl::StrCat("the trace has not ", num_lost,
                                   " events, which it could not take in time");
  // What could be written gets its form, too.
  const absl::Status converted = request_.form == TraceRequest::Form::kTrace
                                     ? absl::OkStatus()
                                     : Convert();
  if (stopped.ok()) {
    if (!lost.empty()) summary_.push_back(lost);
    return converted;
  }
  return absl::Status(
      stopped.code(),
      absl::StrCat(stopped.message(), lost.empty() ? "" : "; ", lost));
}

}  // namespace syncline
