// run_graph: reads a graph file, compiles it to a plan, and runs it.
//
// The same main() is linked, with other calculators, into every target that
// calculator_graph() makes (tools/calculator_graph.bzl), so a graph is a
// program of its own: `bazel run //examples/hello_graph`.
//
// Exit status: 0 the graph is good and its run was, 1 it is or was not or a
// plug-in cannot be opened (the errors are on stderr, those of the graph with
// the place in the file), 2 the command line is wrong, 130 or 143 the run was
// interrupted by SIGINT (Ctrl-C) or SIGTERM, and ended in good order. Standard
// output carries only what was asked for and what calculators print, so it can
// be piped; the summary goes to stderr.
//
// Thread rule: single-threaded, apart from the graph's threads.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/flags/usage.h"
#include "absl/flags/usage_config.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/plugin.h"
#include "framework/base/status_macros.h"
#include "framework/calculator/log_levels.h"
#include "framework/component/component_factory.h"
#include "framework/config/calculator_graph_template.pb.h"
#include "framework/config/graph_runtime_info.pb.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph/runtime_info_text.h"
#include "framework/packet/packet.h"
#include "framework/plan/compile.h"
#include "framework/plan/graph_plan.h"
#include "framework/plan/graph_source.h"
#include "framework/recording/graph_player.h"
#include "framework/recording/recording_reader.h"
#include "glog/logging.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "testing/explore_schedules.h"
#include "tools/build_description.h"
#include "tools/check_flags.h"
#include "tools/describe_type.h"
#include "tools/graph_files.h"
#include "tools/interruption.h"
#include "tools/progress_line.h"
#include "tools/recording_run.h"
#include "tools/repeated_flags.h"
#include "tools/run_graph_usage.h"
#include "tools/side_packet_flags.h"

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
          "shared libraries with calculators for the graph: FILE,...");
ABSL_FLAG(std::vector<std::string>, log_level, {},
          "how much is logged: LEVEL or NODE=LEVEL,...");
ABSL_FLAG(std::string, describe, "", "print what a type is and stop");
ABSL_FLAG(bool, list_types, false, "print all types and stop");
ABSL_FLAG(bool, check, false, "print the plan, or the errors, and stop");
ABSL_FLAG(bool, strict, false,
          "treat what would be ignored with a warning as an error");
ABSL_FLAG(std::string, write_binary, "",
          "write the graph, as read, to this file in binary form and stop");

