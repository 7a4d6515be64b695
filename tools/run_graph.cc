// run_graph: reads a graph file, compiles it to a plan, and runs it.
//
// The same main() is linked, with other calculators, into every target that
// calculator_graph() makes (tools/calculator_graph.bzl), so a graph is a
// program of its own: `bazel run //examples/hello_graph`.
//
// Exit status: 0 the graph is good and its run was, 1 it is or was not or a
// plug-in cannot be opened (the errors are on stderr, those of the graph with
// the place in the file), 2 the command line is wrong, 130 or 143 the run was
// interrupted by SIGINT (Ctrl-C) or SIGTERM, and ended in good order. A run
// that left packets which no call took is not good, unless --allow_leftover.
// Standard output carries only what was asked for and what calculators print,
// so it can be piped; the summary goes to stderr.
//
// Thread rule: single-threaded, apart from the graph's threads.
#include <dlfcn.h>
#include <signal.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/flags/usage.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "framework/base/log_levels.h"
#include "framework/base/misuse.h"
#include "framework/base/plugin.h"
#include "framework/base/status_macros.h"
#include "framework/component/component_factory.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/calculator_graph_template.pb.h"
#include "framework/graph_text/graph_source.h"
#include "framework/plan/compile.h"
#include "framework/plan/graph_plan.h"
#include "framework/recording/recording_reader.h"
#include "glog/logging.h"
#include "tools/about_program.h"
#include "tools/build_description.h"
#include "tools/check_flags.h"
#include "tools/describe_type.h"
#include "tools/device_flag.h"
#include "tools/early_quit.h"
#include "tools/exit_status.h"
#include "tools/explain_after.h"
#include "tools/file_uses.h"
#include "tools/graph_argument.h"
#include "tools/graph_files.h"
#include "tools/graph_run.h"
#include "tools/installed_plugins.h"
#include "tools/lint/lint_finding.h"
#include "tools/lint/lint_text.h"
#include "tools/page_flags.h"
#include "tools/path_hint.h"
#include "tools/picture_flag.h"
#include "tools/quit_signal.h"
#include "tools/recording_flags.h"
#include "tools/recording_run.h"
#include "tools/repeated_flags.h"
#include "tools/run_device.h"
#include "tools/run_graph_usage.h"
#include "tools/run_picture.h"
#include "tools/run_signals.h"
#include "tools/standard_streams.h"
#include "tools/terminal_colour.h"
#include "tools/trace_flags.h"

ABSL_FLAG(std::string, graph, "",
          "the graph to read: Protobuf text (.pbtxt) or binary (.binarypb)");
ABSL_FLAG(std::string, calculator_graph_config_file, "",
          "the same, as MediaPipe's programs call it");
ABSL_FLAG(std::vector<std::string>, template_args, {},
          "arguments of a graph template: NAME=VALUE,...");
ABSL_FLAG(std::vector<std::string>, input_side_packets, {},
          "side packets for the run: NAME=VALUE,...");
ABSL_FLAG(std::vector<std::string>, input, {},
          "packets for inputs of the graph: STREAM=FILE,...");
ABSL_FLAG(std::vector<std::string>, output, {},
          "where to write packets of streams: STREAM=FILE,...");
ABSL_FLAG(int, explore, 0,
          "run the graph in so many orders and compare its outputs");
ABSL_FLAG(std::vector<std::string>, plugin, {},
          "shared libraries with calculators for the graph: FILE,..., or names "
          "of installed ones");
ABSL_FLAG(std::vector<std::string>, log_level, {},
          "how much is logged: LEVEL or NODE=LEVEL,...");
ABSL_FLAG(std::string, describe, "", "print what a type is and stop");
ABSL_FLAG(bool, list_types, false, "print all types and stop");
ABSL_FLAG(bool, check, false, "print the plan, or the errors, and stop");
ABSL_FLAG(bool, lint, false,
          "with --check: print what is likely to stand still, and stop");
ABSL_FLAG(bool, strict, false,
          "treat what would be ignored with a warning as an error");
ABSL_FLAG(bool, allow_leftover, false,
          "exit with 0 though packets were left that no call took");
ABSL_FLAG(std::string, explain_after, "1",
          "say why the run stands still once it has for this time: seconds, or "
          "a number with its unit; 0 is off");
ABSL_FLAG(std::string, write_binary, "",
          "write the graph, as read, to this file in binary form and stop");

