// InputFeatures: the state of those features of inputs that few nodes use:
// streams with idle_after, queues that drop packets, the times of packets, and
// the inputs at which producers wait for room.
//
// Most nodes use none of these features, so their state has no place in the row
// of memory of each node. A node has an InputFeatures only if it needs one.
//
// Thread rule: guarded by the node's lock.
// Tested by node_inputs_test (input_features_test.cc) and, in graphs, by
// queue_policy_graph_test, message_times_graph_test and idle_after_graph_test.

#ifndef SYNCLINE_FRAMEWORK_NODE_INPUT_FEATURES_H_
#define SYNCLINE_FRAMEWORK_NODE_INPUT_FEATURES_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/types/optional.h"
#include "framework/calculator/packet_times.h"
#include "framework/config/calculator.pb.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/input_policy.h"
#include "framework/stream/queue_notes.h"

namespace syncline {

struct InputFeatures {
  // A stream with idle_after.
  struct SilentStream {
    int port = 0;
    int after_port = 0;
    std::int64_t gap = 0;
    // A packet below this is late.
    Timestamp settled;
  };

  // A queue that drops packets at its limit, where others pause sources.
  struct BoundedQueue {
    int capacity = 0;  // 0: it pauses sources
    InputStreamInfo::QueuePolicy policy = InputStreamInfo::BLOCK;
    // For FAULT: whether the error was reported.
    bool has_failed = false;
  };

  // The times of the packets in a queue.
  struct TimedQueue {
    bool is_timed = false;
    QueueNotes<PacketTimes> notes;
  };

  bool IsBounded(int port) const {
    return !bounded_queues.empty() && bounded_queues[port].capacity > 0;
  }
  bool IsTimed(int port) const {
    return !timed_queues.empty() && timed_queues[port].is_timed;
  }

  // A packet at `timestamp` comes to `port` too late: idle_after has settled
  // this time already.
  bool IsLate(int port, Timestamp timestamp) const {
    return std::any_of(silent_streams.begin(), silent_streams.end(),
                       [&](const SilentStream& silent) {
                         return silent.port == port &&
                                timestamp < silent.settled;
                       });
  }

  std::vector<SilentStream> silent_streams;
  // By port. Empty where no input has such a queue.
  std::vector<BoundedQueue> bounded_queues;
  std::vector<TimedQueue> timed_queues;
  // Whether producers wait for room at the input.
  std::vector<char> watched_rooms;
  // Where readiness is remembered: Evaluate has said that a call can start, and
  // none was started since.
  absl::optional<Readiness> ready;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_NODE_INPUT_FEATURES_H_
