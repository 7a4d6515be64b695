// Which threads are called for the tasks that wait in a queue.
//
// Waking a thread costs microseconds, and a task that moves to another core
// drags its data along; many tasks take less than that. So:
//   - no thread serves the queue: call one
//   - a thread serves it, and one of its tasks is long: call one thread for
//     each task that is left over, which would wait for the end of the long one
//   - otherwise the thread that serves the queue will come back before another
//     could start. The executor watches for that (Executor::Watch): if the
//     thread does not come back, because a task that is usually short blocks,
//     the executor sends another thread.
//
// Thread rule: pure functions.
// Tested by wake_up_rule_test.

#ifndef SYNCLINE_FRAMEWORK_SCHEDULER_WAKE_UP_RULE_H_
#define SYNCLINE_FRAMEWORK_SCHEDULER_WAKE_UP_RULE_H_

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "framework/scheduler/task.h"

namespace syncline {

// A task that takes so long, or was never measured, is long.
constexpr std::uint32_t kLongTaskNs = 3000;

inline bool IsLong(const Task& task) {
  return task.cost_ns.load(std::memory_order_relaxed) >= kLongTaskNs;
}

struct QueueLoad {
  int waiting = 0;  // tasks
  int added = 0;    // tasks that have just come
  // One of those, or the task that runs next on the thread that asks, is long.
  bool has_long = false;
  int asked = 0;    // threads that were called, and are not there yet
  int serving = 0;  // threads that run tasks
  int max_threads = 0;
};

struct WakeUps {
  int threads = 0;
  // Whether the executor has to watch.
  bool watch = false;
};

inline WakeUps DecideWakeUps(const QueueLoad& load) {
  const int room = load.max_threads - load.asked - load.serving;
  const int left_over = load.waiting - load.asked;
  if (room <= 0 || left_over <= 0) return {};
  if (load.has_long) {
    return {.threads = std::min({std::max(load.added, 1), left_over, room})};
  }
  if (room < load.max_threads) return {.watch = true};
  return {.threads = 1};
}

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_SCHEDULER_WAKE_UP_RULE_H_
