// PerfettoQueues: how many packets wait at each input of each node, as counters
// of a Perfetto trace.
//
// A counter has a value when its queue has another length at the end of a tick
// than before. Queues of which nothing is known have no track.
//
// Thread rule: for one thread at a time.
// Tested by perfetto_form_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_CONVERT_PERFETTO_QUEUES_H_
#define SYNCLINE_FRAMEWORK_TRACE_CONVERT_PERFETTO_QUEUES_H_

#include <cstdint>
#include <vector>

#include "framework/config/trace_file.pb.h"
#include "framework/trace/convert/perfetto_events.h"
#include "framework/trace/convert/perfetto_tracks.h"

namespace syncline {

class PerfettoQueues {
 public:
  // All outlive this.
  PerfettoQueues(const TraceFileHeader& header, PerfettoTracks* tracks,
                 PerfettoEvents* events);

  // A packet came to all queues of the stream.
  void Sent(std::int32_t stream) {
    for (const Input& input : readers_[stream]) Change(input, 1);
  }
  // Ports that the node does not have are passed over.
  void Taken(std::int32_t node, std::int32_t port);
  // From a queue of this stream; nothing, if the node has none.
  void Dropped(std::int32_t stream, std::int32_t node);
  // Writes what has changed.
  void EndTick(std::uint64_t tick);

 private:
  struct Queue {
    std::uint64_t track = 0;  // 0: none yet
    std::int64_t length = 0;
    std::int64_t shown = 0;
    bool has_changed = false;
  };
  struct Input {
    std::int32_t node = 0;
    std::int32_t port = 0;
  };

  Queue& At(const Input& input) { return queues_[input.node][input.port]; }
  void Change(const Input& input, std::int64_t by);

  const TraceFileHeader& header_;
  PerfettoTracks& tracks_;
  PerfettoEvents& events_;
  std::vector<std::vector<Input>> readers_;  // by stream
  std::vector<std::vector<Queue>> queues_;   // node, port
  // In this tick, each once.
  std::vector<Input> changed_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_CONVERT_PERFETTO_QUEUES_H_
