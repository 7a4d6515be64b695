// GraphRecorder: writes what flows through streams of a graph into a recording.
//
//   CalculatorGraph graph;
//   SYNCLINE_RETURN_IF_ERROR(graph.Initialize(config));
//   SYNCLINE_ASSIGN_OR_RETURN(
//       auto recorder, GraphRecorder::Create(&graph, "run.syncline", {}));
//   SYNCLINE_RETURN_IF_ERROR(recorder->Start(side_packets));
//   SYNCLINE_RETURN_IF_ERROR(graph.StartRun(side_packets));
//   ...
//   const absl::Status run = graph.WaitUntilDone();
//   SYNCLINE_RETURN_IF_ERROR(recorder->Finish(run));
//
// A recording has the packets and bounds of the chosen streams, and where each
// stream ended, in the order in which the graph sent them. It has the message
// times that inputs keep (packet_times.h), the graph itself, its side packets
// and the headers of its inputs. The thread that sends a packet pays for a lock
// and a reference; a thread of the recorder turns packets into bytes and
// commits at least every `commit_every`. While a packet waits to be written it
// has one more owner, so a calculator that would take its value over
// (Packet::Consume) gets a copy, or the error that it is shared.
//
// A recorder is for one run of a graph, which must outlive it. When the file
// cannot be written the run ends with that error, unless it has ended already;
// what was committed stays.
//
// Thread rule: as CalculatorGraph for Create, Start and Finish; counts() on any
// thread.
// Tested by graph_recorder_test.

#ifndef SYNCLINE_FRAMEWORK_RECORDING_GRAPH_RECORDER_H_
#define SYNCLINE_FRAMEWORK_RECORDING_GRAPH_RECORDER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "framework/graph/calculator_graph.h"
#include "framework/packet/packet.h"
#include "framework/recording/recording_file.h"
#include "framework/recording/recording_queue.h"
#include "framework/recording/recording_writer.h"

namespace syncline {

struct RecordingOptions {
  // Names of streams of the expanded graph. Empty: the inputs of the graph.
  // "*": the inputs and every stream whose type has bytes.
  std::vector<std::string> streams;
  // When more than `max_waiting_bytes` wait for the disk: whoever sends waits,
  // or packets are dropped, counted, and noted as gaps. The log says so once.
  RecordingQueue::WhenFull when_full = RecordingQueue::WhenFull::kBlock;
  std::int64_t max_waiting_bytes = std::int64_t{256} << 20;
  // Packets older than this are in the file even if the program is killed, as
  // long as the disk keeps up. Must be positive.
  absl::Duration commit_every = absl::Milliseconds(100);
};

class GraphRecorder {
 public:
  // To be called after Initialize and before StartRun. NOT_FOUND: there is no
  // such stream. UNIMPLEMENTED: packets of a stream have no bytes; the error
  // says how to give them some.
  static absl::StatusOr<std::unique_ptr<GraphRecorder>> Create(
      CalculatorGraph* graph, const std::string& path,
      const RecordingOptions& options);
  // Calls Finish if nobody has: the recording then says that it was cut short.
  ~GraphRecorder();
  GraphRecorder(const GraphRecorder&) = delete;
  GraphRecorder& operator=(const GraphRecorder&) = delete;

  // Makes the file. `side_packets` are those of the run, with those that
  // Initialize was given; `stream_headers` are those that StartRun is given.
  // ALREADY_EXISTS, UNIMPLEMENTED as Create has it; FAILED_PRECONDITION for a
  // second run.
  absl::Status Start(const std::map<std::string, Packet>& side_packets,
                     const std::map<std::string, Packet>& stream_headers = {});

  // To be called after the run, which ended with `run`: writes the packets that
  // are left. Returns the first error of the recording.
  absl::Status Finish(const absl::Status& run);

  using Counts = RecordingQueue::Counts;
  Counts counts() const;
  const std::vector<RecordedStream>& streams() const { return streams_; }

 private:
  class Log;

  GraphRecorder(CalculatorGraph* graph, std::string path,
                std::vector<RecordedStream> streams,
                const RecordingOptions& options);
  absl::Status Observe();

  CalculatorGraph* const graph_;
  const std::string path_;
  const std::vector<RecordedStream> streams_;
  // Shared with the observers, which live as long as the graph does.
  const std::shared_ptr<Log> log_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RECORDING_GRAPH_RECORDER_H_
