// WaitingTasks: the tasks that wait in a queue, and which of them is next.
//
// The most urgent task is next, with two exceptions. If there is a chooser, it
// decides. After a source has given way, the next source is another source of
// the same layer, each in turn.
//
// A round (SchedulerQueue::RunEachOnce) takes the tasks that wait when it
// begins, one of each node; the others, and what comes later, wait behind it.
//
// Up to kMostSorted waiting tasks are kept sorted, with the next one at the
// end. A task that has just become ready is mostly more urgent than those that
// wait, so it is added and taken at the end. More tasks are kept as a heap,
// whose first task is the next one.
//
// Thread rule: one thread at a time.
// Tested by waiting_tasks_test.

#ifndef SYNCLINE_FRAMEWORK_SCHEDULER_WAITING_TASKS_H_
#define SYNCLINE_FRAMEWORK_SCHEDULER_WAITING_TASKS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "absl/types/span.h"
#include "framework/scheduler/task.h"
#include "framework/scheduler/task_chooser.h"
#include "framework/scheduler/task_priority.h"

namespace syncline {

class WaitingTasks {
 public:
  static constexpr std::uint64_t kGreatestKey =
      std::numeric_limits<std::uint64_t>::max();

  // Null, or who decides which task is next; borrowed.
  explicit WaitingTasks(TaskChooser* chooser) : chooser_(chooser) {}

  // The number of tasks that wait, without the tasks of a round.
  std::size_t size() const { return waiting_.size(); }
  // Whether no task waits, neither in a round nor outside of one.
  bool empty() const { return waiting_.empty() && round_.empty(); }

  // Reserves memory, so that Push of as many does not throw.
  void Reserve(std::size_t more) {
    if (waiting_.capacity() - waiting_.size() >= more) return;
    waiting_.reserve(std::max(2 * waiting_.capacity(), waiting_.size() + more));
  }
  void Push(absl::Span<Task* const> tasks) {
    for (Task* const task : tasks) PushOne(task);
  }
  // Takes the next task; null if no task waits.
  Task* Pop() {
    if (waiting_.empty()) return nullptr;
    if (ABSL_PREDICT_FALSE(chooser_ != nullptr)) return PopChosen();
    if (ABSL_PREDICT_FALSE(gives_way_) && Top().priority.IsSource()) {
      return PopByTurns();
    }
    if (ABSL_PREDICT_FALSE(is_heap_)) return PopOfHeap();
    Task* const task = waiting_.back().task;
    waiting_.pop_back();
    return task;
  }
  // Does what Push and then Pop do. Usually one of `tasks` is the next one, and
  // then it is not pushed.
  Task* PushAndPop(absl::Span<Task* const> tasks) {
    if (tasks.empty()) return Pop();
    if (chooser_ == nullptr && !gives_way_) {
      Task* next = tasks[0];
      for (Task* const task : tasks.subspan(1)) {
        if (task->priority.Before(next->priority)) next = task;
      }
      if (waiting_.empty() || !Top().priority.Before(next->priority)) {
        for (Task* const task : tasks) {
          if (task != next) PushOne(task);
        }
        return next;
      }
    }
    Push(tasks);
    return Pop();
  }
  // Leaves them all to `other`. If it throws it has changed nothing. REQUIRES:
  // there is no round, and no chooser.
  void MoveTo(WaitingTasks* other) {
    if (waiting_.empty()) return;
    other->Reserve(waiting_.size());
    for (const Entry& entry : waiting_) other->PushOne(entry.task);
    ClearWaiting();
  }
  // Leaves half of them to `other`, or one more. False: there are none. If it
  // throws it has changed nothing. REQUIRES: as for MoveTo.
  bool MoveHalfTo(WaitingTasks* other, bool most_urgent);
  // The key of the next task's priority. 0 if no task waits; with a chooser
  // always the greatest key.
  std::uint64_t TopKey() const {
    if (chooser_ != nullptr) return kGreatestKey;
    return waiting_.empty() ? 0 : Top().priority.Key();
  }
  // The source that is about to be pushed gives way to the tasks that wait. If
  // no task waits there is nothing to give way to.
  void GiveWay() { gives_way_ = !waiting_.empty(); }

  // Takes all tasks, those of a round too. If it throws it has taken none.
  std::vector<Task*> TakeAll();
  void Clear();

  // --- A round
  bool in_round() const { return !round_.empty(); }
  // REQUIRES: !in_round(). If it throws it has changed nothing.
  void BeginRound();
  // REQUIRES: in_round().
  Task* TakeOfRound() {
    Task* const task = round_.back().task;
    round_.pop_back();
    return task;
  }
  // The tasks that the round has not taken wait with the others.
  void EndRound();

 private:
  struct Entry {
    TaskPriority priority;
    Task* task;
    // For std::sort, and for std::push_heap, which keeps the greatest in front.
    bool operator<(const Entry& other) const {
      return other.priority.Before(priority);
    }
  };

  // More are a heap: to move half of them for one task would cost more.
  static constexpr std::size_t kMostSorted = 32;

  // REQUIRES: a task waits, and there is no chooser.
  const Entry& Top() const {
    return is_heap_ ? waiting_.front() : waiting_.back();
  }
  void PushOne(Task* task) {
    const TaskPriority priority = task->priority;
    const bool is_last = waiting_.empty() || chooser_ != nullptr ||
                         (!is_heap_ && waiting_.size() < kMostSorted &&
                          priority.Before(waiting_.back().priority));
    waiting_.push_back({priority, task});
    if (!is_last) MoveBackToItsPlace();
  }
  // REQUIRES: several tasks wait, the last of which was just pushed, and there
  // is no chooser.
  void MoveBackToItsPlace();
  // REQUIRES: they are a heap.
  Task* PopOfHeap();
  // Puts the tasks in order, as many as there are. Without effect if there is a
  // chooser.
  void PutInOrder();
  void ClearWaiting() {
    waiting_.clear();
    is_heap_ = false;
  }
  // REQUIRES: a task waits.
  Task* PopChosen();
  // Takes the source whose turn it is. REQUIRES: a source is the most urgent
  // task.
  Task* PopByTurns();
  // Leaves one task of each node in the round that begins; the others wait for
  // the next round.
  void KeepOneOfEachNode();

  TaskChooser* const chooser_;
  // With a chooser: in the order of their coming. Else sorted, the next one
  // last, or a heap, the next one first.
  std::vector<Entry> waiting_;
  std::vector<Entry> round_;  // the next one last
  bool is_heap_ = false;
  // Whether a source has given way, and the key of the last source that was let
  // through by that.
  bool gives_way_ = false;
  std::uint64_t last_turn_ = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_SCHEDULER_WAITING_TASKS_H_
