// RunSidePackets: the side packets of a run, by their id in the plan. A side
// packet is empty until it is set.
//
// Thread rule: any thread; no packet is released with the lock held.
// Tested by run_side_packets_test.

#ifndef SYNCLINE_FRAMEWORK_RUN_RUN_SIDE_PACKETS_H_
#define SYNCLINE_FRAMEWORK_RUN_RUN_SIDE_PACKETS_H_

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

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RUN_RUN_SIDE_PACKETS_H_
