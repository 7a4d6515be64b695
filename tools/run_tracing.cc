#include "tools/run_tracing.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <map>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "framework/base/status_macros.h"
#include "framework/config/trace_file.pb.h"
#include "framework/trace/convert/graph_profile_form.h"
#include "framework/trace/convert/graph_profile_options.h"
#include "framework/trace/convert/perfetto_form.h"
#include "framework/trace/file_beside.h"
#include "framework/trace/latency/latency.h"
#include "framework/trace/latency/quantiles.h"
#include "framework/trace/latency/trace_rate.h"
#include "framework/trace/trace_calls.h"
#include "framework/trace/trace_file.h"
#include "framework/trace/trace_options.h"
#include "tools/exit_status.h"
#include "tools/output_file.h"
#include "tools/progress_line.h"
#include "tools/replace_file.h"
#include "tools/trace/node_stats.h"

namespace syncline {
namespace {

constexpr int kMostOutputs = 8;
constexpr int kBusiestNodes = 3;

// A file with more events is not read once more for the summary: that would
// take longer than a second, and some hundred megabytes.
constexpr std::uintmax_t kMostBytesForSummary = std::uintmax_t{96} << 20;

absl::Status WriteForm(const Trace& trace, TraceRequest::Form form,
                       WritePiece write) {
  if (form == TraceRequest::Form::kPerfetto) return WritePerfetto(trace, write);
  return WriteGraphProfile(trace, GraphProfileOptions(), write);
}

std::string DurationText(std::int64_t ns) {
  return absl::FormatDuration(absl::Nanoseconds(ns));
}

bool HasOutputs(const TraceFileHeader& header) {
  return std::any_of(header.stream().begin(), header.stream().end(), IsOutput);
}

// By the sink: the latencies of all its paths together, as the program trace
// counts them.
std::vector<std::string> LatencyLines(const Trace& trace) {
  const TraceCalls calls(trace);
  const TraceRate rate(trace);
  const Latencies latencies =
      ComputeLatencies(trace, calls, {.is_limited = true});
  std::map<std::string, std::vector<std::int64_t>> by_sink;
  const bool has_outputs = HasOutputs(trace.header);
  for (const LatencyPath& path : latencies.paths) {
    // Where the graph says what its outputs are, a stream that nobody reads is
    // none.
    if (has_outputs && path.sink_stream >= 0 &&
        !IsOutput(trace.header.stream(path.sink_stream))) {
      continue;
    }
    const std::string sink =
        path.sink_stream >= 0
            ? absl::StrCat(
                  "of \"",
                  ShownName(trace.header.stream(path.sink_stream).name()))
            : absl::StrCat(
                  "up to \"",
                  ShownName(trace.header.node(path.nodes.back().node).name()));
    std::vector<std::int64_t>& ns = by_sink[sink];
    for (const LatencyMessage& message : path.messages) {
      ns.push_back(rate.Ns(message.ticks()));
    }
  }
  std::vector<std::string> lines;
  int num_more = 0;
  for (auto& [sink, ns] : by_sink) {
    if (ns.empty()) continue;
    if (lines.size() == kMostOutputs) {
      ++num_more;
      continue;
    }
    std::sort(ns.begin(), ns.end());
    lines.push_back(
        absl::StrCat("latency ", sink, "\": p50 ", DurationText(Median(ns)),
                     ", p99 ", DurationText(Quantile(ns, 0.99)), ", ",
                     ns.size(), ns.size() == 1 ? " packet" : " packets"));
  }
  if (num_more > 0) {
    lines.push_back(
        absl::StrCat("latency of ", num_more,
                     num_more == 1 ? " more output" : " more outputs",
                     ": the program trace has them, from a file of --trace"));
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
        "\"%s\" %s (%.0f %%)", ShownName(node.name), DurationText(in_calls),
        stats.duration == 0 ? 0.0
                            : 100.0 * static_cast<double>(in_calls) /
                                  static_cast<double>(stats.duration)));
  }
  if (parts.empty()) return "";
  return absl::StrCat("busiest nodes: ", absl::StrJoin(parts, ", "));
}

std::vector<std::string> SummaryOf(const Trace& trace) {
  std::vector<std::string> lines = LatencyLines(trace);
  const std::string busiest = BusiestLine(trace);
  if (!busiest.empty()) lines.push_back(busiest);
  return lines;
}

// Which part of a run the last events of each thread are of. Empty if they are
// all that were noted.
std::string PartLine(const Trace& trace) {
  if (trace.num_lost() == 0) return "";
  const TraceClockPoint& begin = trace.clock_points.front();
  std::uint64_t from = begin.tick;
  std::uint64_t until = begin.tick;
  for (const TraceThread& thread : trace.threads) {
    if (thread.events.empty()) continue;
    until = std::max(until, thread.events.back().tick);
    if (thread.num_lost > 0) {
      from = std::max(from, thread.events.front().tick);
    }
  }
  return absl::StrCat("these times are of the last ",
                      DurationText(trace.Ns(until) - trace.Ns(from)), " of ",
                      DurationText(trace.Ns(until) - begin.steady_ns), ", as ",
                      trace.num_lost(), " older events are not in memory");
}

// What is said of the files of profiler_config.
absl::Status OfProfiler(const absl::Status& status) {
  if (status.ok()) return status;
  return absl::Status(
      status.code(),
      absl::StrCat("the files that profiler_config asks for are not whole: ",
                   status.message()));
}

// With what either of them says.
absl::Status Both(const absl::Status& first, const absl::Status& second) {
  if (first.ok()) return second;
  if (second.ok()) return first;
  return absl::Status(first.code(),
                      absl::StrCat(first.message(), "; ", second.message()));
}

}  // namespace

