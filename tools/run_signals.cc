#include "tools/run_signals.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "framework/config/graph_runtime_info.pb.h"
#include "tools/exit_status.h"

namespace syncline {
namespace {

// What has come to the inputs of nodes, and what they have sent; 0 before the
// nodes are made.
std::int64_t NumMoved(CalculatorGraph* graph) {
  const absl::StatusOr<GraphRuntimeInfo> info = graph->GetGraphRuntimeInfo();
  std::int64_t moved = 0;
  if (!info.ok()) return moved;
  for (const auto& node : info->calculator_infos()) {
    for (const auto& input : node.input_stream_infos()) {
      moved += input.number_of_packets_added();
    }
    for (const auto& output : node.output_stream_infos()) {
      moved += output.number_of_packets_added();
    }
  }
  return moved;
}

// Begins what is said of a run in which packets move.
constexpr char kGoesOn[] =
    "The run goes on. What waits at this moment may be served the next:\n";

// Without the lines that send the reader to see what a thread does: in a run
// that goes on, it does something else by then.
std::string OfRunThatGoesOn(absl::string_view text) {
  std::vector<absl::string_view> lines = absl::StrSplit(text, '\n');
  lines.erase(std::remove_if(lines.begin(), lines.end(),
                             [](absl::string_view line) {
                               return absl::StartsWith(line,
                                                       "What to do: See ");
                             }),
              lines.end());
  return absl::StrCat(kGoesOn, absl::StrJoin(lines, "\n"));
}

}  // namespace

void TellOfRun(absl::string_view text) {
  const bool is_terminal = isatty(STDERR_FILENO) != 0;
  std::cerr << absl::StrCat(is_terminal ? "\n" : "", "run_graph: ", Shown(text))
            << std::flush;
}

void TellThatRunHasNotBegun(absl::string_view why) {
  TellOfRun(absl::StrCat("The run has not begun: ", why, ".\n"));
}

void SayThatRunHasNotBegun(absl::string_view why, QuitSignal* quit) {
  quit->Answer([why] { TellThatRunHasNotBegun(why); });
}

RunSignals::RunSignals(CalculatorGraph* graph, RunTracing* tracing,
                       const RunPicture* picture, QuitSignal* quit,
                       std::atomic<bool>* is_interrupted)
    : graph_(graph),
      tracing_(tracing),
      picture_(picture),
      quit_(quit),
      is_interrupted_(is_interrupted) {
  quit_->Answer([this] { OnQuit(); });
}

RunSignals::~RunSignals() { SayThatRunIsOver(); }

void RunSignals::SayThatRunIsOver() {
  // To bring a long trace into another form takes a while.
  quit_->Answer([] {
    TellOfRun("The run is over, and what it leaves is being written.\n");
  });
}

int RunSignals::EndRun() {
  SayThatRunIsOver();
  const int signal = interruption_.signal();
  interruption_.ArmAgain([tracing = tracing_] { tracing->GiveUp(); },
                         "leaving out what is not written yet");
  return signal;
}

void RunSignals::WaitUntilExplained() {
  if (interruption_.signal() != 0) is_explained_.WaitForNotification();
}

void RunSignals::OnInterruption() {
  is_interrupted_->store(true);
  const std::string why = graph_->ExplainIfStill(kStill);
  if (!why.empty()) TellOfRun(why);
  is_explained_.Notify();
  graph_->Cancel();
}

void RunSignals::OnQuit() {
  if (!graph_->GetGraphRuntimeInfo().ok()) {
    TellThatRunHasNotBegun("its nodes are being made");
    return;
  }
  const std::int64_t before = NumMoved(graph_);
  absl::SleepFor(kStill);
  const bool goes_on = NumMoved(graph_) != before;
  const std::string why = graph_->Explain();
  TellOfRun(goes_on ? OfRunThatGoesOn(why) : why);
  for (const std::string& written :
       {tracing_->WriteFlightRecorder(graph_), picture_->Draw(graph_)}) {
    if (!written.empty()) TellOfRun(absl::StrCat(written, "\n"));
  }
}

}  // namespace syncline
