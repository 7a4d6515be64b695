// trace: where the time of a run went.
//
// Exit status: 0 it was done; 1 it was not; 2 the command line is wrong.
//
// Thread rule: single-threaded.
// Tested by trace_tool_test.
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/flags/usage.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "framework/base/nearest_names.h"
#include "framework/base/status_macros.h"
#include "tools/about_program.h"
#include "tools/check_flags.h"
#include "tools/exit_status.h"
#include "tools/file_uses.h"
#include "tools/progress_line.h"
#include "tools/standard_streams.h"
#include "tools/terminal_colour.h"
#include "tools/trace/commands.h"
#include "tools/trace/read_trace.h"
#include "tools/trace/table.h"

ABSL_FLAG(std::string, format, "", "text, json or csv");
ABSL_FLAG(std::string, table, "", "of --format=csv: the table to write");
ABSL_FLAG(std::int64_t, skip_first, 10,
          "how many messages of each path do not count at its beginning");
ABSL_FLAG(std::int64_t, skip_last, 10,
          "how many messages of each path do not count at its end");
ABSL_FLAG(std::int64_t, latency_threshold_ms, 0,
          "messages that took less do not count, in ms");
ABSL_FLAG(bool, limited_tracking, false,
          "source and sink only, and not the way between");
ABSL_FLAG(std::string, log, "", "where the messages of latency go");
ABSL_FLAG(std::int64_t, count, 100, "how many of the last jobs are looked at");
ABSL_FLAG(std::string, to, "", "perfetto, graph_profile or text");
ABSL_FLAG(std::string, output, "", "where to write to");

namespace syncline {
namespace {

constexpr char kProgram[] = "trace";

constexpr char kHelp[] =
    R"(Tells where the time of a run went, from its trace (run_graph --trace).

usage: trace stats FILE
       trace latency FILE [OPTION...]
       trace jobs FILE [--count=N]
       trace critical FILE
       trace diff BEFORE AFTER
       trace convert FILE --to=FORM --output=FILE

  stats     nodes by time; what was waited for; drops, full queues, threads
  latency   from each source to each sink and round each loop, step by step
  jobs      job statistics of each node, as JSON
  critical  what limits the rate, and what one more thread could win
  diff      which nodes and paths became slower or faster
  convert   for perfetto (ui.perfetto.dev), graph_profile (MediaPipe's), or text

  --format=FORMAT  text, json or csv; csv has one table, the first one or
                   --table=NAME
  --version        of which Syncline this is
  --help=all       every flag, and what the numbers mean

Examples:
  run_graph --graph=g.pbtxt --trace=run.trace
  trace stats run.trace
  trace latency run.trace --format=csv
  trace diff before.trace after.trace
  trace convert run.trace --to=perfetto --output=run.pftrace

Exit status: 0 done; 1 not done; 2 the command line is wrong.
)";

constexpr char kUsage[] =
    R"(Tells where the time of a run went, from its trace (run_graph --trace).

usage: trace stats FILE
       trace latency FILE [--skip_first=N] [--skip_last=N]
                          [--latency_threshold_ms=N] [--limited_tracking]
                          [--log=FILE]
       trace jobs FILE [--count=N]
       trace critical FILE
       trace diff BEFORE AFTER
       trace convert FILE --to=FORM --output=FILE

FILE is a trace of Syncline, or a file of GraphProfile messages.

