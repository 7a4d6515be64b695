// SchedulerQueue: the ready tasks of one run for one executor, by priority.
//
// It knows tasks and threads, not nodes. A thread that the executor lends comes
// in through RunNextTask, takes the most urgent task and gives it to the
// TaskRunner. The TaskRunner runs it, and asks for the next one with Next,
// which gets the tasks that became ready meanwhile. So a thread stays as long
// as there is work, and the most urgent of the tasks it has just made ready
// costs no lock at all if nothing in the queue is more urgent.
//
// wake_up_rule.h decides which threads are asked for.
//
// Where the executor has one thread, no other could run the tasks that this
// thread makes ready. So these tasks wait apart, as its own, without the lock.
// They join the other tasks as soon as a task comes from outside, or the thread
// leaves.
//
// Where tasks are short, another thread is asked for to help only if that pays
// (help_trial.h); it then has tasks of its own, too (helpers.h).
//
// A queue is active while it has a task or a thread. `Activity` counts the
// active queues of a run, and others who have work for the run, so 0 means that
// nothing can happen by itself. The rule that makes this safe: what follows
// from a piece of work is counted before that piece of work is counted as done.
//
// Thread rule: any thread. Nothing is called with the lock held.
// Tested by scheduler_queue_test.

#ifndef SYNCLINE_FRAMEWORK_SCHEDULER_SCHEDULER_QUEUE_H_
#define SYNCLINE_FRAMEWORK_SCHEDULER_SCHEDULER_QUEUE_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/types/span.h"
#include "framework/base/cond_var.h"
#include "framework/base/mutex.h"
#include "framework/base/usable_cores.h"
#include "framework/scheduler/core_use.h"
#include "framework/scheduler/executor.h"
#include "framework/scheduler/helpers.h"
#include "framework/scheduler/task.h"
#include "framework/scheduler/task_chooser.h"
#include "framework/scheduler/waiting_tasks.h"
#include "framework/scheduler/wake_up_rule.h"

namespace syncline {

class SchedulerQueue;

// Counts who keeps a run busy.
class Activity {
 public:
  void Add() { state_.fetch_add(kOneMore); }
  // True if nobody keeps the run busy any more: then the caller has to decide
  // what comes next.
  bool Remove() { return CountOf(state_.fetch_sub(1)) == 1; }
  bool busy() const { return CountOf(state_.load()) != 0; }

  // The number of the present period; each Add begins another one.
  std::uint64_t period() const { return state_.load() >> kCountBits; }
  // Somebody decided that nothing more happens after `period`: the run is idle.
  void SetIdle(std::uint64_t period) { idle_period_.store(period); }
  bool is_idle() const {
    return state_.load() == idle_period_.load() << kCountBits;
  }

 private:
  // How many there are in the lower bits, and above them how many were added
  // so far, so that one operation changes both.
  static constexpr int kCountBits = 20;
  static constexpr std::uint64_t kOneMore =
      (std::uint64_t{1} << kCountBits) + 1;
  static std::uint64_t CountOf(std::uint64_t state) {
    return state & ((std::uint64_t{1} << kCountBits) - 1);
  }

