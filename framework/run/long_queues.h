// LongQueues: the queues of a run that are long, or over their limits: how many
// bytes they hold, and at which length to warn of each of them next.
//
// Bytes are noted when such a queue has grown, so their sum is a little old.
// Before a run is ended because of the sum, all queues are measured.
//
// Thread rule: any thread.
// Tested by memory_watch_test and queue_tally_test.

#ifndef SYNCLINE_FRAMEWORK_RUN_LONG_QUEUES_H_
#define SYNCLINE_FRAMEWORK_RUN_LONG_QUEUES_H_

#include <cstdint>
#include <limits>
#include <map>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "framework/base/mutex.h"
#include "framework/stream/queue_watch.h"

namespace syncline {

// What a packet costs in a queue besides its value.
inline constexpr std::int64_t kBytesOfQueuedPacket = 40;

inline std::int64_t TotalBytes(const QueueUse& use) {
  return use.bytes + use.packets * kBytesOfQueuedPacket;
}

class LongQueues {
 public:
  // Whose queue it is, and which.
  using Key = std::pair<const void*, int>;

  // Returns the bytes of all.
  std::int64_t Note(Key key, std::int64_t bytes) ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    Entry& entry = entries_[key];
    total_ += bytes - entry.bytes;
    entry.bytes = bytes;
    return total_;
  }
  // All are measured anew.
  void ForgetBytes() ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    for (auto& [key, entry] : entries_) entry.bytes = 0;
    total_ = 0;
  }

  // Whether a queue of `size` packets is worth a warning: once at `mark`, and
  // at each tenfold.
  bool IsWarnedOf(Key key, std::int64_t size, std::int64_t mark)
      ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    std::int64_t& next = entries_[key].next_warning;
    if (next == 0) next = mark;
    if (size < next) return false;
    while (size >= next) next = MultiplyByTen(next);
    return true;
  }

 private:
  struct Entry {
    std::int64_t bytes = 0;
    std::int64_t next_warning = 0;
  };
  static std::int64_t MultiplyByTen(std::int64_t number) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    return number > kMost / 10 ? kMost : 10 * number;
  }

  Mutex mutex_;
  std::map<Key, Entry> entries_ ABSL_GUARDED_BY(mutex_);
  std::int64_t total_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RUN_LONG_QUEUES_H_