absl::Status RunTracing::AddUses(FileUses* uses) const {
  if (!request_.trace.empty()) {
    SYNCLINE_RETURN_IF_ERROR(uses->AddWritten("--trace", request_.trace));
  }
  if (request_.flight_recorder.empty()) return absl::OkStatus();
  return uses->AddWritten("--flight_recorder", request_.flight_recorder);
}

RunTracing::~RunTracing() { RemoveEventFile(); }

void RunTracing::RemoveEventFile() {
  if (std::exchange(holds_event_file_, false)) unlink(event_file_.c_str());
}

absl::Status RunTracing::MakeEventFile() {
  event_file_ = request_.trace;
  if (request_.form == TraceRequest::Form::kTrace) return absl::OkStatus();
  absl::StatusOr<std::string> beside = MakeFileBeside(request_.trace);
  if (!beside.ok()) {
    return absl::Status(beside.status().code(),
                        absl::StrCat("--trace: ", beside.status().message()));
  }
  event_file_ = *std::move(beside);
  holds_event_file_ = true;
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

void RunTracing::Summarize(bool file_is_whole, const CalculatorGraph& graph) {
  std::error_code error;
  if (file_is_whole && !gives_up_.load() &&
      std::filesystem::file_size(event_file_, error) <= kMostBytesForSummary &&
      !error) {
    const absl::StatusOr<Trace> written = ReadTraceFile(event_file_);
    if (written.ok()) {
      summary_ = SummaryOf(*written);
      return;
    }
  }
  const Trace last = graph.TakeTrace();
  summary_ = SummaryOf(last);
  std::string part = PartLine(last);
  if (summary_.empty() || part.empty()) return;
  absl::StrAppend(&part, request_.trace.empty()
                             ? ": --trace=FILE keeps them"
                             : ": the program trace tells of the whole run");
  summary_.push_back(std::move(part));
}

absl::Status RunTracing::Convert() {
  std::atomic<std::int64_t> written{0};
  const ProgressLine progress([&written] {
    constexpr std::int64_t kMegabyte = 1'000'000;
    const std::int64_t megabytes = written.load() / kMegabyte;
    // Up to half of the time goes by before the first piece.
    return megabytes == 0
               ? std::string("reading the trace of the run")
               : absl::StrCat("writing the trace, ", megabytes, " MB");
  });
  absl::StatusOr<Trace> trace = ReadTraceFile(event_file_);
  absl::Status status = trace.status();
  if (status.ok()) {
    const auto content = [&](WritePiece write) {
      return WriteForm(*trace, request_.form,
                       [&](absl::string_view piece) -> absl::Status {
                         if (gives_up_.load()) return absl::CancelledError();
                         written += static_cast<std::int64_t>(piece.size());
                         return write(piece);
                       });
    };
    status = ReplaceFile("run_graph", request_.trace, content,
                         [this] { return gives_up_.load(); });
  }
  if (gives_up_.load() && !status.ok()) {
    return absl::CancelledError(absl::StrCat(
        "\"", ShownName(request_.trace),
        "\" is not written, as the program was "
        "interrupted: --trace=FILE.trace needs no time after a run, and the "
        "program trace converts it"));
  }
  if (status.ok()) return status;
  holds_event_file_ = false;
  return absl::Status(
      status.code(),
      absl::StrCat(status.message(), "; the events are in \"",
                   ShownName(event_file_),
                   "\", which the program trace reads and converts"));
}

absl::Status RunTracing::Finish(CalculatorGraph* graph,
                                const absl::Status& status) {
  if (!status.ok()) {
    const std::string written = WriteFlightRecorder(graph);
    if (!written.empty()) std::cerr << "run_graph: " << written << "\n";
  }
  const absl::Status ended =
      Both(EndTrace(graph), OfProfiler(graph->GetProfilerStatus()));
  // Signals end the program soon, and it would stay.
  RemoveEventFile();
  // The error of the run is the one that is told in the end.
  if (!status.ok() && !ended.ok()) {
    std::cerr << "run_graph: " << Shown(ended.message()) << "\n";
  }
  return ended;
}

absl::Status RunTracing::EndTrace(CalculatorGraph* graph) {
  std::int64_t num_lost = 0;
  const absl::Status stopped = graph->StopTrace(&num_lost);
  Summarize(!request_.trace.empty() && stopped.ok(), *graph);
  if (request_.trace.empty()) return absl::OkStatus();
  const bool has_form = request_.form != TraceRequest::Form::kTrace;
  // What could be written gets its form, too.
  const absl::Status converted = has_form ? Convert() : absl::OkStatus();
  if (stopped.ok() && !converted.ok()) {
    return absl::Status(converted.code(),
                        absl::StrCat("--trace: ", converted.message()));
  }
  if (stopped.ok()) {
    if (num_lost > 0) {
      summary_.push_back(absl::StrCat("the trace has not ", num_lost,
                                      num_lost == 1 ? " event" : " events",
                                      ", which it could not take in time"));
    }
    return converted;
  }
  std::string what = absl::StrCat("--trace: ", stopped.message());
  if (has_form) {
    absl::StrAppend(&what, "; that file held the events for \"",
                    ShownName(request_.trace), "\" while the graph ran");
  }
  if (num_lost > 0)
    absl::StrAppend(&what, "; the trace has not ", num_lost, " events");
  if (!converted.ok()) absl::StrAppend(&what, "; ", converted.message());
  return absl::Status(stopped.code(), what);
}

}  // namespace syncline
