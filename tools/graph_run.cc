#include "tools/graph_run.h"

#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "framework/base/status_macros.h"
#include "framework/config/graph_runtime_info.pb.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph/runtime_info_text.h"
#include "framework/packet/packet.h"
#include "framework/plan/graph_plan.h"
#include "framework/recording/graph_player.h"
#include "testing/explore_schedules.h"
#include "tools/exit_status.h"
#include "tools/file_uses.h"
#include "tools/graph_files.h"
#include "tools/packets_sent.h"
#include "tools/progress_line.h"
#include "tools/quit_signal.h"
#include "tools/run_page.h"
#include "tools/run_picture.h"
#include "tools/run_signals.h"
#include "tools/run_tracing.h"
#include "tools/side_packet_flags.h"

namespace syncline {
namespace {

constexpr char kProgram[] = "run_graph";

// Calculators print again and again; what counts is said at the end.
int RunInManyOrders(const GraphPlan& plan,
                    const std::map<std::string, Packet>& side_packets,
                    const GraphRunFlags& flags, GraphFiles* files) {
  const int schedules = flags.explore;
  if (schedules < 0) {
    return Fail(kProgram, kUsageIsWrong, "--explore takes a positive number");
  }
  if (!flags.output.empty()) {
    return Fail(kProgram, kUsageIsWrong,
                "--explore compares outputs and writes none");
  }
  if (flags.device != nullptr && flags.device->name() != "stand_in:0") {
    return Fail(
        kProgram, kUsageIsWrong,
        "--explore chooses the order of the work of devices, which only "
        "stand_in:0 lets it: leave --device out, or name that one");
  }
  ScheduleInputs inputs;
  inputs.side_packets = side_packets;
  absl::StatusOr<GraphFiles::Streams> read = files->ReadAll();
  if (!read.ok()) return Fail(kProgram, kFailed, read.status().message());
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
  if (!status.ok()) return Fail(kProgram, kFailed, status.message());
  std::cerr << "run_graph: " << schedules
            << " schedules, all with the same outputs\n";
  return 0;
}

// What is left of a run.
struct RunResult {
  std::int64_t packets = 0;
  // A line for each stream of each node of which packets were dropped.
  std::vector<std::string> dropped;
  // Packets that waited for a call when the run ended, and the error of the run
  // if that is it.
  std::int64_t left_over = 0;
  absl::Status left_over_error;
  // The trace is not whole, or there is no picture, and the run is good.
  absl::Status trace_error;
  absl::Status picture_error;
  int signal = 0;  // that interrupted it, or 0
  absl::Duration duration;
};

std::int64_t LeftOver(const GraphRuntimeInfo& info) {
  std::int64_t packets = 0;
  for (const CalculatorRuntimeInfo& node : info.calculator_infos()) {
    for (const InputStreamRuntimeInfo& input : node.input_stream_infos()) {
      for (const DroppedPacketsInfo& dropped : input.dropped_packets()) {
        if (dropped.cause() != DroppedPacketsInfo::AT_END) continue;
        packets += dropped.number_of_packets();
      }
    }
  }
  return packets;
}

// Says by itself why a run stands still, until it is interrupted. Borrows
// `is_interrupted` for the life of the graph.
void Watch(const GraphFiles& files, RecordingRun* recordings,
           absl::Duration after, const std::atomic<bool>* is_interrupted,
           CalculatorGraph* graph) {
  CalculatorGraph::StandstillOptions options;
  options.after = after;
  options.tell = [is_interrupted](const std::string& text) {
    if (!is_interrupted->load()) TellOfRun(text);
  };
  // A recording may be played as slowly as it was made, and who types packets
  // may take time.
  const bool is_patient = recordings->replay() != nullptr || files.AreTyped();
  if (recordings->steps()) options.after = absl::ZeroDuration();
  options.program_waits = !is_patient;
  options.feeders = files.FeederNames();
  graph->ExplainStandstills(std::move(options));
}

// Without threads of its own a graph runs where it is waited for: so that is
// done here, while another thread feeds it from pipes and waits for what they
// have next.
absl::Status FeedWhileItRuns(const std::function<absl::Status()>& feed,
                             CalculatorGraph* graph) {
  absl::Status status;
  std::thread feeder;
  try {
    feeder = std::thread([&] { status = feed(); });
  } catch (const std::system_error& error) {
    graph->Cancel();
    return absl::ResourceExhaustedError(
        absl::StrCat("no thread can be made to read the inputs (", error.what(),
                     "): let the machine run fewer threads"));
  }
  // The caller asks for the status of the run.
  graph->WaitUntilDone().IgnoreError();
  feeder.join();
  return status;
}

// Feeds the run that has started, and returns its status, or why it could not
// be fed.
absl::Status FeedAndWait(const GraphPlan& plan, GraphFiles* files,
                         RecordingRun* recordings, RunSignals* signals,
                         CalculatorGraph* graph) {
  // With steps the user presses Enter after each line, so there is no line of
  // progress.
  absl::optional<ProgressLine> progress;
  if (!recordings->steps()) {
    progress.emplace(
        [graph] { return absl::StrCat(PacketsSent(graph), " packets sent"); });
  }
  const auto feed = [&]() -> absl::Status {
    const int interrupt_fd = signals->interruption().fd();
    const absl::Status fed =
        recordings->replay() != nullptr
            ? recordings->Feed(graph, interrupt_fd, [files] { files->Flush(); })
            : files->Feed(graph, interrupt_fd);
    signals->WaitUntilExplained();
    // The graph's own errors come back from WaitUntilDone, too.
    if (fed.ok() || graph->HasError()) return absl::OkStatus();
    graph->Cancel();
    return fed;
  };
  const bool runs_where_it_is_waited_for =
      plan.executors()[0].kind == ExecutorKind::kApplicationThread;
  const absl::Status fed = runs_where_it_is_waited_for && files->MayWait()
                               ? FeedWhileItRuns(feed, graph)
                               : feed();
  const absl::Status run = graph->WaitUntilDone();
  return fed.ok() ? run : fed;
}

// One run, from the files into the files. `quit` gives the answers to Ctrl-\.
absl::Status RunWithFiles(const GraphPlan& plan,
                          const std::map<std::string, Packet>& side_packets,
                          const GraphRunFlags& flags, GraphFiles* files,
                          RecordingRun* recordings, RunTracing* tracing,
                          RunPicture* picture, QuitSignal* quit,
                          RunResult* result) {
  const absl::Time start = absl::Now();
  std::atomic<bool> is_interrupted{false};
  CalculatorGraph graph;
  SYNCLINE_RETURN_IF_ERROR(picture->Watch(&graph));
  SYNCLINE_RETURN_IF_ERROR(graph.Initialize(plan, side_packets));
  if (flags.device != nullptr) {
    std::cerr << kProgram << ": " << Shown(flags.device->text()) << "\n";
    SYNCLINE_RETURN_IF_ERROR(flags.device->GiveTo(&graph));
  }
  Watch(*files, recordings, flags.explain_after, &is_interrupted, &graph);
  SYNCLINE_RETURN_IF_ERROR(files->Observe(&graph));
  SYNCLINE_RETURN_IF_ERROR(recordings->Attach(&graph));
  // From here on there are files that nobody wants of a run that never was.
  absl::optional<RunSignals> signals;
  signals.emplace(&graph, tracing, picture, quit, &is_interrupted);
  SYNCLINE_RETURN_IF_ERROR(tracing->Start(&graph));
  RunPage page(flags.page, flags.title,
               /*is_traced=*/!flags.trace.flight_recorder.empty());
  SYNCLINE_RETURN_IF_ERROR(page.Start(&graph));
  SYNCLINE_ASSIGN_OR_RETURN(const auto headers, recordings->StreamHeaders());
  SYNCLINE_RETURN_IF_ERROR(recordings->Start(side_packets, headers));
  SYNCLINE_RETURN_IF_ERROR(files->BeginOutputs());
  absl::Status status = graph.StartRun({}, headers);
  if (!status.ok()) {
    result->signal = signals->EndRun();
    return recordings->Finish(status, result->signal != 0);
  }
  // A signal that came before the graph ran has cancelled nothing.
  if (signals->interruption().signal() != 0) {
    signals->WaitUntilExplained();
    graph.Cancel();
  }
  status = FeedAndWait(plan, files, recordings, &*signals, &graph);
  result->signal = signals->EndRun();
  if (!status.ok() && !graph.GetLeftAtEnd().empty()) {
    result->left_over_error = std::exchange(status, absl::OkStatus());
  }
  result->packets = PacketsSent(&graph);
  // The end that was asked for is no error.
  if (result->signal != 0 && absl::IsCancelled(status)) {
    status = absl::OkStatus();
  }
  const absl::StatusOr<GraphRuntimeInfo> info = graph.GetGraphRuntimeInfo();
  if (info.ok()) {
    result->dropped = DroppedPacketsTexts(*info);
    result->left_over = LeftOver(*info);
  }
  status = recordings->Finish(status, result->signal != 0);
  status.Update(files->Close());
  result->duration = absl::Now() - start;
  result->trace_error = tracing->Finish(&graph, status);
  result->picture_error =
      picture->Finish(&graph, status.ok() ? result->left_over_error : status,
                      result->signal != 0);
  if (result->signal == 0) result->signal = signals->interruption().signal();
  signals.reset();
  if (result->signal == 0) page.Stay();
  return status;
}

// "1 node", "2 nodes".
std::string Count(std::int64_t count, absl::string_view noun) {
  return absl::StrCat(count, " ", noun, count == 1 ? "" : "s");
}

// Those of the command line, and of the recording that is replayed.
absl::StatusOr<std::map<std::string, Packet>> SidePackets(
    const GraphPlan& plan, const GraphRunFlags& flags,
    const RecordingRun& recordings) {
  std::map<std::string, Packet> recorded;
  if (recordings.replay() != nullptr) {
    SYNCLINE_ASSIGN_OR_RETURN(recorded,
                              RecordedSidePackets(*recordings.replay()));
  }
  return ReadSidePackets(plan, flags.input_side_packets, recorded);
}

}  // namespace

int RunGraph(const GraphPlan& plan, const GraphRunFlags& flags,
             RecordingRun* recordings, FileUses* uses, QuitSignal* quit) {
  const absl::StatusOr<std::map<std::string, Packet>> side_packets =
      SidePackets(plan, flags, *recordings);
  if (!side_packets.ok()) {
    return Fail(kProgram, ExitStatusOf(side_packets.status()),
                side_packets.status().message());
  }
  SayThatRunHasNotBegun(
      "its files are opened first, and a pipe waits for the program at its "
      "other end",
      quit);
  GraphFiles files;
  absl::Status opened = files.Open(plan, flags.input, flags.output, uses,
                                   recordings->replay() != nullptr);
  if (opened.ok()) opened = recordings->AddUses(uses);
  RunTracing tracing(flags.trace);
  if (opened.ok()) opened = tracing.AddUses(uses);
  RunPicture picture(flags.picture, flags.title);
  if (opened.ok()) opened = picture.AddUses(uses);
  if (!opened.ok())
    return Fail(kProgram, ExitStatusOf(opened), opened.message());
  if (flags.explore != 0) {
    quit->Answer([] {
      TellOfRun("There is no one run to explain: --explore makes many.\n");
    });
    return RunInManyOrders(plan, *side_packets, flags, &files);
  }
  RunResult result;
  const absl::Status status =
      RunWithFiles(plan, *side_packets, flags, &files, recordings, &tracing,
                   &picture, quit, &result);
  std::cout << std::flush;
  // As shells have it.
  const int interrupted = result.signal == 0 ? 0 : 128 + result.signal;
  if (!result.picture_error.ok()) {
    std::cerr << "run_graph: " << Shown(result.picture_error.message()) << "\n";
  }
  if (!status.ok()) {
    return Fail(kProgram, interrupted != 0 ? interrupted : kFailed,
                status.message());
  }
  if (!std::cout)
    return Fail(kProgram, kFailed, "cannot write to standard output");
  std::cerr << "run_graph: "
            << Count(static_cast<std::int64_t>(plan.nodes().size()), "node")
            << " sent " << Count(result.packets, "packet") << " in "
            << absl::FormatDuration(result.duration)
            << (interrupted != 0 ? ", interrupted" : "") << "\n";
  for (const std::string& line : recordings->Summary()) {
    std::cerr << "run_graph: " << Shown(line) << "\n";
  }
  for (const std::string& line : tracing.summary()) {
    std::cerr << "run_graph: " << Shown(line) << "\n";
  }
  for (const std::string& dropped : result.dropped) {
    std::cerr << "run_graph: node " << Shown(dropped) << "\n";
  }
  uses->TellPlaces(kProgram);
  const int traced =
      result.trace_error.ok() && result.picture_error.ok() ? 0 : kFailed;
  if (!result.trace_error.ok()) {
    std::cerr << "run_graph: " << Shown(result.trace_error.message()) << "\n";
  }
  // Whoever ends a run early leaves something.
  if (interrupted != 0) return interrupted;
  const absl::string_view why = result.left_over_error.message();
  if (flags.allow_leftover) {
    if (!why.empty()) std::cerr << "run_graph: warning: " << Shown(why) << "\n";
    return traced;
  }
  if (result.left_over == 0) return traced;
  if (!why.empty()) std::cerr << "run_graph: " << Shown(why) << "\n";
  return Fail(kProgram, kFailed,
              absl::StrCat(Count(result.left_over, "packet"),
                           " that came in had no part in any call, as the "
                           "lines above tell; with --allow_leftover that is no "
                           "error"));
}

}  // namespace syncline