namespace syncline {
namespace {

constexpr int kGraphIsBad = 1;
constexpr int kUsageIsWrong = 2;

int Fail(int exit_status, absl::string_view message) {
  std::cerr << "run_graph: " << absl::StripLeadingAsciiWhitespace(message)
            << "\n";
  return exit_status;
}

// Byte for byte the same for the same graph, so that builds can be cached.
absl::Status WriteBinary(const CalculatorGraphConfig& config,
                         const std::string& path) {
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream sink(&bytes);
    google::protobuf::io::CodedOutputStream coded(&sink);
    coded.SetSerializationDeterministic(true);
    if (!config.SerializeToCodedStream(&coded)) {
      return absl::InternalError("the graph cannot be serialized");
    }
  }
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << bytes;
  file.close();
  if (!file) {
    return absl::UnavailableError(
        absl::StrCat("cannot write \"", path,
                     "\": check that the folder exists and has room"));
  }
  return absl::OkStatus();
}

// Calculators print again and again; what counts is said at the end.
int RunInManyOrders(const GraphPlan& plan,
                    const std::map<std::string, Packet>& side_packets,
                    GraphFiles* files, int schedules) {
  if (schedules < 0) {
    return Fail(kUsageIsWrong, "--explore takes a positive number");
  }
  if (!absl::GetFlag(FLAGS_output).empty()) {
    return Fail(kUsageIsWrong, "--explore compares outputs and writes none");
  }
  ScheduleInputs inputs;
  inputs.side_packets = side_packets;
  absl::StatusOr<GraphFiles::Streams> read = files->ReadAll();
  if (!read.ok()) return Fail(kGraphIsBad, read.status().message());
  inputs.streams = *std::move(read);
  ExploreOptions options;
  options.schedules = schedules;
  const bool is_terminal = isatty(STDERR_FILENO) != 0;
  options.after_run = [&](int done) {
    if (is_terminal && done % 100 == 0) {
      std::cerr << "\r" << done << " of " << schedules << std::flush;
    }
  };
  const absl::Status status = ExploreSchedules(plan.Config(), inputs, options);
  if (is_terminal) std::cerr << "\r";
  if (!status.ok()) return Fail(kGraphIsBad, status.message());
  std::cerr << "run_graph: " << schedules
            << " schedules, all with the same outputs\n";
  return 0;
}

// What is left of a run.
struct RunResult {
  std::int64_t packets = 0;
  // A line for each stream of each node of which packets were dropped.
  std::vector<std::string> dropped;
  int signal = 0;  // that interrupted it, or 0
};

// One run, from the files into the files.
absl::Status RunWithFiles(const GraphPlan& plan,
                          const std::map<std::string, Packet>& side_packets,
                          GraphFiles* files, RecordingRun* recordings,
                          RunResult* result) {
  CalculatorGraph graph;
  SYNCLINE_RETURN_IF_ERROR(graph.Initialize(plan, side_packets));
  SYNCLINE_RETURN_IF_ERROR(files->Observe(&graph));
  SYNCLINE_RETURN_IF_ERROR(recordings->Attach(&graph));
  SYNCLINE_ASSIGN_OR_RETURN(const auto headers, recordings->StreamHeaders());
  SYNCLINE_RETURN_IF_ERROR(recordings->Start(side_packets, headers));
  SYNCLINE_RETURN_IF_ERROR(graph.StartRun({}, headers));
  absl::Status status;
  {
    const Interruption interruption("run_graph", [&graph] { graph.Cancel(); });
    const ProgressLine progress(&graph);
    status = recordings->replay() != nullptr
                 ? recordings->Feed(&graph, interruption.fd())
                 : files->Feed(&graph, interruption.fd());
    // The graph's own errors come back from WaitUntilDone, too.
    if (!status.ok() && graph.HasError()) status = absl::OkStatus();
    if (!status.ok()) graph.Cancel();
    const absl::Status run = graph.WaitUntilDone();
    if (status.ok()) status = run;
    result->signal = interruption.signal();
  }
  result->packets = PacketsSent(&graph);
  // The end that was asked for is no error.
  if (result->signal != 0 && absl::IsCancelled(status)) {
    status = absl::OkStatus();
  }
  const absl::StatusOr<GraphRuntimeInfo> info = graph.GetGraphRuntimeInfo();
  if (info.ok()) result->dropped = DroppedPacketsTexts(*info);
  status = recordings->Finish(status);
  const absl::Status closed = files->Close();
  return status.ok() ? closed : status;
}

// "1 node", "2 nodes".
std::string Count(std::int64_t count, absl::string_view noun) {
  return absl::StrCat(count, " ", noun, count == 1 ? "" : "s");
}

int ExitStatus(const absl::Status& status) {
  return status.code() == absl::StatusCode::kInvalidArgument ? kUsageIsWrong
                                                             : kGraphIsBad;
}

// Those of the command line, and of the recording that is replayed.
absl::StatusOr<std::map<std::string, Packet>> SidePackets(
    const GraphPlan& plan, const RecordingRun& recordings) {
  std::map<std::string, Packet> recorded;
  if (recordings.replay() != nullptr) {
    SYNCLINE_ASSIGN_OR_RETURN(recorded,
                              RecordedSidePackets(*recordings.replay()));
  }
  return ReadSidePackets(plan, absl::GetFlag(FLAGS_input_side_packets),
                         recorded);
}

// Runs the graph to its end.
int Run(const GraphPlan& plan, RecordingRun* recordings) {
  const absl::StatusOr<std::map<std::string, Packet>> side_packets =
      SidePackets(plan, *recordings);
  if (!side_packets.ok()) {
    return Fail(ExitStatus(side_packets.status()),
                side_packets.status().message());
  }
  GraphFiles files;
  const absl::Status opened =
      files.Open(plan, absl::GetFlag(FLAGS_input), absl::GetFlag(FLAGS_output),
                 recordings->replay() != nullptr);
  if (!opened.ok()) return Fail(ExitStatus(opened), opened.message());
  if (const int schedules = absl::GetFlag(FLAGS_explore); schedules != 0) {
    return RunInManyOrders(plan, *side_packets, &files, schedules);
  }
  const absl::Time start = absl::Now();
  RunResult result;
  const absl::Status status =
      RunWithFiles(plan, *side_packets, &files, recordings, &result);
  std::cout << std::flush;
  // As shells have it.
  const int interrupted = result.signal == 0 ? 0 : 128 + result.signal;
  if (!status.ok()) {
    return Fail(interrupted != 0 ? interrupted : kGraphIsBad, status.message());
  }
  if (!std::cout) return Fail(kGraphIsBad, "cannot write to standard output");
  std::cerr << "run_graph: "
            << Count(static_cast<std::int64_t>(plan.nodes().size()), "node")
            << " sent " << Count(result.packets, "packet") << " in "
            << absl::FormatDuration(absl::Now() - start)
            << (interrupted != 0 ? ", interrupted" : "") << "\n";
  for (const std::string& line : recordings->Summary()) {
    std::cerr << "run_graph: " << line << "\n";
  }
  for (const std::string& dropped : result.dropped) {
    std::cerr << "run_graph: node " << dropped << "\n";
  }
  return interrupted;
}

// The arguments on the command line, as texts and lists of texts.
absl::StatusOr<TemplateDict> TemplateArguments(
    const std::vector<std::string>& flags) {
  TemplateDict arguments;
  for (const std::string& flag : flags) {
    const size_t equals = flag.find('=');
    if (equals == 0 || equals == flag.npos) {
      return absl::InvalidArgumentError(
          absl::StrCat("--template_args takes NAME=VALUE, not \"", flag, "\""));
    }
    TemplateDict::Parameter* const argument = arguments.add_arg();
    argument->set_key(flag.substr(0, equals));
    const std::string value = flag.substr(equals + 1);
    if (!absl::StrContains(value, ';')) {
      argument->mutable_value()->set_str(value);
      continue;
    }
    for (absl::string_view element :
         absl::StrSplit(value, ';', absl::SkipEmpty())) {
      argument->mutable_value()->add_element()->set_str(std::string(element));
    }
  }
  return arguments;
}

int Print(absl::string_view text) {
  std::cout << text << std::flush;
  return std::cout ? 0 : Fail(kGraphIsBad, "cannot write to standard output");
}

// --describe and --list_types.
int RunDescribe(const std::string& type) {
  const absl::Status problems = ComponentFactory::Global().problems();
  if (!problems.ok()) {
    std::cerr << "run_graph: warning: " << problems.message() << "\n";
  }
  if (type.empty()) return Print(ListTypes());
  const absl::StatusOr<std::string> text = DescribeType(type);
  return text.ok() ? Print(*text) : Fail(kGraphIsBad, text.status().message());
}

// The graph of a recording that is replayed.
absl::StatusOr<GraphSource> RecordedGraph(const RecordingReader& recording) {
  GraphSource source;
  source.config = recording.header().graph;
  return source;
}

int Main() {
  for (const std::string& level : absl::GetFlag(FLAGS_log_level)) {
    const absl::Status set = SetLogLevelFromText(level);
    if (!set.ok()) {
      return Fail(kUsageIsWrong, absl::StrCat("--log_level: ", set.message()));
    }
  }
  const std::string other_name =
      absl::GetFlag(FLAGS_calculator_graph_config_file);
  if (!other_name.empty() && !absl::GetFlag(FLAGS_graph).empty()) {
    return Fail(kUsageIsWrong,
                "--graph and --calculator_graph_config_file are two names of "
                "one flag: give one of them");
  }
  const std::string path =
      other_name.empty() ? absl::GetFlag(FLAGS_graph) : other_name;
  const std::string type = absl::GetFlag(FLAGS_describe);
  const bool describes = !type.empty() || absl::GetFlag(FLAGS_list_types);
  const absl::StatusOr<std::unique_ptr<RecordingRun>> recordings =
      RecordingRun::Open(absl::GetFlag(FLAGS_check));
  if (!recordings.ok()) {
    return Fail(ExitStatus(recordings.status()), recordings.status().message());
  }
  const RecordingReader* const replay = (*recordings)->replay();
  if (path.empty() && !describes && replay == nullptr) {
    return Fail(kUsageIsWrong,
                "name the graph with --graph=FILE (see run_graph --help)");
  }
  // Before the graph is read, which may hold option messages of theirs.
  for (const std::string& plugin : absl::GetFlag(FLAGS_plugin)) {
    const absl::Status loaded = LoadPlugin(plugin);
    if (!loaded.ok()) return Fail(kGraphIsBad, loaded.message());
  }
  if (describes) return RunDescribe(type);
  const absl::StatusOr<TemplateDict> arguments =
      TemplateArguments(absl::GetFlag(FLAGS_template_args));
  if (!arguments.ok()) {
    return Fail(kUsageIsWrong, arguments.status().message());
  }
  const absl::StatusOr<GraphSource> source =
      path.empty() ? RecordedGraph(*replay) : ReadGraphFile(path, *arguments);
  if (!source.ok()) {
    return Fail(
        kGraphIsBad,
        absl::StrCat(source.status().message(),
                     absl::IsNotFound(source.status()) ? PathHint(path) : ""));
  }

  if (const std::string binary = absl::GetFlag(FLAGS_write_binary);
      !binary.empty()) {
    const absl::Status written = WriteBinary(source->config, binary);
    return written.ok() ? 0 : Fail(kGraphIsBad, written.message());
  }

  CompileOptions options;
  options.strict = absl::GetFlag(FLAGS_strict);
  options.log_warnings = false;  // They are printed here.
  const absl::StatusOr<GraphPlan> plan = Compile(*source, options);
  if (!plan.ok()) return Fail(kGraphIsBad, plan.status().message());
  for (const std::string& warning : plan->warnings()) {
    std::cerr << "run_graph: warning: " << warning << "\n";
  }
  if (!absl::GetFlag(FLAGS_check) || replay != nullptr) {
    return Run(*plan, recordings->get());
  }
  return Print(plan->DebugString());
}

}  // namespace
}  // namespace syncline

