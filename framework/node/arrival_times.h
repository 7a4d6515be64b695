// ArrivalTimes: when the packets that wait at the inputs of a node arrived, at
// the few nodes whose conditions or timeouts ask.
//
// A queue does not tell this object when a packet leaves. So until Trim, the
// first times may be those of packets that have left.
//
// Thread rule: guarded by the node's lock.
// Tested by arrival_times_test.

#ifndef SYNCLINE_FRAMEWORK_NODE_ARRIVAL_TIMES_H_
#define SYNCLINE_FRAMEWORK_NODE_ARRIVAL_TIMES_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "absl/types/span.h"
#include "framework/stream/input_queue.h"

namespace syncline {

class ArrivalTimes {
 public:
  // Times are kept from now on.
  void Keep(std::size_t num_inputs) {
    times_.resize(num_inputs);
    num_noted_.resize(num_inputs);
  }
  bool are_kept() const { return !times_.empty(); }

  // Packets have come to `queue`, that of `port`. Some of them may have left it
  // already, or been dropped. REQUIRES: are_kept().
  void Note(int port, const InputQueue& queue, std::int64_t now_ns) {
    for (; num_noted_[port] < queue.added(); ++num_noted_[port]) {
      times_[port].push_back(now_ns);
    }
    Trim(queue, &times_[port]);
  }
  // Forgets packets that have left. `queues`: of all inputs.
  void Trim(absl::Span<const InputQueue> queues) {
    for (std::size_t port = 0; port < times_.size(); ++port) {
      Trim(queues[port], &times_[port]);
    }
  }

  // After a Trim: by port, the times of the packets that wait, in their order.
  absl::Span<const std::deque<std::int64_t>> times() const { return times_; }

 private:
  static void Trim(const InputQueue& queue, std::deque<std::int64_t>* times) {
    const auto queued = static_cast<std::size_t>(queue.size());
    while (times->size() > queued) times->pop_front();
  }

  std::vector<std::deque<std::int64_t>> times_;
  std::vector<std::int64_t> num_noted_;  // by port
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_NODE_ARRIVAL_TIMES_H_
