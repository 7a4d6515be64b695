// AlarmThread: calls queues at times, for executors that do not
// (Executor::AddTaskAt).
//
// One thread of the process, which starts at the first call and never ends. It
// is for bookkeeping: what takes long there is late for others.
//
// Thread rule: any thread.
// Tested by alarm_thread_test.

#ifndef SYNCLINE_FRAMEWORK_SCHEDULER_ALARM_THREAD_H_
#define SYNCLINE_FRAMEWORK_SCHEDULER_ALARM_THREAD_H_

#include <cstdint>

#include "framework/scheduler/executor.h"

namespace syncline {

class AlarmThread {
 public:
  // As Executor::AddTaskAt.
  static void Set(TaskQueue* task_queue, std::int64_t steady_ns);
  // Afterwards the queue is not touched. Waits for a call that goes on.
  static void Cancel(TaskQueue* task_queue);

  AlarmThread() = delete;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_SCHEDULER_ALARM_THREAD_H_
