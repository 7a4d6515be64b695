// MemoryWatch: whether the packets that wait in a run take more memory than
// they may, and so end it.
//
// It knows numbers, not queues. Whoever finds that a queue has grown notes its
// bytes here. The sum of these bytes is a little old; so when the sum is over
// the budget, all queues are measured (QueueTally), and only that measurement
// ends a run. The first caller of ClaimEnd ends it.
//
// Once a short queue was found to hold large packets, all queues are measured
// again and again; PauseNs says when.
//
// Thread rule: any thread.
// Tested by memory_watch_test.

#ifndef SYNCLINE_FRAMEWORK_RUN_MEMORY_WATCH_H_
#define SYNCLINE_FRAMEWORK_RUN_MEMORY_WATCH_H_

#include <atomic>
#include <cstdint>
#include <string>

#include "framework/base/machine_memory.h"
#include "framework/run/long_queues.h"
#include "framework/stream/queue_watch.h"

namespace syncline {

class MemoryWatch {
 public:
  static constexpr std::int64_t kShortestPauseNs = 50'000'000;
  static constexpr std::int64_t kLongestPauseNs = 1'000'000'000;

  // `max_memory_bytes`: 0 for half of what `find_memory` says, which is asked
  // when the first long queue was found; below 0 for no limit.
  explicit MemoryWatch(std::int64_t max_memory_bytes,
                       MachineMemory (*find_memory)() = FindMachineMemory)
      : max_memory_bytes_(max_memory_bytes), find_memory_(find_memory) {}

  // Whether packets are worth a look, though they may be few.
  bool IsNotable(const QueueUse& use) const;
  // A queue has grown. Whether all queues are to be measured.
  bool MayBeOver(LongQueues::Key key, const QueueUse& use);
  // How many bytes all queues may still take, when they take `total`.
  std::int64_t FreeBytes(std::int64_t total) { return Budget() - total; }
  // Whether the caller is to end the run, since it has too much in its queues:
  // the first caller.
  bool ClaimEnd() { return !has_ended_run_.exchange(true); }
  bool has_ended_run() const { return has_ended_run_.load(); }
  // Which limit that is, for an error.
  std::string LimitText() const;

  // --- Looking again and again
  // True for the first caller, who is to begin with it.
  bool BeginLooking() { return !is_looking_.exchange(true); }
  // There is no thread for it: the next who finds large packets tries again.
  void StopLooking() { is_looking_.store(false); }
  // Until the next look, where `free` bytes are left and this look took
  // `look_ns`.
  static std::int64_t PauseNs(std::int64_t free, std::int64_t look_ns);

  LongQueues& long_queues() { return long_queues_; }

 private:
  std::int64_t Budget();

  const std::int64_t max_memory_bytes_;
  MachineMemory (*const find_memory_)();
  LongQueues long_queues_;
  std::atomic<std::int64_t> budget_{0};  // 0: not known yet
  std::atomic<bool> has_ended_run_{false};
  std::atomic<bool> is_looking_{false};
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RUN_MEMORY_WATCH_H_
