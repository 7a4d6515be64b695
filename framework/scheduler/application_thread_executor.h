// ApplicationThreadExecutor: calls run on the threads that wait for the graph.
//
// The graph has no thread of its own. Whoever waits for it (WaitUntilDone, an
// AddPacketToInputStream that finds no room, a poller's Next, ...) runs its
// calls meanwhile, and nothing runs otherwise. So a program can stay on one
// thread, and nothing is ever handed from one core to another.
//
// WaitPoint is what such a thread waits at: the lock and signal of a graph's
// own state, and the work that it may do instead of sleeping.
//
// Thread rule: any thread.
// Tested by application_thread_executor_test.

#ifndef SYNCLINE_FRAMEWORK_SCHEDULER_APPLICATION_THREAD_EXECUTOR_H_
#define SYNCLINE_FRAMEWORK_SCHEDULER_APPLICATION_THREAD_EXECUTOR_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "absl/time/time.h"
#include "framework/base/cond_var.h"
#include "framework/base/mutex.h"
#include "framework/base/ring.h"
#include "framework/base/timer_queue.h"
#include "framework/scheduler/executor.h"
#include "framework/scheduler/request.h"
#include "framework/scheduler/task_chooser.h"
#include "framework/scheduler/waiters.h"

namespace syncline {

class WaitPoint {
 public:
  WaitPoint() = default;
  WaitPoint(const WaitPoint&) = delete;
  WaitPoint& operator=(const WaitPoint&) = delete;
  // Tells queues that nobody will come to them any more.
  ~WaitPoint();

  // Guards the state that is waited for. Nothing is called with it held, apart
  // from the conditions.
  Mutex mutex;

  // Runs tasks, or sleeps, until `condition` is true, which is tested with the
  // lock held before and after each task and each sleep. False when `timeout`
  // passes first. `reason` is for LookAtWaiters.
  bool Wait(absl::FunctionRef<bool()> condition,
            absl::Duration timeout = absl::InfiniteDuration(),
            WaitReason reason = {}) ABSL_LOCKS_EXCLUDED(mutex);

  // The threads that are in Wait, RunReady or RunEachOnce, and since when.
  Waiters::Seen LookAtWaiters(std::int64_t steady_now_ns)
      ABSL_LOCKS_EXCLUDED(mutex);

  // Runs the tasks that are ready, and those that they make ready, one after
  // the other, until there is none or `goes_on`, which is asked before each
  // task, is false. One caller of RunReady or RunEachOnce runs at a time;
  // others wait. Returns how many tasks ran.
  std::int64_t RunReady(absl::FunctionRef<bool()> goes_on)
      ABSL_LOCKS_EXCLUDED(mutex);
  // Runs each task that is ready now, once. Where these only open nodes, those
  // that follow from them too.
  std::int64_t RunEachOnce() ABSL_LOCKS_EXCLUDED(mutex);

  // To be called when something has changed that a thread may wait for. Cheap
  // while no thread sleeps.
  void Signal() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
    if (sleeping_.load() > 0) changed_.SignalAll();
  }
  // As Signal, for a change that the lock does not guard: the change of an
  // atomic, with memory_order_seq_cst. Takes no lock when no thread sleeps. A
  // thread that is about to sleep counts itself first, and then tests its
  // condition once more.
  void SignalAtomicChange() ABSL_LOCKS_EXCLUDED(mutex) {
    if (sleeping_.load() == 0) return;
    { MutexLock lock(&mutex); }
    SignalUnlocked();
  }
  // Does what Signal does after the lock was released, so that the threads that
  // wake find it free.
  void SignalUnlocked() ABSL_LOCKS_EXCLUDED(mutex) {
    if (sleeping_.load() > 0) changed_.SignalAll();
  }
  // The same for those threads alone that count themselves in `waiting`. They
  // do so with the lock held, and so before they sleep.
  void SignalAtomicChange(const std::atomic<int>& waiting)
      ABSL_LOCKS_EXCLUDED(mutex) {
    if (sleeping_.load() == 0) return;
    if (waiting.load(std::memory_order_relaxed) > 0) SignalAtomicChange();
  }

  void Add(Request request) ABSL_LOCKS_EXCLUDED(mutex);

  // As Executor::AddTaskAt. A thread that waits at that time runs the task; if
  // no thread waits then, the next thread that waits does. A thread that wakes
  // early enough by itself is not woken.
  void AddAt(TaskQueue* task_queue, std::int64_t steady_ns)
      ABSL_LOCKS_EXCLUDED(mutex);
  // Forgets it, and waits for who is in it because of that.
  void RemoveAt(TaskQueue* task_queue) ABSL_LOCKS_EXCLUDED(mutex);

  // Null, or who decides which task a waiting thread runs.
  void SetChooser(TaskChooser* chooser) ABSL_LOCKS_EXCLUDED(mutex);

 private:
  Request TakeRequest() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  // The function of a task queue that is called.
  using Run = absl::FunctionRef<void(TaskQueue*)>;
  void RunRequest(Request request, Run run)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  // Runs one whose time has come. False if there is none.
  bool KeepAppointment(Run run) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  class RunningReady;

  CondVar changed_;
  std::atomic<int> sleeping_{0};  // changed with the lock held
  // Work for waiting threads.
  Ring<Request> requests_ ABSL_GUARDED_BY(mutex);
  // Few: one for each run.
  TimerQueue<TaskQueue*> appointments_ ABSL_GUARDED_BY(mutex);
  // Going on. There is room for more threads than usually wait at once: one
  // without memory for this could tell nobody.
  absl::InlinedVector<TaskQueue*, 16> kept_ ABSL_GUARDED_BY(mutex);
  CondVar is_kept_;
  bool is_running_ready_ ABSL_GUARDED_BY(mutex) = false;
  CondVar has_run_ready_;
  TaskChooser* chooser_ ABSL_GUARDED_BY(mutex) = nullptr;
  Waiters waiters_ ABSL_GUARDED_BY(mutex);
};

class ApplicationThreadExecutor : public Executor {
 public:
  explicit ApplicationThreadExecutor(std::shared_ptr<WaitPoint> wait_point)
      : wait_point_(std::move(wait_point)) {}

  void AddTask(TaskQueue* task_queue) override {
    wait_point_->Add(Request(task_queue));
  }
  void Schedule(std::function<void()> task) override {
    wait_point_->Add(Request(std::move(task)));
  }
  bool AddTaskAt(TaskQueue* task_queue, std::int64_t steady_ns,
                 bool caller_returns) override {
    wait_point_->AddAt(task_queue, steady_ns);
    return true;
  }
  void Unwatch(TaskQueue* task_queue) override {
    wait_point_->RemoveAt(task_queue);
  }
  int MaxParallelTasks() const override { return 1; }
  // A waiting thread looks up now and then whether it still has to wait.
  int MaxTasksInARow() const override { return 50; }

 private:
  const std::shared_ptr<WaitPoint> wait_point_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_SCHEDULER_APPLICATION_THREAD_EXECUTOR_H_