  stats     nodes by time; what was waited for in queues, at joins and for
            threads; drops, full queues, threads
  latency   from each source to each sink, and where the time went. At a join,
            the packet that came last decides. Round each loop: from a call
            to the one of the same node that takes what came back (tables
            loops, loop_steps). As for data flow tracking, the first and the
            last 10 messages of each path and loop do not count (--skip_first,
            --skip_last), nor do those that took less than
            --latency_threshold_ms; --limited_tracking knows only source and
            sink; --log=FILE writes a line for each message, with the times in
            us at which each node got it and sent it on:
            (NODE,RECEIVED,SENT) -> (NODE,RECEIVED,SENT) ...
  jobs      job statistics of each node, as JSON:
              executions       calls of Process
              samples          how many the next numbers are of: the last
                               --count of them, 100 by default
              min_ns, median_ns, p90_ns, max_ns, variance_ns2
              load             share of the run that all its calls took
            of each executor: nodes, executions, and as load how many calls
            ran at a time; of conditions: how often they were in each state
  critical  what limits the rate: the busiest node, the longest chain of calls
            that wait for each other, and what one more thread could win
  diff      which nodes and paths became slower or faster, by what it costs
  convert   the trace for other programs: perfetto (ui.perfetto.dev),
            graph_profile (MediaPipe's profiles), or text, a line an event

  --format=text|json|csv
                   csv has one table, the first one or --table=NAME, which is
                   its key in json
  --table=NAME     of --format=csv
  --skip_first=N, --skip_last=N, --limited_tracking
  --latency_threshold_ms=N, --log=FILE
                   of latency, above
  --count=N        of jobs, above
  --to=perfetto|graph_profile|text
                   of convert: the form
  --output=FILE    of convert: the file to write
  --version        of which Syncline this is
  --help           the most important of this; --help=all is this text

Exit status: 0 done; 1 not done; 2 the command line is wrong.
)";

absl::Status Wrong(absl::string_view message) {
  return absl::InvalidArgumentError(
      absl::StrCat(message, " (see trace --help)"));
}

struct Command {
  absl::string_view name;
  std::size_t files;
  std::vector<absl::string_view> flags;
  // Null: convert, which makes no report.
  absl::StatusOr<Report> (*report)(const std::vector<NamedTrace>& traces,
                                   const TraceCommandOptions& options);
  absl::string_view format = "text";
};

const std::vector<Command>& Commands() {
  static const auto& commands = *new std::vector<Command>{
      {"stats", 1, {"format", "table"}, StatsOf},
      {"latency",
       1,
       {"format", "table", "skip_first", "skip_last", "latency_threshold_ms",
        "limited_tracking", "log"},
       LatencyOf},
      {"jobs", 1, {"format", "table", "count"}, JobsOf, "json"},
      {"critical", 1, {"format", "table"}, CriticalPathOf},
      {"diff", 2, {"format", "table"}, DiffOf},
      {"convert", 1, {"to", "output"}, nullptr},
  };
  return commands;
}

absl::StatusOr<const Command*> FindCommand(const std::string& name) {
  std::vector<std::string> names;
  for (const Command& command : Commands()) {
    if (command.name == name) return &command;
    names.emplace_back(command.name);
  }
  if (name.empty()) {
    return Wrong(absl::StrCat("say what to do: ", absl::StrJoin(names, ", ")));
  }
  return Wrong(absl::StrCat("there is no command \"", ShownName(name), "\".",
                            DidYouMeanOrKnownText(name, names)));
}

// A flag that would have no effect is a mistake.
absl::Status CheckFlagsOf(const Command& command) {
  const std::vector<std::pair<absl::string_view, bool>> given = {
      {"format", !absl::GetFlag(FLAGS_format).empty()},
      {"table", !absl::GetFlag(FLAGS_table).empty()},
      {"skip_first", absl::GetFlag(FLAGS_skip_first) != 10},
      {"skip_last", absl::GetFlag(FLAGS_skip_last) != 10},
      {"latency_threshold_ms", absl::GetFlag(FLAGS_latency_threshold_ms) != 0},
      {"limited_tracking", absl::GetFlag(FLAGS_limited_tracking)},
      {"log", !absl::GetFlag(FLAGS_log).empty()},
      {"count", absl::GetFlag(FLAGS_count) != 100},
      {"to", !absl::GetFlag(FLAGS_to).empty()},
      {"output", !absl::GetFlag(FLAGS_output).empty()},
  };
  for (const auto& [flag, is_given] : given) {
    if (!is_given || std::find(command.flags.begin(), command.flags.end(),
                               flag) != command.flags.end()) {
      continue;
    }
    return Wrong(absl::StrCat("--", flag, " is not for ", command.name));
  }
  return absl::OkStatus();
}

absl::Status CheckNumber(absl::string_view flag, std::int64_t value,
                         std::int64_t least) {
  // So that a number of milliseconds is a number of nanoseconds, too.
  constexpr std::int64_t kMost = 1'000'000'000'000;
  if (value >= least && value <= kMost) return absl::OkStatus();
  return Wrong(absl::StrCat("--", flag, " is from ", least, " to ", kMost,
                            ", not ", value));
}

absl::StatusOr<std::string> FormatOf(const Command& command) {
  const std::string format = absl::GetFlag(FLAGS_format).empty()
                                 ? std::string(command.format)
                                 : absl::GetFlag(FLAGS_format);
  if (format != "text" && format != "json" && format != "csv") {
    return Wrong(absl::StrCat("--format is text, json or csv, not \"",
                              ShownName(format), "\""));
  }
  if (format != "csv" && !absl::GetFlag(FLAGS_table).empty()) {
    return Wrong("--table is for --format=csv");
  }
  return format;
}

absl::Status CheckConversion(const TraceCommandOptions& options) {
  const std::vector<std::string> forms = TraceForms();
  if (options.to.empty()) {
    return Wrong(absl::StrCat("name the form: --to=",
                              absl::StrJoin(forms, ", or --to=")));
  }
  if (std::find(forms.begin(), forms.end(), options.to) == forms.end()) {
    return Wrong(absl::StrCat("--to: there is no form \"",
                              ShownName(options.to), "\".",
                              DidYouMeanOrKnownText(options.to, forms)));
  }
  if (options.output.empty()) {
    return Wrong("name the file to write: --output=FILE");
  }
  return absl::OkStatus();
}

absl::StatusOr<TraceCommandOptions> OptionsFromFlags(const Command& command) {
  SYNCLINE_RETURN_IF_ERROR(CheckFlagsOf(command));
  TraceCommandOptions options;
  options.latency.skip_first = absl::GetFlag(FLAGS_skip_first);
  options.latency.skip_last = absl::GetFlag(FLAGS_skip_last);
  options.latency.is_limited = absl::GetFlag(FLAGS_limited_tracking);
  options.log = absl::GetFlag(FLAGS_log);
  options.count = absl::GetFlag(FLAGS_count);
  options.to = absl::GetFlag(FLAGS_to);
  options.output = absl::GetFlag(FLAGS_output);
  const std::int64_t threshold = absl::GetFlag(FLAGS_latency_threshold_ms);
  SYNCLINE_RETURN_IF_ERROR(
      CheckNumber("skip_first", options.latency.skip_first, 0));
  SYNCLINE_RETURN_IF_ERROR(
      CheckNumber("skip_last", options.latency.skip_last, 0));
  SYNCLINE_RETURN_IF_ERROR(CheckNumber("latency_threshold_ms", threshold, 0));
  SYNCLINE_RETURN_IF_ERROR(CheckNumber("count", options.count, 1));
  options.latency.threshold_ns = threshold * 1'000'000;
  if (options.latency.is_limited && !options.log.empty()) {
    return Wrong(
        "--log has the way of each message, which "
        "--limited_tracking does not know: leave one of them out");
  }
  if (command.report == nullptr) {
    SYNCLINE_RETURN_IF_ERROR(CheckConversion(options));
  }
  return options;
}

// What is read is not written over: a file that is mapped must not shrink.
absl::Status AddFileUses(const std::vector<std::string>& files,
                         const TraceCommandOptions& options, FileUses* uses) {
  for (const std::string& file : files) uses->AddRead("the trace", file);
  if (!options.output.empty()) {
    SYNCLINE_RETURN_IF_ERROR(uses->AddWritten("--output", options.output));
  }
  if (!options.log.empty()) {
    SYNCLINE_RETURN_IF_ERROR(uses->AddWritten("--log", options.log));
  }
  return absl::OkStatus();
}

absl::StatusOr<TraceCommandOptions> ReadArguments(
    const Command& command, const std::vector<std::string>& files,
    FileUses* uses) {
  if (files.size() != command.files) {
    return Wrong(absl::StrCat("name ",
                              command.files == 1 ? "one trace" : "two traces",
                              ", not ", files.size()));
  }
  SYNCLINE_ASSIGN_OR_RETURN(TraceCommandOptions options,
                            OptionsFromFlags(command));
  SYNCLINE_RETURN_IF_ERROR(AddFileUses(files, options, uses));
  return options;
}

// Of the terminal, or of a page.
int TextWidth() {
  winsize size = {};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    return size.ws_col;
  }
  return 80;
}

absl::StatusOr<std::string> Rendered(const Report& report,
                                     absl::string_view format) {
  if (format == "json") return ReportJson(report);
  if (format == "csv") return ReportCsv(report, absl::GetFlag(FLAGS_table));
  return ReportText(report, TextWidth());
}

absl::StatusOr<std::vector<NamedTrace>> ReadTraces(
    const std::vector<std::string>& files) {
  std::vector<NamedTrace> traces;
  for (const std::string& path : files) {
    const ProgressLine progress(
        [&path] { return absl::StrCat("reading \"", ShownName(path), "\""); });
    SYNCLINE_ASSIGN_OR_RETURN(Trace trace, ReadAnyTrace(path));
    traces.push_back({path, std::move(trace)});
  }
  return traces;
}

// What is missing is told on standard error.
void TellWhatIsMissing(const std::vector<NamedTrace>& traces) {
  for (const NamedTrace& named : traces) {
    const std::string missing = MissingText(named.path, named.trace);
    if (missing.empty()) continue;
    std::cerr << AsWarning(absl::StrCat(kProgram, ":")) << " "
              << ShownName(missing) << "\n";
  }
}

absl::StatusOr<Report> MakeReport(const Command& command,
                                  const std::vector<NamedTrace>& traces,
                                  const TraceCommandOptions& options) {
  const ProgressLine progress(
      [&command] { return absl::StrCat("computing ", command.name); });
  return command.report(traces, options);
}

// The exit status.
int Run(const Command& command, const std::vector<std::string>& files,
        const TraceCommandOptions& options, absl::string_view format) {
  const absl::StatusOr<std::vector<NamedTrace>> traces = ReadTraces(files);
  if (!traces.ok()) return Fail(kProgram, kFailed, traces.status().message());
  TellWhatIsMissing(*traces);
  if (command.report == nullptr) {
    const absl::Status written = ConvertTrace(traces->front(), options);
    return written.ok() ? 0 : Fail(kProgram, kFailed, written.message());
  }
  const absl::StatusOr<Report> report = MakeReport(command, *traces, options);
  if (!report.ok()) return Fail(kProgram, kFailed, report.status().message());
  // The report decides which tables there are.
  const absl::StatusOr<std::string> text = Rendered(*report, format);
  if (!text.ok()) {
    return Fail(kProgram, kUsageIsWrong, text.status().message());
  }
  std::cout << *text << std::flush;
  return std::cout ? 0
                   : Fail(kProgram, kFailed,
                          "cannot write to standard output: check that it "
                          "takes what is written, and that there is room");
}

int Main(const std::vector<char*>& args) {
  const absl::StatusOr<const Command*> command =
      FindCommand(args.size() > 1 ? args[1] : "");
  if (!command.ok()) {
    return Fail(kProgram, kUsageIsWrong, command.status().message());
  }
  const std::vector<std::string> files(args.begin() + 2, args.end());
  FileUses uses;
  const absl::StatusOr<TraceCommandOptions> options =
      ReadArguments(**command, files, &uses);
  if (!options.ok()) {
    return Fail(kProgram, kUsageIsWrong, options.status().message());
  }
  const absl::StatusOr<std::string> format = FormatOf(**command);
  if (!format.ok()) {
    return Fail(kProgram, kUsageIsWrong, format.status().message());
  }
  const int status = Run(**command, files, *options, *format);
  if (status == 0) uses.TellPlaces(kProgram);
  return status;
}

}  // namespace
}  // namespace syncline

int main(int argc, char** argv) {
  syncline::KeepStandardStreamsApart();
  // A file that may not grow further is an error of writing it.
  signal(SIGXFSZ, SIG_IGN);
  if (const auto status = syncline::PrintAboutProgram(
          argc, argv,
          {syncline::kHelp, syncline::kUsage,
           syncline::VersionLine(syncline::kProgram)})) {
    return *status;
  }
  absl::SetProgramUsageMessage(syncline::kUsage);
  const absl::Status checked = syncline::CheckFlags(
      std::vector<std::string>(argv, argv + argc),
      {"format", "table", "skip_first", "skip_last", "latency_threshold_ms",
       "limited_tracking", "log", "count", "to", "output"});
  if (!checked.ok()) {
    return syncline::Fail(syncline::kProgram, syncline::kUsageIsWrong,
                          checked.message());
  }
  return syncline::Main(absl::ParseCommandLine(argc, argv));
}