namespace syncline {
namespace {

constexpr char kProgram[] = "run_graph";
constexpr char kGraphIsRead[] = "the graph is read first";

int FailUsage(absl::string_view message) {
  return Fail(kProgram, kUsageIsWrong, message);
}
int FailGraph(absl::string_view message) {
  return Fail(kProgram, kFailed, message);
}

// What it names may be in a plug-in.
int FailRead(const absl::Status& status) {
  const int exit_status = FailGraph(status.message());
  // As errors say it of a calculator, and of a message for options.
  const bool is_missing =
      absl::StrContains(status.message(), "No registered object") ||
      absl::StrContains(status.message(), "not linked");
  const std::string hint =
      is_missing ? OtherPluginsHint(absl::GetFlag(FLAGS_plugin), PluginFolder())
                 : "";
  if (!hint.empty()) std::cerr << kProgram << ": " << hint << "\n";
  return exit_status;
}

int Print(absl::string_view text) {
  std::cout << text << std::flush;
  return std::cout ? 0 : FailGraph("cannot write to standard output");
}

// --describe and --list_types.
int RunDescribe(const std::string& type) {
  const absl::Status problems = ComponentFactory::Global().problems();
  if (!problems.ok()) {
    std::cerr << AsWarning("run_graph: warning:") << " " << problems.message()
              << "\n";
  }
  if (type.empty()) return Print(ListTypes());
  const absl::StatusOr<std::string> text = DescribeType(type);
  return text.ok() ? Print(*text) : FailGraph(text.status().message());
}

// By whatever name.
bool IsOpenLibrary(absl::string_view path) {
  const std::string file =
      absl::StrCat(absl::StrContains(path, '/') ? "" : "./", path);
  void* const handle = dlopen(file.c_str(), RTLD_NOW | RTLD_NOLOAD);
  if (handle != nullptr) dlclose(handle);
  return handle != nullptr;
}

// The graph of a recording that is replayed.
absl::StatusOr<GraphSource> RecordedGraph(const RecordingReader& recording) {
  GraphSource source;
  source.config = recording.header().graph;
  return source;
}

// Recordings are made and played by one run.
absl::Status CheckIsOneRun(const RecordingRequest& request) {
  const std::string flag = !request.replay.empty()   ? "--replay"
                           : !request.record.empty() ? "--record"
                                                     : "";
  if (flag.empty()) return absl::OkStatus();
  const std::vector<std::pair<absl::string_view, bool>> others = {
      {"--describe", !absl::GetFlag(FLAGS_describe).empty()},
      {"--list_types", absl::GetFlag(FLAGS_list_types)},
      {"--write_binary",
       !absl::GetFlag(FLAGS_write_binary).empty() && request.replay.empty()},
      {"--explore", absl::GetFlag(FLAGS_explore) != 0},
      {"--check without --replay",
       absl::GetFlag(FLAGS_check) && request.replay.empty()},
  };
  for (const auto& [other, is_given] : others) {
    if (!is_given) continue;
    return absl::InvalidArgumentError(
        absl::StrCat(flag, " goes with one run of a graph, which ", other,
                     " does not make: give one of them"));
  }
  if (request.replay.empty() || absl::GetFlag(FLAGS_input).empty()) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      "--input and --replay both feed the graph: give one of them");
}

// What makes no run, or many, has no trace and no page. A picture may also be
// of a graph.
absl::Status CheckTraceIsOfARun(bool is_no_replay) {
  SYNCLINE_ASSIGN_OR_RETURN(const TraceRequest request, ReadTraceFlags());
  SYNCLINE_ASSIGN_OR_RETURN(const PictureRequest picture, ReadPictureFlag());
  SYNCLINE_ASSIGN_OR_RETURN(const PageRequest page, ReadPageFlags());
  const bool has_trace = !request.trace.empty() || page.is_wanted;
  if (!has_trace && picture.path.empty()) return absl::OkStatus();
  const std::vector<std::pair<absl::string_view, bool>> others = {
      {"--describe", !absl::GetFlag(FLAGS_describe).empty()},
      {"--list_types", absl::GetFlag(FLAGS_list_types)},
      {"--write_binary", !absl::GetFlag(FLAGS_write_binary).empty()},
      {"--explore", absl::GetFlag(FLAGS_explore) != 0},
      {"--check", absl::GetFlag(FLAGS_check) && is_no_replay && has_trace},
  };
  for (const auto& [other, is_given] : others) {
    if (!is_given) continue;
    return absl::InvalidArgumentError(
        absl::StrCat(page.is_wanted ? "--page"
                     : has_trace    ? "--trace"
                                    : "--picture",
                     " goes with one run of a graph, which ", other,
                     " does not make: give one of them"));
  }
  return absl::OkStatus();
}

// Of the file, or of the recording where no file is named.
absl::StatusOr<GraphSource> ReadGraph(const std::string& path,
                                      const RecordingReader* replay,
                                      const TemplateDict& arguments) {
  if (path.empty()) return RecordedGraph(*replay);
  absl::StatusOr<GraphSource> source = ReadGraphFile(path, arguments);
  if (!absl::IsNotFound(source.status())) return source;
  return absl::NotFoundError(
      absl::StrCat(source.status().message(), PathHint(path)));
}

// What no output may go to. Packets that are read are added later.
FileUses FilesRead(const std::string& graph, const RecordingReader* replay) {
  FileUses uses;
  uses.AddRead("--graph", graph);
  for (const std::string& plugin : absl::GetFlag(FLAGS_plugin)) {
    uses.AddRead("--plugin", plugin);
  }
  if (replay != nullptr) uses.AddRead("--replay", replay->path());
  return uses;
}

// --lint: prints the findings.
int LintAndPrint(const GraphPlan& plan, const GraphSource& source,
                 const std::string& path) {
  const absl::StatusOr<std::vector<LintFinding>> findings =
      LintGraphFile(plan, source, path);
  if (!findings.ok()) return FailGraph(findings.status().message());
  if (findings->empty()) {
    std::cerr << "run_graph: no findings\n";
    return 0;
  }
  const int printed = Print(FindingsText(*findings));
  return printed != 0 ? printed : kFailed;
}

// INVALID_ARGUMENT where --lint stands beside something else.
absl::Status CheckLintFlag(const RecordingRequest& request) {
  if (!absl::GetFlag(FLAGS_lint)) return absl::OkStatus();
  if (!absl::GetFlag(FLAGS_check)) {
    return absl::InvalidArgumentError(
        "--lint looks at a graph without running it: give --check, too");
  }
  const std::vector<std::pair<absl::string_view, bool>> others = {
      {"--replay", !request.replay.empty()},
      {"--write_binary", !absl::GetFlag(FLAGS_write_binary).empty()},
      {"--describe", !absl::GetFlag(FLAGS_describe).empty()},
      {"--list_types", absl::GetFlag(FLAGS_list_types)},
      {"--explore", absl::GetFlag(FLAGS_explore) != 0},
  };
  for (const auto& [other, is_given] : others) {
    if (!is_given) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "--lint and ", other, " each print something else: give one of them"));
  }
  return absl::OkStatus();
}

