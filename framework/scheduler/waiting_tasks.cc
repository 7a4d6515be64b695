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

std::vector<Task*> WaitingTasks::TakeAll() {
  std::vector<Task*> tasks;
  tasks.reserve(heap_.size() + pass_.size());
  for (const Entry& entry : heap_) tasks.push_back(entry.task);
  for (const Entry& entry : pass_) tasks.push_back(entry.task);
  Clear();
  return tasks;
}

void WaitingTasks::Clear() {
  heap_.clear();
  pass_.clear();
}

void WaitingTasks::BeginPass() {
  // First, as it may throw.
  pass_.reserve(heap_.size());
  std::swap(pass_, heap_);
  std::sort(pass_.begin(), pass_.end());
  KeepOneOfEachNode();
}

// Calls of a node that may overlap are several tasks, of one priority.
void WaitingTasks::KeepOneOfEachNode() {
  std::size_t kept = 0;
  for (const Entry& entry : pass_) {
    const bool is_another = kept > 0 && !entry.priority.IsSource() &&
                            entry.priority == pass_[kept - 1].priority;
    if (is_another) {
      heap_.push_back(entry);
    } else {
      pass_[kept++] = entry;
    }
  }
  pass_.erase(pass_.begin() + static_cast<std::ptrdiff_t>(kept), pass_.end());
  if (chooser_ == nullptr) std::make_heap(heap_.begin(), heap_.end());
}

void WaitingTasks::EndPass() {
  heap_.insert(heap_.end(), pass_.begin(), pass_.end());
  pass_.clear();
  if (chooser_ == nullptr) std::make_heap(heap_.begin(), heap_.end());
}

}  // namespace syncline
