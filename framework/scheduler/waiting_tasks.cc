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
      heap_.size() == 1 ? 0 : chooser_->Choose(heap_.size());
  Task* const task = heap_[chosen].task;
  heap_.erase(heap_.begin() + static_cast<std::ptrdiff_t>(chosen));
  return task;
}

Task* WaitingTasks::PopByTurns() {
  gives_way_ = false;
  // Among the sources of this layer, the one that comes after the last one that
  // ran; if there is none, the first.
  const TaskPriority& top = heap_.front().priority;
  const auto is_earlier = [&](const Entry& a, const Entry& b) {
    const bool a_is_next = a.priority.Key() < last_turn_;
    const bool b_is_next = b.priority.Key() < last_turn_;
    if (a_is_next != b_is_next) return a_is_next;
    return a.priority.Key() > b.priority.Key();
  };
  auto chosen = heap_.begin();
  for (auto entry = heap_.begin(); entry != heap_.end(); ++entry) {
    if (!entry->priority.IsOfSameLayer(top)) continue;
    if (is_earlier(*entry, *chosen)) chosen = entry;
  }
  last_turn_ = chosen->priority.Key();
  Task* const task = chosen->task;
  *chosen = heap_.back();
  heap_.pop_back();
  std::make_heap(heap_.begin(), heap_.end());
  return task;
}

bool WaitingTasks::MoveHalfTo(WaitingTasks* other, bool most_urgent) {
  if (heap_.empty()) return false;
  const auto kept = static_cast<std::ptrdiff_t>(heap_.size() / 2);
  other->Reserve(heap_.size() - static_cast<std::size_t>(kept));
  const auto first = heap_.begin() + kept;
  std::nth_element(heap_.begin(), first, heap_.end(),
                   [most_urgent](const Entry& a, const Entry& b) {
                     return most_urgent ? a < b : b < a;
                   });
  for (auto entry = first; entry != heap_.end(); ++entry) {
    other->PushOne(entry->task);
  }
  heap_.erase(first, heap_.end());
  std::make_heap(heap_.begin(), heap_.end());
  return true;
}

std::vector<Task*> WaitingTasks::TakeAll() {
  std::vector<Task*> tasks;
  tasks.reserve(heap_.size() + round_.size());
  for (const Entry& entry : heap_) tasks.push_back(entry.task);
  for (const Entry& entry : round_) tasks.push_back(entry.task);
  Clear();
  return tasks;
}

void WaitingTasks::Clear() {
  heap_.clear();
  round_.clear();
}

void WaitingTasks::BeginRound() {
  // First, as it may throw.
  round_.reserve(heap_.size());
  std::swap(round_, heap_);
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
      heap_.push_back(entry);
    } else {
      round_[kept++] = entry;
    }
  }
  round_.erase(round_.begin() + kept, round_.end());
  if (chooser_ == nullptr) std::make_heap(heap_.begin(), heap_.end());
}

void WaitingTasks::EndRound() {
  heap_.insert(heap_.end(), round_.begin(), round_.end());
  round_.clear();
  if (chooser_ == nullptr) std::make_heap(heap_.begin(), heap_.end());
}

}  // namespace syncline