int main(int argc, char** argv) {
  // Without this the log would go into a folder of temporary files.
  FLAGS_logtostderr = std::getenv("GLOG_log_dir") == nullptr;
  google::InitGoogleLogging(argv[0]);
  if (syncline::WantsHelp(argc, argv)) {
    std::cout << syncline::RunGraphUsage();
    return 0;
  }
  absl::SetProgramUsageMessage(syncline::RunGraphUsage());
  absl::FlagsUsageConfig config;
  config.version_string = [] { return syncline::DescribeBuild("run_graph"); };
  absl::SetFlagsUsageConfig(config);
  std::vector<std::string> joined =
      syncline::JoinRepeatedFlags(std::vector<std::string>(argv, argv + argc),
                                  {"input", "output", "input_side_packets",
                                   "plugin", "template_args", "log_level"});
  std::vector<std::string> own = {
      "graph",        "template_args", "input_side_packets",
      "input",        "output",        "explore",
      "plugin",       "check",         "strict",
      "write_binary", "log_level",     "describe",
      "list_types"};
  for (std::string& name : syncline::RecordingFlagNames()) own.push_back(name);
  const absl::Status checked = syncline::CheckFlags(joined, own);
  if (!checked.ok()) {
    return syncline::Fail(syncline::kUsageIsWrong, checked.message());
  }
  std::vector<char*> args;
  for (std::string& arg : joined) args.push_back(arg.data());
  args.push_back(nullptr);
  const std::vector<char*> rest =
      absl::ParseCommandLine(static_cast<int>(joined.size()), args.data());
  if (rest.size() > 1) {
    return syncline::Fail(
        syncline::kUsageIsWrong,
        absl::StrCat("unexpected argument \"", rest[1],
                     "\"; a graph is named with --graph=FILE"));
  }
  return syncline::Main();
}