  std::atomic<std::uint64_t> state_{0};
  std::atomic<std::uint64_t> idle_period_{0};
};

// The class that runs the tasks.
class TaskRunner {
 public:
  virtual ~TaskRunner() = default;
  // Runs `task`, then what queue->Next() gives, until it gives null. After
  // `max_tasks` it calls Leave instead, for the sake of other queues.
  virtual void RunTasks(Task* task, SchedulerQueue* queue, int max_tasks) = 0;
  // Activity has come to 0.
  virtual void OnIdle() = 0;
  // The executor dropped a task.
  virtual void OnTaskLost(SchedulerQueue* queue) = 0;
  // The executor threw an exception.
  virtual void OnExecutorError(const absl::Status& error) {}
};

class SchedulerQueue : public TaskQueue,
                       public std::enable_shared_from_this<SchedulerQueue> {
 public:
  // All borrowed, until Shutdown. The queue starts paused. `chooser` may be
  // null; if not, it decides in place of the priorities. While as many threads
  // compute as there are `cores`, no other is asked for (wake_up_rule.h).
  // `has_turns`: AddAndGiveWay is called, so all tasks of the only thread of an
  // executor wait together.
  SchedulerQueue(Executor* executor, TaskRunner* runner, Activity* activity,
                 TaskChooser* chooser = nullptr, int cores = NumUsableCores(),
                 bool has_turns = false);
  ~SchedulerQueue() override;

  // Adds tasks from outside.
  void Add(absl::Span<Task* const> tasks) ABSL_LOCKS_EXCLUDED(mutex_);

  // The same for a source that gives way: the next source that is taken is
  // another one of its layer that waits already, so all of them come to run.
  void AddAndGiveWay(Task* source) ABSL_LOCKS_EXCLUDED(mutex_);

  // For TaskRunner::RunTasks: adds the tasks that became ready, and takes the
  // most urgent one of all. Null: the thread has left the queue.
  Task* Next(absl::Span<Task* const> ready) {
    if (ABSL_PREDICT_FALSE(IsHelper())) return NextOfHelper(ready);
    if (ready.size() == 1 && RunsNext(*ready[0])) {
      WillRun(*ready[0]);
      return ready[0];
    }
    if (own_.are_kept && top_key_.load(std::memory_order_relaxed) == 0) {
      Task* const next = NextOfOwn(ready);
      if (next != nullptr) return next;
      ready = {};
    }
    return NextFromAll(ready);
  }
  // The same for one task: whether it is what Next would return, without asking
  // the queue. False: nothing was done.
  bool RunsNext(const Task& task) {
    if (ABSL_PREDICT_FALSE(IsHelper())) return RunsNextOfHelper(task);
    const std::uint64_t top = top_key_.load(std::memory_order_relaxed);
    if (top != 0 && (task.priority.Key() <= top || task.priority.IsSource() ||
                     IsLong(task))) {
      return false;
    }
    if (task.priority.Key() < own_.top_key) return false;
    CountReturn();
    CoreUse::SetRunsSource(false);
    return true;
  }
  // A number that changes whenever a task of the queue has ended.
  std::uint64_t Progress() ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    return TasksRun();
  }
  // How many tasks the executor runs at once, at most.
  int max_threads() const { return most_.threads; }
  // For TaskRunner::RunTasks, while the task that the thread runs sleeps.
  CoreUse& core_use() { return core_use_; }
  // For a thread of the executor that was not asked for, and comes with tasks:
  // adds them, and runs as many.
  void ServeWith(absl::Span<Task* const> tasks) ABSL_LOCKS_EXCLUDED(mutex_);

  // For TaskRunner::RunTasks, after as many tasks as it may run in a row:
  // whether to let others have the thread.
  bool ShouldLeave();
  // Adds the tasks, and leaves. Another thread will come for them.
  void LeaveWith(absl::Span<Task* const> ready) ABSL_LOCKS_EXCLUDED(mutex_);

  // While paused, tasks wait. Threads that are here leave after their task.
  void Pause() ABSL_LOCKS_EXCLUDED(mutex_);
  void Resume() ABSL_LOCKS_EXCLUDED(mutex_);

  // Takes all waiting tasks away; they will not run.
  std::vector<Task*> TakeAll() ABSL_LOCKS_EXCLUDED(mutex_);

  // Waits until no thread is inside; later calls of RunNextTask do nothing. No
  // task may be added any more.
  void Shutdown() ABSL_LOCKS_EXCLUDED(mutex_);

  // --- TaskQueue
  void RunNextTask() override { Enter(/*was_asked=*/true); }
  void RunOneTask() override;
  int RunEachOnce(bool* has_called) override ABSL_LOCKS_EXCLUDED(mutex_);
  void OnTaskLost() override;
  // Comes from within Act, so somebody is in the queue.
  void OnExecutorError(const absl::Status& error) override {
    runner_->OnExecutorError(error);
  }

 private:
  // What a thread has to do once it has released the lock.
  struct FollowUp {
    int threads_to_ask = 0;
    bool watch = false;
    bool became_idle = false;
    bool leaves = false;
  };

  // Whether there is a task that is long, and how many of those sleep.
  struct Kinds {
    void Add(const Task& task) {
      if (!IsLong(task)) return;
      has_long = true;
      if (IsLasting(task)) has_lasting = true;
      if (Sleeps(task)) ++sleepers;
    }
    void Add(absl::Span<Task* const> tasks) {
      for (const Task* const task : tasks) Add(*task);
    }
    bool has_long = false;
    bool has_lasting = false;
    int sleepers = 0;
  };

  // The number may be wrong if several threads count at once. It only matters
  // that it changes.
  void CountReturn() {
    work_.returns.store(work_.returns.load(std::memory_order_relaxed) + 1,
                        std::memory_order_relaxed);
  }