// Its plan is printed, or what is to be said of it, or it runs.
int CompileAndRun(const GraphSource& source, const std::string& path,
                  RecordingRun* recordings, FileUses* uses, QuitSignal* quit) {
  CompileOptions options;
  options.strict = absl::GetFlag(FLAGS_strict);
  options.log_warnings = false;  // They are printed here.
  const absl::StatusOr<GraphPlan> plan = Compile(source, options);
  const bool is_checked =
      absl::GetFlag(FLAGS_check) && recordings->replay() == nullptr;
  absl::StatusOr<PictureRequest> picture = ReadPictureFlag();
  if (!picture.ok()) return FailUsage(picture.status().message());
  if (!plan.ok() || is_checked) {
    const absl::Status drawn = DrawGraph(*picture, plan, source, path, uses);
    if (!drawn.ok()) {
      return Fail(kProgram, ExitStatusOf(drawn), drawn.message());
    }
  }
  if (!plan.ok()) return FailRead(plan.status());
  for (const std::string& warning : plan->warnings()) {
    std::cerr << AsWarning("run_graph: warning:") << " " << Shown(warning)
              << "\n";
  }
  if (absl::GetFlag(FLAGS_lint)) return LintAndPrint(*plan, source, path);
  if (is_checked) {
    return Print(Shown(plan->DebugString()));
  }
  const absl::StatusOr<absl::Duration> explain_after =
      ParseExplainAfter(absl::GetFlag(FLAGS_explain_after));
  if (!explain_after.ok()) return FailUsage(explain_after.status().message());
  GraphRunFlags flags;
  flags.explain_after = *explain_after;
  flags.input_side_packets = absl::GetFlag(FLAGS_input_side_packets);
  flags.input = absl::GetFlag(FLAGS_input);
  flags.output = absl::GetFlag(FLAGS_output);
  flags.explore = absl::GetFlag(FLAGS_explore);
  flags.allow_leftover = absl::GetFlag(FLAGS_allow_leftover);
  absl::StatusOr<TraceRequest> trace = ReadTraceFlags();
  if (!trace.ok()) return FailUsage(trace.status().message());
  flags.trace = *std::move(trace);
  absl::StatusOr<PageRequest> page = ReadPageFlags();
  if (!page.ok()) return FailUsage(page.status().message());
  flags.page = *std::move(page);
  flags.picture = *std::move(picture);
  flags.title = path.empty() ? recordings->replay()->path() : path;
  absl::StatusOr<std::unique_ptr<RunDevice>> device = ReadDeviceFlag();
  if (!device.ok()) return FailUsage(device.status().message());
  flags.device = *std::move(device);
  return RunGraph(*plan, flags, recordings, uses, quit);
}

