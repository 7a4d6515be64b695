// ReplayCheck: whether a graph sends what it sent when it was recorded.
//
//   SYNCLINE_ASSIGN_OR_RETURN(auto check,
//                             ReplayCheck::Create(&graph, path, {}));
//   ... StartRun, PlayRecording, WaitUntilDone
//   const absl::Status same = check->Finish();
//
// Every recorded stream that is no input of the graph is compared, packet by
// packet: timestamp and bytes. The status of Finish shows the first difference
// with what is around it, and what the graph was given then; see
// stream_comparison.h.
//
// The first difference is that with the earliest timestamp. Later differences
// are only counted, because the first may have caused them. A recording that
// was cut short, or of a run that did not end well, is compared up to its end:
// the recorded run sent nothing after it that could be compared. Where the disk
// was too slow for a stream, the packets that are missing are not compared. If
// packets of a graph input are missing, no run can be compared.
//
// Thread rule: Create before StartRun, Finish after the run; what is in between
// happens on threads of the graph.
// Tested by replay_check_test; with a recorder, by graph_recorder_test.

#ifndef SYNCLINE_FRAMEWORK_RECORDING_REPLAY_CHECK_H_
#define SYNCLINE_FRAMEWORK_RECORDING_REPLAY_CHECK_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/graph/calculator_graph.h"
#include "framework/recording/recording_reader.h"

namespace syncline {

class ReplayCheck {
 public:
  // `range` as it is played. A packet of another type than the recorded one
  // ends the run. FAILED_PRECONDITION: the recording has no streams to compare,
  // or the graph does not have them, or there are gaps: in inputs, or, where
  // only a range is played, in what is compared.
  static absl::StatusOr<std::unique_ptr<ReplayCheck>> Create(
      CalculatorGraph* graph, const std::string& path,
      const RecordingRange& range);
  ~ReplayCheck();
  ReplayCheck(const ReplayCheck&) = delete;
  ReplayCheck& operator=(const ReplayCheck&) = delete;

  // DATA_LOSS with the first difference.
  absl::Status Finish();

  // Packets that were the same, of all streams; and those that the recording
  // does not have.
  std::int64_t packets() const;
  std::int64_t skipped() const;

 private:
  struct Source;
  struct Stream;

  ReplayCheck() = default;

  // The source for the stream that is about to be added.
  absl::StatusOr<std::shared_ptr<Source>> NextSource(const std::string& path);

  std::unique_ptr<RecordingReader> recording_;
  // Shared with the observers, which live as long as the graph does.
  std::vector<std::shared_ptr<Stream>> streams_;
  std::vector<std::shared_ptr<Source>> sources_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RECORDING_REPLAY_CHECK_H_
