// Helpers: the threads that help another one with the short tasks of a queue.
//
// If two threads took each short task from one queue, they would wait for each
// other's lock and for each other's memory. So a helper takes half of all that
// waits at once, and keeps what becomes ready by it: whole branches of a graph
// stay with it. Who has nothing left takes half of what another one has.
//
// Each helper serves its own tasks (HelperTasks). The thread that was there
// first, or that is left, serves the tasks of the queue itself. The threads are
// numbered, and that of the queue has number 0. When two threads divide tasks,
// the one with the smaller number gets the more urgent half. So a node, with
// its data, usually comes to the same core again.
//
// The idea to have lists of one's own, and to give half of them away, is that
// of work stealing (Blumofe and Leiserson 1999).
//
// Thread rule: Helpers: the owner has a lock for it. HelperTasks: the helper's
// own thread, and whoever has that lock.
// Tested by helpers_test.

#ifndef SYNCLINE_FRAMEWORK_SCHEDULER_HELPERS_H_
#define SYNCLINE_FRAMEWORK_SCHEDULER_HELPERS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/types/span.h"
#include "framework/base/mutex.h"
#include "framework/scheduler/help_trial.h"
#include "framework/scheduler/task.h"
#include "framework/scheduler/waiting_tasks.h"

namespace syncline {

// The tasks of one helper.
class alignas(64) HelperTasks {
 public:
  // The key of the most urgent one, for the thread of its own. 0: there is
  // none. The greatest: they are closed.
  std::uint64_t top_key() const {
    return top_key_.load(std::memory_order_relaxed);
  }
  // Adds a source that gives way, as SchedulerQueue::AddAndGiveWay. False:
  // nothing was done, since they are closed.
  bool AddGivingWay(Task* source) ABSL_LOCKS_EXCLUDED(mutex_);
  // Adds `ready`, and takes the most urgent of all. Null: there are none; or
  // nothing was done, since they are closed.
  Task* PushAndPop(absl::Span<Task* const> ready) ABSL_LOCKS_EXCLUDED(mutex_);

  // How many tasks the helper has run.
  std::uint64_t returns() const {
    return returns_.load(std::memory_order_relaxed);
  }
  // Whether it has run many since the last time that this was true.
  bool IsTimeToJudge() {
    if (returns() < next_judgement_) return false;
    next_judgement_ = returns() + kReturnsBetweenJudgements;
    return true;
  }
  void CountReturn() {
    returns_.store(returns() + 1, std::memory_order_relaxed);
  }

  // --- For who has the lock of the owner

  // Whether the helper has run no task since the last time this was asked.
  bool StandsStill() {
    const bool stands_still = returns() == seen_returns_;
    seen_returns_ = returns();
    return stands_still;
  }
  // Moves all tasks to `to`. If it throws it has changed nothing.
  void MoveTo(WaitingTasks* to) ABSL_LOCKS_EXCLUDED(mutex_);
  // The same, and takes in no others from now on; drops the tasks if there is
  // no memory.
  void Close(WaitingTasks* to) ABSL_LOCKS_EXCLUDED(mutex_);
  bool is_closed() const { return top_key() == WaitingTasks::kGreatestKey; }
  // Gives half of the tasks to `other`. False: there are none. If it throws it
  // has changed nothing.
  bool GiveHalf(WaitingTasks* other, bool most_urgent)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Takes the less urgent half of the tasks of `other`, or all of them. If it
  // throws it has changed nothing. Closed ones take none.
  void TakeHalf(WaitingTasks* other) ABSL_LOCKS_EXCLUDED(mutex_);
  void TakeAll(WaitingTasks* other) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  void Publish() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    top_key_.store(closed_ ? WaitingTasks::kGreatestKey : tasks_.TopKey(),
                   std::memory_order_relaxed);
  }

  static constexpr std::uint64_t kReturnsBetweenJudgements = 256;

  Mutex mutex_;
  WaitingTasks tasks_ ABSL_GUARDED_BY(mutex_){nullptr};
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  std::atomic<std::uint64_t> top_key_{0};
  std::atomic<std::uint64_t> returns_{0};
  std::uint64_t next_judgement_ = kReturnsBetweenJudgements;  // its thread's
  std::uint64_t seen_returns_ = 0;  // guarded by the lock of the owner
};

class Helpers {
 public:
  // `allowed`: whether there may be any.
  explicit Helpers(bool allowed) : allowed_(allowed) {}
  bool allowed() const { return allowed_; }

  bool empty() const { return helpers_.empty(); }
  int size() const { return static_cast<int>(helpers_.size()); }
  HelpTrial& trial() { return trial_; }

  // A long task was seen, when so many tasks had run.
  void NoteLong(std::uint64_t tasks);
  // Whether nearly all tasks were short for a while.
  bool AreMostlyShort(std::uint64_t tasks) const {
    return tasks > short_since_ + kAWhile;
  }

  // How many tasks the helpers have run so far, also those that have left.
  std::uint64_t returns() const;

  // May throw, before anything has changed.
  void Add(HelperTasks* helper);
  // Does nothing if it is not there any more. Its tasks have to be gone.
  void Remove(const HelperTasks* helper, std::uint64_t queue_returns);
  bool IsLast(const HelperTasks* helper) const {
    return !helpers_.empty() && helpers_.back() == helper;
  }

  // Takes tasks for a helper that has none: from `queue`, or from another
  // helper.
  void TakeFor(HelperTasks* helper, WaitingTasks* queue);
  // Takes tasks for the queue, which has none, from a helper.
  void TakeForQueue(WaitingTasks* queue);

  // Whether TakeFromStuck is to be called, once so many tasks have run. Seldom
  // enough to read the clock then.
  bool IsTimeToLook(std::uint64_t tasks) {
    if (helpers_.empty() || tasks < next_look_) return false;
    next_look_ = tasks + kTasksBetweenLooks;
    return true;
  }
  // If the last look was a while ago, looks for threads whose task has not come
  // back since. The tasks of a helper that stands still go to the queue. If the
  // thread of the queue stands still, half of its tasks go to `caller`; null:
  // `caller` is no helper.
  void TakeFromStuck(WaitingTasks* queue, std::int64_t now_ns,
                     std::uint64_t queue_returns, HelperTasks* caller);

  // One helper serves the queue from now on: for a thread that leaves it.
  void LeaveQueueToOne(WaitingTasks* queue, std::uint64_t queue_returns);
  // All tasks wait in the queue from now on.
  void CloseAll(WaitingTasks* queue, std::uint64_t queue_returns);

 private:
  static constexpr std::uint64_t kAWhile = 1024;
  static constexpr std::uint64_t kShortForOneLong = 128;
  static constexpr std::uint64_t kTasksBetweenLooks = 256;
  static constexpr std::int64_t kNsBetweenLooks = 2'000'000;

  const bool allowed_;
  // Borrowed, in the order of their numbers.
  std::vector<HelperTasks*> helpers_;
  std::uint64_t returns_of_former_ = 0;
  // For TakeFromStuck: how many tasks have run when the clock is read next, the
  // time of the last look, and what the queue had come to then.
  std::uint64_t next_look_ = 0;
  std::int64_t looked_ns_ = 0;
  std::uint64_t seen_queue_returns_ = 0;
  // A long task moves it on by kShortForOneLong.
  std::uint64_t short_since_ = 0;
  HelpTrial trial_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_SCHEDULER_HELPERS_H_
