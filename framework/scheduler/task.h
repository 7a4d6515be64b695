// Task: something ready to run, with its priority.
//
// Thread rule: a task belongs to whoever made it while it is not in a queue.
// Tested by task_priority_test.

#ifndef SYNCLINE_FRAMEWORK_SCHEDULER_TASK_H_
#define SYNCLINE_FRAMEWORK_SCHEDULER_TASK_H_

#include <atomic>
#include <cstdint>

#include "framework/scheduler/task_priority.h"

namespace syncline {

class Task {
 public:
  // Set in a cost: the task gives its core up for most of its time, as one that
  // waits for a file or a device.
  static constexpr std::uint32_t kSleeps = std::uint32_t{1} << 31;
  // Until a task has been measured it counts as long, and as one that sleeps.
  static constexpr std::uint32_t kUnknownCost = ~std::uint32_t{0};

  TaskPriority priority;
  // Roughly how long it ran lately, in ns, and kSleeps for a long one that
  // does. Written by whoever runs it.
  std::atomic<std::uint32_t> cost_ns{kUnknownCost};

 protected:
  ~Task() = default;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_SCHEDULER_TASK_H_
