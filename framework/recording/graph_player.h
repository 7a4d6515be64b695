// Feeding a recording into a graph again.
//
//   SYNCLINE_ASSIGN_OR_RETURN(auto recording, RecordingReader::Open(path));
//   SYNCLINE_ASSIGN_OR_RETURN(auto side_packets,
//                             RecordedSidePackets(*recording));
//   SYNCLINE_RETURN_IF_ERROR(CheckFits(*recording, graph.plan()));
//   SYNCLINE_ASSIGN_OR_RETURN(auto headers, RecordedHeaders(*recording));
//   SYNCLINE_RETURN_IF_ERROR(graph.StartRun(side_packets, headers));
//   SYNCLINE_RETURN_IF_ERROR(PlayRecording(*recording, &graph, {}));
//   SYNCLINE_RETURN_IF_ERROR(graph.WaitUntilDone());
//
// Packets, bounds and ends of the graph's inputs come in the order in which
// they came when they were recorded. A graph that is deterministic does the
// same again; see ReplayCheck for finding out where it does not.
//
// Message times (PacketTimes) are given as they were recorded, by the clock of
// the recorded run; what a recording has none for gets those of the replay.
//
// Thread rule: PlayRecording may run on any one thread while the graph runs.
// Tested by graph_recorder_test.

#ifndef SYNCLINE_FRAMEWORK_RECORDING_GRAPH_PLAYER_H_
#define SYNCLINE_FRAMEWORK_RECORDING_GRAPH_PLAYER_H_

#include <functional>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "framework/graph/calculator_graph.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/recording/recording_file.h"
#include "framework/recording/recording_reader.h"

namespace syncline {

struct PlayOptions {
  // Only packets with timestamps from `from` to `to` are played, both included.
  Timestamp from = Timestamp::Unset();
  Timestamp to = Timestamp::Unset();
  // How many times as fast as it was recorded; 0 for as fast as can be. What
  // lies before the first and after the last packet that is played takes no
  // time.
  double speed = 0;
  // Called before each packet, with its value. False: nothing more is fed, and
  // the inputs are closed.
  std::function<bool(const RecordedEvent& event, const Packet& packet)>
      before_packet;
  // Waits for this duration. False has the same effect as from before_packet.
  // Where it is absent, the player sleeps.
  std::function<bool(absl::Duration)> wait;
};

// The recorded value of a packet or side packet. UNIMPLEMENTED, NOT_FOUND: of a
// type that this program has no bytes for; DATA_LOSS: not the bytes of one.
absl::StatusOr<Packet> DecodeRecorded(const std::string& type,
                                      const std::string& data);

absl::StatusOr<std::map<std::string, Packet>> RecordedSidePackets(
    const RecordingReader& recording);

// For StartRun: the headers that the graph's inputs had. The errors are those
// of RecordedSidePackets.
absl::StatusOr<std::map<std::string, Packet>> RecordedHeaders(
    const RecordingReader& recording);

// Whether the graph has the recorded inputs and no others. FAILED_PRECONDITION
// names those that differ.
absl::Status CheckFits(const RecordingReader& recording, const GraphPlan& plan);

// Feeds the inputs, then closes those that are open. Warns once if some packets
// are missing, since the disk was too slow for them. An error is of the file,
// with the place in it, or the graph's.
absl::Status PlayRecording(const RecordingReader& recording,
                           CalculatorGraph* graph, const PlayOptions& options);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RECORDING_GRAPH_PLAYER_H_
