// AlarmThread: calls queues at times of the steady clock, where an executor
// does not do that (Executor::AddTaskAt), and at the times at which a run ends.
// Alarm: calls a function at such a time.
//
// The queues that it calls may run code of users, such as a condition, which
// may take long. So each run that needs an alarm thread has one of its own, and
// runs do not delay each other. The thread starts when the first time is set.
//
// Thread rule: any thread. The function of an Alarm runs on the alarm thread
// and must not cancel this Alarm.
// Tested by alarm_thread_test.

#ifndef SYNCLINE_FRAMEWORK_SCHEDULER_ALARM_THREAD_H_
#define SYNCLINE_FRAMEWORK_SCHEDULER_ALARM_THREAD_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "framework/base/mutex.h"
#include "framework/scheduler/application_thread_executor.h"
#include "framework/scheduler/executor.h"

namespace syncline {

class AlarmThread {
 public:
  AlarmThread() = default;
  ~AlarmThread() { Stop(); }
  AlarmThread(const AlarmThread&) = delete;
  AlarmThread& operator=(const AlarmThread&) = delete;

  // As Executor::AddTaskAt. RESOURCE_EXHAUSTED if there is no thread to be had;
  // nothing after Stop().
  absl::Status Set(TaskQueue* task_queue, std::int64_t steady_ns)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Afterwards the queue is not touched. Waits for a call that goes on.
  void Cancel(TaskQueue* task_queue);
  // Ends the thread. Waits for a call that goes on; none follows.
  void Stop() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  // The thread may live a little longer than this object.
  struct Shared {
    WaitPoint wait_point;
    bool is_over ABSL_GUARDED_BY(wait_point.mutex) = false;
  };
  absl::Status Start() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
  Mutex mutex_;
  bool is_stopped_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_ ABSL_GUARDED_BY(mutex_);
};

class Alarm : public TaskQueue {
 public:
  // `thread` is borrowed.
  Alarm(AlarmThread* thread, std::function<void()> on_time)
      : thread_(thread), on_time_(std::move(on_time)) {}
  ~Alarm() override { Cancel(); }

  // Of this time and the time that is set already, the earlier counts. As
  // AlarmThread::Set.
  absl::Status SetAt(std::int64_t steady_ns) {
    return thread_->Set(this, steady_ns);
  }
  // Waits for a call that goes on.
  void Cancel() { thread_->Cancel(this); }
  void RunNextTask() override { on_time_(); }

 private:
  AlarmThread* const thread_;
  const std::function<void()> on_time_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_SCHEDULER_ALARM_THREAD_H_
