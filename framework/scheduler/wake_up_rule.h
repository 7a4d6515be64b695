// How many threads a queue asks its executor for, for the tasks that wait.
//
// Waking a thread costs microseconds, and a task that moves to another core
// drags its data along; many tasks take less than that. Each thread that is on
// its way takes one task. If other tasks are left over, and the executor has
// threads to spare:
//   - one of the tasks is long: the queue asks for a thread for each task that
//     has just come, or for one thread if none has. Those tasks would wait for
//     the end of the long one. But no thread is asked for while as many of this
//     queue compute as the process may use cores: one more would only take the
//     core from a thread that has what others wait for, for milliseconds. Tasks
//     that sleep need no core, so threads are asked for to run them, and while
//     they run. A thread that is there stays as long as tasks wait (but see
//     below), so after a task has slept there may be more that compute.
//   - no task is long, and no thread serves the queue or is on its way: the
//     queue asks for one.
//   - otherwise the thread that serves the queue, or is on its way, will be
//     there before another could start. The executor watches for that
//     (Executor::Watch): if the thread does not come, because a task that is
//     usually short blocks, the executor sends another thread.
// Where nearly all tasks are short (Helpers::AreMostlyShort), only those that
// last longer than a wake-up count as long. Of several threads all but one
// leave then, and one is asked for to help if that pays (help_trial.h,
// helpers.h).
//
// Thread rule: pure functions.
// Tested by wake_up_rule_test.

#ifndef SYNCLINE_FRAMEWORK_SCHEDULER_WAKE_UP_RULE_H_
#define SYNCLINE_FRAMEWORK_SCHEDULER_WAKE_UP_RULE_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>

#include "framework/scheduler/task.h"

namespace syncline {

// A task that takes so long, or was never measured, is long.
constexpr std::uint32_t kLongTaskNs = 3000;

inline bool IsLong(const Task& task) {
  return task.cost_ns.load(std::memory_order_relaxed) >= kLongTaskNs;
}

// It takes longer than it takes to wake a thread.
constexpr std::uint32_t kLastingTaskNs = 50'000;
inline bool IsLasting(const Task& task) {
  return task.cost_ns.load(std::memory_order_relaxed) >= kLastingTaskNs;
}

// It gives its core up for most of its time, or was never measured.
inline bool Sleeps(const Task& task) {
  return (task.cost_ns.load(std::memory_order_relaxed) & Task::kSleeps) != 0;
}

struct QueueLoad {
  int waiting = 0;  // tasks
  int added = 0;    // tasks that have just come
  // One of those, or the task that runs next on the thread that asks, is long.
  bool has_long = false;
  // How many of the same tasks are long and sleep.
  int sleepers = 0;
  int asked = 0;    // threads that were asked for, and are not there yet
  int serving = 0;  // threads that run tasks
  int asleep = 0;   // those of them whose task sleeps
  int max_threads = 0;
  int cores = std::numeric_limits<int>::max();
};

struct WakeUps {
  int threads = 0;
  // Whether the executor has to watch.
  bool watch = false;
  // There are threads to spare, but no cores.
  bool lacks_cores = false;
};

inline WakeUps DecideWakeUps(const QueueLoad& load) {
  const int spare = load.max_threads - load.asked - load.serving;
  const int left_over = load.waiting - load.asked;
  if (spare <= 0 || left_over <= 0) return {};
  const int free_cores =
      load.cores - load.asked - load.serving + load.asleep + load.sleepers;
  if (load.has_long && free_cores > 0) {
    return {.threads = std::min(
                {std::max(load.added, 1), left_over, spare, free_cores})};
  }
  if (spare < load.max_threads) {
    return {.watch = true, .lacks_cores = load.has_long};
  }
  return {.threads = 1};
}

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_SCHEDULER_WAKE_UP_RULE_H_