  // The most urgent of `ready` and the thread's own tasks; the others are its
  // own from now on. Null: there are none. REQUIRES: own_.are_kept.
  Task* NextOfOwn(absl::Span<Task* const> ready) {
    own_.tasks.Reserve(ready.size());  // first, as it may throw
    Task* const next = own_.tasks.PushAndPop(ready);
    own_.top_key = own_.tasks.TopKey();
    if (next != nullptr) CountReturn();
    return next;
  }
  // The thread's own tasks wait with the others from now on.
  void GiveOwn() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  // --- What this thread is (scheduler_queue_help.cc has the helpers)

  class InRole;
  // What this thread is for queues; each at most for one of them.
  struct Role {
    // It leaves this one after the tasks that it came for.
    const SchedulerQueue* guest_of;
    // It was sent to this one, as the others there might be stuck.
    const SchedulerQueue* sent_to;
    // It helps this one, and has tasks of its own.
    const SchedulerQueue* helper_of;
    HelperTasks* tasks;
  };
  inline static thread_local Role role_ = {};
  class Helping;
  bool IsHelper() const { return role_.helper_of == this; }
  // False also for a helper that serves the queue by now.
  bool HasOwnTasks() const { return IsHelper() && !role_.tasks->is_closed(); }
  // What RunsNext and Next are for a helper.
  static bool RunsNextOfHelper(const Task& task);
  Task* NextOfHelper(absl::Span<Task* const> ready) ABSL_LOCKS_EXCLUDED(mutex_);
  // A helper has nothing left: takes tasks from others. Null: it has left.
  Task* TakeForHelper() ABSL_LOCKS_EXCLUDED(mutex_);
  // The thread has nothing left: takes tasks from its helpers. Null: it has
  // left.
  Task* TakeFromHelpers() ABSL_LOCKS_EXCLUDED(mutex_);
  // For a helper, from time to time: whether help pays. Also does what
  // LookForStuck does.
  bool HelpPays() ABSL_LOCKS_EXCLUDED(mutex_);
  // Takes the tasks of a thread that is stuck, now and then.
  void LookForStuck() ABSL_LOCKS_EXCLUDED(mutex_);
  void TakeFromStuck() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The thread helps until there is nothing more to help with.
  void RunAsHelper() ABSL_LOCKS_EXCLUDED(mutex_);
  // The thread is a helper from now on. False: there is no need of it.
  bool TakeIn(HelperTasks* helper) ABSL_LOCKS_EXCLUDED(mutex_);
  // Whether the thread that has come in is the helper that was asked for.
  bool MayHelp() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Whether to ask for a thread that helps.
  bool WantsHelp() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // How many tasks were run so far; about.
  std::uint64_t TasksRun() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return work_.returns.load(std::memory_order_relaxed) + helpers_.returns();
  }

  // How an executor that watches comes in, without having been asked.
  class WatchEntrance : public TaskQueue {
   public:
    explicit WatchEntrance(SchedulerQueue* queue) : queue_(queue) {}
    void RunNextTask() override {
      if (!queue_->OnlyLacksCores()) queue_->Enter(/*was_asked=*/false);
    }

   private:
    SchedulerQueue* const queue_;
  };

  // `max_tasks` 0: as many as the executor allows.
  void Enter(bool was_asked, absl::Span<Task* const> tasks = {},
             int max_tasks = 0) ABSL_LOCKS_EXCLUDED(mutex_);
  // The threads that compute lack nothing but a core. Asks the kernel.
  bool OnlyLacksCores() ABSL_LOCKS_EXCLUDED(mutex_);
  void BeginServing() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // For a thread that was woken, if only sources wait for it.
  void GiveCoreBack() ABSL_LOCKS_EXCLUDED(mutex_);
  // The task that the thread runs next. Before a source, the thread gives its
  // core to another thread of this queue that was on this core and waits for it
  // (core_use.h).
  void WillRun(const Task& next) ABSL_NO_THREAD_SAFETY_ANALYSIS {
    const bool is_source = next.priority.IsSource();
    CoreUse::SetRunsSource(is_source);
    if (is_source && core_use_.IsTimeToLook()) GiveCoreToNeighbour();
  }
  void GiveCoreToNeighbour() ABSL_LOCKS_EXCLUDED(mutex_);
  Task* NextFromAll(absl::Span<Task* const> ready) ABSL_LOCKS_EXCLUDED(mutex_);
  bool IsActive() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return threads_.serving > 0 || !tasks_.empty();
  }
  // The tasks that are ready now are those of the round.
  void BeginRound() ABSL_LOCKS_EXCLUDED(mutex_);
  // The next task of RunEachOnce, whose thread then serves the queue. Null: the
  // round is over.
  Task* TakeOfRound() ABSL_LOCKS_EXCLUDED(mutex_);
  void Push(absl::Span<Task* const> tasks)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Takes the next task; null if no task may run.
  Task* Pop() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return orders_.paused ? nullptr : tasks_.Pop();
  }
  // The same, also from a helper's tasks.
  Task* PopOrTake() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Tells the lock-free readers what waits. Comes before
  // PlanThreads: who watches lowers its flag when it sees nothing waiting.
  void Publish() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Decides how many threads to ask for, for the tasks that wait. `kinds`: of
  // those just added, and of the one that runs next here.
  void PlanThreads(int added, const Kinds& kinds, FollowUp* follow_up)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // For NextFromAll: the thread runs `next`, and the rest waits. Or it leaves:
  // where tasks are short, more than one thread comes only to help.
  void PlanForRest(const Task& next, absl::Span<Task* const> ready,
                   FollowUp* follow_up) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // False: PlanThreads would decide nothing.
  bool MayNeedThreads() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return static_cast<int>(tasks_.size()) > threads_.asked &&
           most_.threads > threads_.asked + threads_.serving;
  }
  void StopServing(FollowUp* follow_up) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Act(const FollowUp& follow_up) ABSL_LOCKS_EXCLUDED(mutex_);
  void AskForThreads(int count) ABSL_LOCKS_EXCLUDED(mutex_);
  // False also if the executor threw.
  bool AskToWatch() ABSL_LOCKS_EXCLUDED(mutex_);
  // Calls a function of the executor. False, and reported, if that threw.
  template <typename Call>
  bool CallExecutor(Call call) ABSL_LOCKS_EXCLUDED(mutex_);
  // A thread is here, or has been lost. False: after Shutdown, so it is to
  // leave; the last one takes the queue along, in *self.
  bool MayComeIn(bool was_asked, std::shared_ptr<SchedulerQueue>* self)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The thread is about to leave. Once Shutdown has seen the last thread leave,
  // MayComeIn lets no thread in any more. `status`: an error if a task of the
  // thread has thrown. Then the run is told, and the tasks that wait are
  // dropped.
  void Exit(const absl::Status& status) ABSL_LOCKS_EXCLUDED(mutex_);

  // What the owner of the queue has said.
  struct Orders {
    bool paused = true;
    bool shut_down = false;
    // TakeAll has come, which means the thread's own tasks, too.
    bool drops_own = false;
  };

  // The tasks that only the thread that serves knows of; they belong to it.
  struct OwnTasks {
    const bool are_kept;
    WaitingTasks tasks{nullptr};
    std::uint64_t top_key = 0;
  };

  struct Most {
    int threads;  // that serve
    int tasks;    // that a thread runs in a row
  };

  struct Threads {
    // Asked for, and not there yet.
    int asked = 0;
    // Threads that run tasks.
    int serving = 0;
    // Anywhere in RunNextTask.
    int inside = 0;
  };

  // Constant.
  Executor* const executor_;
  TaskRunner* const runner_;
  Activity* const activity_;
  const Most most_;
  const bool has_chooser_;
  WatchEntrance watch_entrance_{this};

  // For the fast path of Next: WaitingTasks::TopKey, or the greatest number
  // while paused or if the thread's own tasks are to be dropped. A thread may
  // see an old number; then a task runs a little too early or too late.
  std::atomic<std::uint64_t> top_key_{0};
  OwnTasks own_;
  WatchedWork work_;
  std::atomic<bool> watched_{false};

  Mutex mutex_;
  CondVar nobody_inside_;
  // With the lock held, but for what core_use.h excepts.
  CoreUse core_use_;
  Helpers helpers_ ABSL_GUARDED_BY(mutex_);
  WaitingTasks tasks_ ABSL_GUARDED_BY(mutex_);
  Threads threads_ ABSL_GUARDED_BY(mutex_);
  Orders orders_ ABSL_GUARDED_BY(mutex_);
  // Keeps the queue while threads that were asked for may still come.
  std::shared_ptr<SchedulerQueue> self_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_SCHEDULER_SCHEDULER_QUEUE_H_
