#include "framework/scheduler/waiting_tasks.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "framework/scheduler/task.h"
#include "framework/scheduler/task_priority.h"

namespace syncline {

Task* WaitingTasks::PopChosen() {
  const std::size_t chosen =
      waiting_.size() == 1 ? 0 : chooser_->Choose(waiting_.size());
  Task* const task = waiting_[chosen].task;
  waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(chosen));
  return task;
}

void WaitingTasks::MoveBackToItsPlace() {
  if (is_heap_) return std::push_heap(waiting_.begin(), waiting_.end());
  if (waiting_.size() > kMostSorted) return PutInOrder();
  const Entry entry = waiting_.back();
  auto place = waiting_.end() - 1;
  for (; place != waiting_.begin() && !(place[-1] < entry); --place) {
    *place = place[-1];
  }
  *place = entry;
}

Task* WaitingTasks::PopOfHeap() {
  std::pop_heap(waiting_.begin(), waiting_.end());
  Task* const task = waiting_.back().task;
  waiting_.pop_back();
  // Not as soon as they are few enough, as the next one may come at once.
  if (waiting_.size() <= kMostSorted / 2) PutInOrder();
  return task;
}

void WaitingTasks::PutInOrder() {
  if (chooser_ != nullptr) return;
  is_heap_ = waiting_.size() > kMostSorted;
  if (is_heap_) {
    std::make_heap(waiting_.begin(), waiting_.end());
  } else {
    std::sort(waiting_.begin(), waiting_.end());
  }
}

Task* WaitingTasks::PopByTurns() {
  gives_way_ = false;
  // Among the sources of this layer, the one that comes after the last one that
  // ran; if there is none, the first.
  const TaskPriority top = Top().priority;
  const auto is_earlier = [&](const Entry& a, const Entry& b) {
    const bool a_is_next = a.priority.Key() < last_turn_;
    const bool b_is_next = b.priority.Key() < last_turn_;
    if (a_is_next != b_is_next) return a_is_next;
    return a.priority.Key() > b.priority.Key();
  };
  auto chosen = waiting_.end();
  for (auto entry = waiting_.begin(); entry != waiting_.end(); ++entry) {
    if (!entry->priority.IsOfSameLayer(top)) continue;
    if (chosen == waiting_.end() || is_earlier(*entry, *chosen)) chosen = entry;
  }
  last_turn_ = chosen->priority.Key();
  Task* const task = chosen->task;
  *chosen = waiting_.back();
  waiting_.pop_back();
  PutInOrder();
  return task;
}

bool WaitingTasks::MoveHalfTo(WaitingTasks* other, bool most_urgent) {
  if (waiting_.empty()) return false;
  const auto kept = static_cast<std::ptrdiff_t>(waiting_.size() / 2);
  other->Reserve(waiting_.size() - static_cast<std::size_t>(kept));
  const auto first = waiting_.begin() + kept;
  std::nth_element(waiting_.begin(), first, waiting_.end(),
                   [most_urgent](const Entry& a, const Entry& b) {
                     return most_urgent ? a < b : b < a;
                   });
  for (auto entry = first; entry != waiting_.end(); ++entry) {
    other->PushOne(entry->task);
  }
  waiting_.erase(first, waiting_.end());
  PutInOrder();
  return true;
}

std::vector<Task*> WaitingTasks::TakeAll() {
  std::vector<Task*> tasks;
  tasks.reserve(waiting_.size() + round_.size());
  for (const Entry& entry : waiting_) tasks.push_back(entry.task);
  for (const Entry& entry : round_) tasks.push_back(entry.task);
  Clear();
  return tasks;
}

void WaitingTasks::Clear() {
  ClearWaiting();
  round_.clear();
}

void WaitingTasks::BeginRound() {
  // First, as it may throw.
  round_.reserve(waiting_.size());
  std::swap(round_, waiting_);
  std::sort(round_.begin(), round_.end());
  KeepOneOfEachNode();
}

// Calls of a node that may overlap are several tasks, of one priority.
void WaitingTasks::KeepOneOfEachNode() {
  std::ptrdiff_t kept = 0;
  for (const Entry& entry : round_) {
    const bool is_another = kept > 0 && !entry.priority.IsSource() &&
                            entry.priority == round_[kept - 1].priority;
    if (is_another) {
      waiting_.push_back(entry);
    } else {
      round_[kept++] = entry;
    }
  }
  round_.erase(round_.begin() + kept, round_.end());
  PutInOrder();
}

void WaitingTasks::EndRound() {
  waiting_.insert(waiting_.end(), round_.begin(), round_.end());
  round_.clear();
  PutInOrder();
}

}  // namespace syncline
