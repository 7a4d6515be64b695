// Alarm: calls a function at a time of the steady clock, on an AlarmThread.
//
// Thread rule: SetAt from any thread; what it calls runs on the alarm thread,
// and does not cancel. The destructor cancels.
// Tested by alarm_thread_test.

#ifndef SYNCLINE_FRAMEWORK_SCHEDULER_ALARM_H_
#define SYNCLINE_FRAMEWORK_SCHEDULER_ALARM_H_

#include <cstdint>
#include <functional>
#include <utility>

#include "absl/status/status.h"
#include "framework/scheduler/alarm_thread.h"
#include "framework/scheduler/executor.h"

namespace syncline {

class Alarm : public TaskQueue {
 public:
  // `thread` is borrowed.
  Alarm(AlarmThread* thread, std::function<void()> ring)
      : thread_(thread), ring_(std::move(ring)) {}
  ~Alarm() override { Cancel(); }

  // In place of the time so far. As AlarmThread::Set.
  absl::Status SetAt(std::int64_t steady_ns) {
    return thread_->Set(this, steady_ns);
  }
  // Waits for a call that goes on.
  void Cancel() { thread_->Cancel(this); }
  void RunNextTask() override { ring_(); }

 private:
  AlarmThread* const thread_;
  const std::function<void()> ring_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_SCHEDULER_ALARM_H_
