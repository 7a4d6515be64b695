// RunSidePackets: the side packets of a run, by their id in the plan. A side
// packet is empty until it is set.
//
// RememberedNode: what is known of a node from earlier runs of its graph. A
// node without streams makes the same output side packets of the same input
// side packets, so it need not be opened again. (Two packets are the same when
// they share their value.)
//
// Thread rule: RunSidePackets, any thread; no packet is released with the lock
// held. A RememberedNode is a value.
// Tested by run_side_packets_test.

#ifndef SYNCLINE_FRAMEWORK_RUN_RUN_SIDE_PACKETS_H_
#define SYNCLINE_FRAMEWORK_RUN_RUN_SIDE_PACKETS_H_

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/types/span.h"
#include "framework/base/mutex.h"
#include "framework/packet/packet.h"

namespace syncline {

class RunSidePackets {
 public:
  explicit RunSidePackets(size_t count) : packets_(count) {}

  void Set(int id, Packet packet) ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    std::swap(packets_[id], packet);
  }
  Packet Get(int id) const ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    return packets_[id];
  }
  std::vector<Packet> Get(absl::Span<const int> ids) const
      ABSL_LOCKS_EXCLUDED(mutex_) {
    std::vector<Packet> packets;
    packets.reserve(ids.size());
    MutexLock lock(&mutex_);
    for (const int id : ids) packets.push_back(packets_[id]);
    return packets;
  }

 private:
  mutable Mutex mutex_;
  std::vector<Packet> packets_ ABSL_GUARDED_BY(mutex_);
};

class RememberedNode {
 public:
  // The node has made `outputs` of `inputs`, which are side packets by port.
  void Remember(std::vector<Packet> inputs, std::vector<Packet> outputs) {
    inputs_ = std::move(inputs);
    outputs_ = std::move(outputs);
    // An output that is missing may still be set by Close, so this opening
    // cannot be repeated from memory.
    is_valid_ =
        std::none_of(outputs_.begin(), outputs_.end(),
                     [](const Packet& packet) { return packet.IsEmpty(); });
  }
  // Whether it would make outputs() of these.
  bool Knows(absl::Span<const Packet> inputs) const {
    return is_valid_ && std::equal(inputs.begin(), inputs.end(),
                                   inputs_.begin(), inputs_.end());
  }
  const std::vector<Packet>& outputs() const { return outputs_; }

  // False for the first call: the warning that its offset is wrong.
  bool HasWarnedOfOffset() {
    return std::exchange(has_warned_of_offset_, true);
  }

 private:
  bool is_valid_ = false;
  std::vector<Packet> inputs_;   // empty packets where missing
  std::vector<Packet> outputs_;  // empty packets where missing
  bool has_warned_of_offset_ = false;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RUN_RUN_SIDE_PACKETS_H_
