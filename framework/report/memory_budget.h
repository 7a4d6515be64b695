// MemoryBudget: whether the packets that wait in a run take more memory than
// they may, and so end it. The budget is max_memory_bytes; without it, half of
// the memory that the machine, or the control group of the process, has.
//
// It knows numbers, not queues. Whoever finds that a queue has grown notes its
// bytes here. The sum of these bytes is a little old; so when the sum is over
// the budget, all queues are measured (QueueTally), and only that measurement
// ends a run. The first caller of ClaimEnd ends it.
//
// Once a short queue was found to hold large packets, all queues are measured
// again and again; PauseNs says when.
//
// Thread rule: a MemoryBudget, any thread; a QueueTally is a value.
// Tested by memory_budget_test.

#ifndef SYNCLINE_FRAMEWORK_REPORT_MEMORY_BUDGET_H_
#define SYNCLINE_FRAMEWORK_REPORT_MEMORY_BUDGET_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "framework/base/machine_memory.h"
#include "framework/base/mutex.h"
#include "framework/stream/queue_limits.h"

namespace syncline {

// The bytes that a queue needs for a packet, besides those of the packet's
// value.
inline constexpr std::int64_t kBytesOfQueuedPacket = 40;

class MemoryBudget {
 public:
  static constexpr std::int64_t kShortestPauseNs = 50'000'000;
  static constexpr std::int64_t kLongestPauseNs = 1'000'000'000;

  // Whose queue it is, and which of the owner's queues.
  using Key = std::pair<const void*, int>;

  // `max_memory_bytes`: 0 for half of what `find_memory` says, which is asked
  // when the first long queue was found; below 0 for no limit.
  explicit MemoryBudget(std::int64_t max_memory_bytes,
                        MachineMemory (*find_memory)() = FindMachineMemory)
      : max_memory_bytes_(max_memory_bytes), find_memory_(find_memory) {}

  // Whether the packets of a queue are so large that the queue has to be
  // measured, though it is short.
  bool IsNotable(const QueueUse& use) const;
  // A queue has grown. Whether all queues are to be measured.
  bool MayBeOver(Key key, const QueueUse& use) ABSL_LOCKS_EXCLUDED(mutex_);
  // How many bytes all queues may still take, when they take `total`.
  std::int64_t FreeBytes(std::int64_t total) { return Budget() - total; }
  // Whether the caller is to end the run, since it has too much in its queues:
  // the first caller.
  bool ClaimEnd() { return !has_ended_run_.exchange(true); }
  bool has_ended_run() const { return has_ended_run_.load(); }
  // The limit, as the text of an error names it.
  std::string LimitText() const;

  // Whether the length `size` of a queue that is over its limit is worth a
  // warning: once at `mark`, and at each tenfold.
  bool IsWarnedOf(Key key, std::int64_t size, std::int64_t mark)
      ABSL_LOCKS_EXCLUDED(mutex_);

  // --- Looking again and again
  // True for the first caller, who is to begin with it.
  bool BeginLooking() { return !is_looking_.exchange(true); }
  // There is no thread for the alarm. The next caller that finds large packets
  // tries again.
  void StopLooking() { is_looking_.store(false); }
  // The time until the next measurement, if `free` bytes are left and this
  // measurement took `look_ns`.
  static std::int64_t PauseNs(std::int64_t free, std::int64_t look_ns);

 private:
  friend class QueueTally;
  struct Queue {
    std::int64_t bytes = 0;
    std::int64_t next_warning = 0;
  };

  // Returns the bytes of all queues that are known.
  std::int64_t Note(Key key, std::int64_t bytes) ABSL_LOCKS_EXCLUDED(mutex_);
  // Forgets the bytes of all queues, because they are about to be measured.
  void ForgetBytes() ABSL_LOCKS_EXCLUDED(mutex_);
  std::int64_t Budget();

  const std::int64_t max_memory_bytes_;
  MachineMemory (*const find_memory_)();
  std::atomic<std::int64_t> budget_{0};  // 0: not known yet
  std::atomic<bool> has_ended_run_{false};
  std::atomic<bool> is_looking_{false};
  Mutex mutex_;
  // The queues that are long, that hold large packets, or that are over their
  // limits.
  std::map<Key, Queue> queues_ ABSL_GUARDED_BY(mutex_);
  std::int64_t total_ ABSL_GUARDED_BY(mutex_) = 0;
};

// What all queues of a run hold together, added up queue by queue.
//
// All readers of a stream have the same packets, so for each stream only the
// reader with the most bytes counts. Packets that a graph input holds back are
// in no reader's queue yet, and are added.
class QueueTally {
 public:
  // One of the queues, as an error's text names it.
  struct Queue {
    QueueUse use;
    int stream = -1;
    std::string where;
  };

  // Starts with nothing, and replaces what `budget`, which is borrowed, knows
  // of the bytes of queues.
  QueueTally(std::size_t num_streams, MemoryBudget* budget);

  // The queue of one who reads `stream`.
  void AddReader(MemoryBudget::Key key, const QueueUse& use, int stream,
                 std::string where);
  // The packets that a graph input holds back. REQUIRES: called once for each
  // input.
  void AddInput(MemoryBudget::Key key, const QueueUse& use, int stream,
                std::string where);

  std::int64_t total() const { return total_; }
  // The queue with the most bytes; the first one of several.
  const Queue& largest() const { return largest_; }

 private:
  void Add(MemoryBudget::Key key, std::int64_t more, Queue queue);

  MemoryBudget* const budget_;
  std::vector<std::int64_t> most_;  // by stream
  std::int64_t total_ = 0;
  Queue largest_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_REPORT_MEMORY_BUDGET_H_
