// What --record, --replay and their options ask of a run of run_graph.
//
//   SYNCLINE_ASSIGN_OR_RETURN(auto recordings, RecordingRun::Open());
//   ... the graph is recordings->replay()'s, if none is named
//   SYNCLINE_RETURN_IF_ERROR(recordings->Attach(&graph));
//   SYNCLINE_ASSIGN_OR_RETURN(auto headers, recordings->StreamHeaders());
//   SYNCLINE_RETURN_IF_ERROR(recordings->Start(side_packets, headers));
//   ... StartRun
//   status = recordings->Feed(&graph, interrupt_fd);
//   ... WaitUntilDone
//   status = recordings->Finish(status);
//
// Thread rule: one thread.
// Tested by recording_flags_test.

#ifndef SYNCLINE_TOOLS_RECORDING_RUN_H_
#define SYNCLINE_TOOLS_RECORDING_RUN_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/graph/calculator_graph.h"
#include "framework/packet/packet.h"
#include "framework/recording/graph_player.h"
#include "framework/recording/graph_recorder.h"
#include "framework/recording/recording_reader.h"
#include "framework/recording/replay_check.h"

namespace syncline {

// For CheckFlags; and the part of --help.
std::vector<std::string> RecordingFlagNames();
extern const char kRecordingFlagsHelp[];

class RecordingRun {
 public:
  // Reads the flags, and opens what is to be replayed. INVALID_ARGUMENT for
  // flags that make no sense; errors of RecordingReader. `compares`: --check.
  static absl::StatusOr<std::unique_ptr<RecordingRun>> Open(bool compares);

  // Null without --replay.
  const RecordingReader* replay() const { return replay_.get(); }

  // After Initialize, before StartRun.
  absl::Status Attach(CalculatorGraph* graph);
  // Of the inputs of the graph, for StartRun: those that are replayed.
  absl::StatusOr<std::map<std::string, Packet>> StreamHeaders() const;
  // With the side packets and headers of the run.
  absl::Status Start(const std::map<std::string, Packet>& side_packets,
                     const std::map<std::string, Packet>& stream_headers);
  // With --replay: feeds the inputs of the graph, and closes them. Ends early
  // when `interrupt_fd` is readable.
  absl::Status Feed(CalculatorGraph* graph, int interrupt_fd);
  // After the run, which ended with `run`. Returns it, or what is wrong with
  // the recordings, such as a difference.
  absl::Status Finish(const absl::Status& run);
  // What to say of the recordings after Finish.
  std::vector<std::string> Summary() const;

 private:
  RecordingRun() = default;

  // --step: shows a packet, and waits for a line on standard input.
  bool Step(CalculatorGraph* graph, const RecordedEvent& event,
            const Packet& packet) const;

  std::string record_path_;
  RecordingOptions record_options_;
  bool compares_ = false;
  bool steps_ = false;
  PlayOptions play_;
  std::unique_ptr<RecordingReader> replay_;
  std::unique_ptr<ReplayCheck> check_;
  std::unique_ptr<GraphRecorder> recorder_;
};

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_RECORDING_RUN_H_