// Of --graph, which has another name, too.
absl::StatusOr<std::string> GraphPath() {
  const std::string path = absl::GetFlag(FLAGS_graph);
  const std::string other = absl::GetFlag(FLAGS_calculator_graph_config_file);
  if (!path.empty() && !other.empty()) {
    return absl::InvalidArgumentError(
        "--graph and --calculator_graph_config_file are two names of "
        "one flag: give one of them");
  }
  return other.empty() ? path : other;
}

absl::Status SetLogLevels() {
  for (const std::string& level : absl::GetFlag(FLAGS_log_level)) {
    const absl::Status set = SetLogLevelFromText(level);
    if (set.ok()) continue;
    return absl::Status(set.code(),
                        absl::StrCat("--log_level: ", set.message()));
  }
  return absl::OkStatus();
}

// The flag names files afterwards.
absl::Status OpenPlugins() {
  std::vector<std::string> files;
  for (const std::string& plugin : absl::GetFlag(FLAGS_plugin)) {
    SYNCLINE_ASSIGN_OR_RETURN(std::string file,
                              PluginFile(plugin, PluginFolder()),
                              _.SetPrepend() << "--plugin: ");
    files.push_back(std::move(file));
  }
  absl::SetFlag(&FLAGS_plugin, files);
  for (const std::string& plugin : files) {
    const bool was_open = IsOpenLibrary(plugin);
    SYNCLINE_RETURN_IF_ERROR(LoadPlugin(plugin));
    if (!was_open) continue;
    std::cerr << AsWarning("run_graph: warning:") << " --plugin: \""
              << ShownName(plugin)
              << "\" is open already, maybe by another name, and adds nothing: "
                 "name it once\n";
  }
  return absl::OkStatus();
}

// --write_binary.
int WriteBinary(const CalculatorGraphConfig& config, const std::string& path,
                FileUses* uses) {
  // Nothing reads these before the graph runs, and their packets are as easily
  // lost.
  for (const std::string& input : absl::GetFlag(FLAGS_input)) {
    const auto equals = input.find('=');
    if (equals == std::string::npos) continue;
    uses->AddRead(absl::StrCat("--input=", input.substr(0, equals)),
                  input.substr(equals + 1));
  }
  const absl::Status is_free = uses->AddWritten("--write_binary", path);
  if (!is_free.ok()) return FailUsage(is_free.message());
  const absl::Status written = WriteBinaryGraph(config, path);
  if (!written.ok()) return FailGraph(written.message());
  uses->TellPlaces(kProgram);
  return 0;
}

// A graph that cannot be read may be drawn nevertheless.
int DrawAndFail(const absl::Status& error, const std::string& path,
                const TemplateDict& arguments, FileUses* uses) {
  const absl::StatusOr<PictureRequest> picture = ReadPictureFlag();
  if (!picture.ok()) return FailUsage(picture.status().message());
  const absl::Status drawn =
      DrawUnreadGraph(*picture, path, arguments, error, uses);
  if (!drawn.ok()) return Fail(kProgram, ExitStatusOf(drawn), drawn.message());
  return FailRead(error);
}

