// RunTimers: the times that a run waits for, and which thread acts when one
// is due.
//
// Each executor of the run has times of its own, since the calls that follow
// from a time run there. A node that waits is known by its number. A thread
// comes for the times of an executor in one of three ways:
//
//   - the executor keeps times itself (Executor::AddTaskAt): one of its threads
//     comes. It serves, which means that it runs at once what became ready.
//   - the executor keeps no times: the alarm thread comes
//   - the clock was moved: the thread that moved it comes
//
// While a thread serves, no other thread is asked for: the serving thread looks
// at the next time when it has finished. Should it get stuck in a call, an
// executor that watches over its work (Executor::Watch) sends another thread,
// which serves all times that have come by then.
//
// Times that are nearer to each other than kWakeUpPauseNs are served by one
// wake-up. So about a thousand wake-ups a second are enough, however many nodes
// wait for times of their own.
//
// Thread rule: SetUp before all others, and Stop after the last Set; the rest
// any thread. The receiver is called without a lock.
// Tested by run_timers_test.

#ifndef SYNCLINE_FRAMEWORK_RUN_RUN_TIMERS_H_
#define SYNCLINE_FRAMEWORK_RUN_RUN_TIMERS_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "framework/base/graph_clock.h"
#include "framework/base/timer_queue.h"
#include "framework/scheduler/alarm_thread.h"
#include "framework/scheduler/executor.h"

namespace syncline {

class RunTimers {
 public:
  static constexpr std::int64_t kNone = TimerQueue<int>::kNone;
  static constexpr std::int64_t kWakeUpPauseNs = 1'000'000;

  // The class that acts when a time has come.
  class Receiver {
   public:
    virtual ~Receiver() = default;
    // A thread has come for the times of `executor`. `serves`: it is the
    // executor's, and may run at once what becomes ready.
    virtual void TimeHasCome(int executor, bool serves) = 0;
    // TimeHasCome has thrown, or there is no thread to be had.
    virtual void RecordError(const absl::Status& error) = 0;
    // An executor has thrown.
    virtual void OnExecutorError(const absl::Status& error) = 0;
  };

  // The clock, the alarm thread and the receiver are borrowed.
  RunTimers(GraphClock* clock, AlarmThread* alarms, Receiver* receiver);
  ~RunTimers();

  // Node ids go from 0 to `num_waiting` - 1. Without this call no node can
  // wait.
  void SetUp(absl::Span<const std::shared_ptr<Executor>> executors,
             int num_waiting);
  // Afterwards no executor and no alarm calls any more.
  void Stop();

  int num_executors() const { return static_cast<int>(queues_.size()); }

  // `waiting` waits for `target_ns` of the clock, in place of its time so far.
  // A thread will come at that time.
  void Set(int executor, int waiting, std::int64_t target_ns);
  // The earliest time that anybody waits for, or kNone.
  std::int64_t Next() const;
  // The earliest time of which `is_current` says that the node still waits for
  // it. Forgets earlier times for which it says no.
  std::int64_t NextCurrent(
      absl::FunctionRef<bool(int waiting, std::int64_t target_ns)> is_current);

  // --- For a thread that has come.

  void NoteWakeUp(int executor, std::int64_t steady_now_ns);
  // Takes those whose time is not after `now_ns`, the earliest first.
  void TakeDue(int executor, std::int64_t now_ns, std::vector<int>* due);
  // To be called before the thread runs any task.
  void BeginServing(int executor, bool serves);
  // Has the executor send another thread if this one gets stuck.
  void Guard(int executor);
  // The thread serves no longer, so another one has to come at the next time.
  // `caller_returns`: as for AddTaskAt.
  void EndServing(int executor, bool caller_returns);

 private:
  class Queue;

  void Arm(Queue* queue, bool caller_returns);
  // Calls a function of an executor, and tells the receiver if that threw.
  void CallExecutor(absl::FunctionRef<void()> call);

  GraphClock* const clock_;
  AlarmThread* const alarms_;
  Receiver* const receiver_;
  std::vector<std::unique_ptr<Queue>> queues_;  // by executor; see SetUp
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RUN_RUN_TIMERS_H_
