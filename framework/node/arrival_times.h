// ArrivalTimes: when the packets that wait at the inputs of a node arrived, at
// the few nodes whose conditions or timeouts ask.
//
// Others may take or drop packets meanwhile, always at the front: so there may
// be some times too many in front, until somebody trims.
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
  // From now on they are kept; before, none is.
  void Keep(std::size_t num_inputs) {
    times_.resize(num_inputs);
    num_noted_.resize(num_inputs);
  }
  bool are_kept() const { return !times_.empty(); }

  // Packets have come to `port`, whose queue this is, though some may have left
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

  // Of the packets that wait, after a Trim; by port, in their order.
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
