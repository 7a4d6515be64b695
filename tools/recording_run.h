// What --record, --replay and their options ask of a run of run_graph.
//
//   SYNCLINE_ASSIGN_OR_RETURN(auto recordings, RecordingRun::Open(request));
//   ... the graph is recordings->replay()'s, if none is named
//   SYNCLINE_RETURN_IF_ERROR(recordings->Attach(&graph));
//   SYNCLINE_ASSIGN_OR_RETURN(auto headers, recordings->StreamHeaders());
//   SYNCLINE_RETURN_IF_ERROR(recordings->Start(side_packets, headers));
//   ... StartRun
//   status = recordings->Feed(&graph, interrupt_fd, flush);
//   ... WaitUntilDone
//   status = recordings->Finish(status, was_interrupted);
//
// Thread rule: one thread.
// Tested by recording_run_test and recording_flags_test.

#ifndef SYNCLINE_TOOLS_RECORDING_RUN_H_
#define SYNCLINE_TOOLS_RECORDING_RUN_H_

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/graph/calculator_graph.h"
#include "framework/packet/packet.h"
#include "framework/recording/graph_recorder.h"
#include "framework/recording/recording_reader.h"
#include "framework/recording/replay_check.h"
#include "tools/file_uses.h"
#include "tools/recording_flags.h"

namespace syncline {

class RecordingRun {
 public:
  // Opens what is to be replayed; errors of RecordingReader.
  static absl::StatusOr<std::unique_ptr<RecordingRun>> Open(
      RecordingRequest request);

  // Null where nothing is replayed.
  const RecordingReader* replay() const { return replay_.get(); }
  // Whether somebody presses Enter for each packet.
  bool steps() const { return request_.steps; }

  // INVALID_ARGUMENT: what is to be recorded would go into a file of `uses`.
  absl::Status AddUses(FileUses* uses) const;

  // After Initialize, before StartRun.
  absl::Status Attach(CalculatorGraph* graph);
  // Of the inputs of the graph, for StartRun: those that are replayed.
  absl::StatusOr<std::map<std::string, Packet>> StreamHeaders() const;
  // With the side packets and headers of the run.
  absl::Status Start(const std::map<std::string, Packet>& side_packets,
                     const std::map<std::string, Packet>& stream_headers);
  // With a replay: feeds the inputs of the graph, and closes them. Ends early
  // when `interrupt_fd` is readable (-1 for never). Calls `when_idle` before
  // somebody is asked to press Enter: all that came so far has had its effects.
  absl::Status Feed(CalculatorGraph* graph, int interrupt_fd,
                    const std::function<void()>& when_idle);
  // After the run, which ended with `run`, perhaps since it was interrupted.
  // Returns `run`, or what is wrong with the recordings, such as a difference.
  // A replay that ended early is not compared.
  absl::Status Finish(const absl::Status& run, bool was_interrupted);
  // What to say of the recordings after Finish.
  std::vector<std::string> Summary() const;

 private:
  explicit RecordingRun(RecordingRequest request)
      : request_(std::move(request)) {}

  const RecordingRequest request_;
  std::unique_ptr<RecordingReader> replay_;
  std::unique_ptr<ReplayCheck> check_;
  std::unique_ptr<GraphRecorder> recorder_;
  // The replay ended before the recording did, as somebody wanted.
  bool was_stopped_ = false;
};

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_RECORDING_RUN_H_