int Main(QuitSignal* quit) {
  const absl::Status levels = SetLogLevels();
  if (!levels.ok()) return FailUsage(levels.message());
  const std::string devices = DeviceListAskedFor();
  if (!devices.empty()) return Print(devices);
  const absl::StatusOr<std::string> path = GraphPath();
  if (!path.ok()) return FailUsage(path.status().message());
  absl::StatusOr<RecordingRequest> request =
      ReadRecordingFlags(absl::GetFlag(FLAGS_check));
  if (!request.ok()) return FailUsage(request.status().message());
  const absl::Status lint = CheckLintFlag(*request);
  if (!lint.ok()) return FailUsage(lint.message());
  const absl::Status traces = CheckTraceIsOfARun(request->replay.empty());
  if (!traces.ok()) return FailUsage(traces.message());
  const absl::Status fits = CheckIsOneRun(*request);
  if (!fits.ok()) return FailUsage(fits.message());
  const absl::StatusOr<std::unique_ptr<RecordingRun>> recordings =
      RecordingRun::Open(*std::move(request));
  if (!recordings.ok()) return FailGraph(recordings.status().message());
  const RecordingReader* const replay = (*recordings)->replay();
  const std::string type = absl::GetFlag(FLAGS_describe);
  const bool describes = !type.empty() || absl::GetFlag(FLAGS_list_types);
  if (path->empty() && !describes && replay == nullptr) {
    return FailUsage("name the graph with --graph=FILE (see run_graph --help)");
  }
  // Before the graph is read, which may hold option messages of theirs.
  const absl::Status opened = OpenPlugins();
  if (!opened.ok()) return FailGraph(opened.message());
  if (describes) return RunDescribe(type);
  const absl::StatusOr<TemplateDict> arguments =
      TemplateArguments(absl::GetFlag(FLAGS_template_args));
  if (!arguments.ok()) return FailUsage(arguments.status().message());
  absl::StatusOr<GraphSource> source = ReadGraph(*path, replay, *arguments);
  FileUses uses = FilesRead(*path, replay);
  if (!source.ok()) {
    return DrawAndFail(source.status(), *path, *arguments, &uses);
  }
  const std::string binary = absl::GetFlag(FLAGS_write_binary);
  if (!binary.empty()) return WriteBinary(source->config, binary, &uses);
  SetCheckDeviceAccess(&source->config);
  return CompileAndRun(*source, *path, recordings->get(), &uses, quit);
}

}  // namespace
}  // namespace syncline

int main(int argc, char** argv) {
  syncline::KeepStandardStreamsApart();
  // First of all, as without it Ctrl-\ ends the program.
  syncline::QuitSignal quit([] {});
  syncline::SayThatRunHasNotBegun(syncline::kGraphIsRead, &quit);
  if (syncline::CameQuitEarly()) {
    syncline::TellThatRunHasNotBegun(syncline::kGraphIsRead);
  }
  // A file that may not grow any more is an error of that file.
  signal(SIGXFSZ, SIG_IGN);
  // Without this the log would go into a folder of temporary files.
  FLAGS_logtostderr = std::getenv("GLOG_log_dir") == nullptr;
  google::InitGoogleLogging(argv[0]);
  const syncline::AboutProgram about = {syncline::RunGraphHelp(),
                                        syncline::RunGraphUsage(),
                                        syncline::DescribeBuild("run_graph")};
  if (const auto status = syncline::PrintAboutProgram(argc, argv, about)) {
    return *status;
  }
  absl::SetProgramUsageMessage(syncline::RunGraphUsage());
  std::vector<std::string> joined = syncline::JoinRepeatedFlags(
      syncline::WithPagePort(std::vector<std::string>(argv, argv + argc)),
      {"input", "output", "input_side_packets", "plugin", "template_args",
       "log_level"});
  std::vector<std::string> own = {
      "graph",        "template_args",  "input_side_packets",
      "input",        "output",         "explore",
      "plugin",       "check",          "strict",
      "write_binary", "log_level",      "describe",
      "list_types",   "allow_leftover", "lint",
      "explain_after"};
  for (std::string& name : syncline::RecordingFlagNames()) own.push_back(name);
  for (std::string& name : syncline::TraceFlagNames()) own.push_back(name);
  for (std::string& name : syncline::PictureFlagNames()) own.push_back(name);
  for (std::string& name : syncline::DeviceFlagNames()) own.push_back(name);
  for (std::string& name : syncline::PageFlagNames()) own.push_back(name);
  const absl::Status checked = syncline::CheckFlags(joined, own);
  if (!checked.ok()) {
    return syncline::FailUsage(checked.message());
  }
  std::vector<char*> args;
  for (std::string& arg : joined) args.push_back(arg.data());
  args.push_back(nullptr);
  const std::vector<char*> rest =
      absl::ParseCommandLine(static_cast<int>(joined.size()), args.data());
  if (rest.size() > 1) {
    return syncline::FailUsage(
        absl::StrCat("unexpected argument \"", syncline::ShownName(rest[1]),
                     "\"; a graph is named with --graph=FILE"));
  }
  int exit_status = 0;
  const absl::Status status =
      syncline::CatchExceptions([&] { exit_status = syncline::Main(&quit); });
  return status.ok() ? exit_status : syncline::FailGraph(status.message());
}
