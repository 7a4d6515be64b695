#include "framework/scheduler/watch_list.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "framework/scheduler/executor.h"

namespace syncline {

void WatchList::Add(TaskQueue* task_queue, const WatchedWork* work,
                    std::atomic<bool>* flag) {
  entries_.push_back({task_queue, work, flag, work->returns.load()});
  interval_ = kShortest;
}

void WatchList::Remove(TaskQueue* task_queue) {
  std::erase_if(entries_, [&](const Entry& entry) {
    return entry.task_queue == task_queue;
  });
}

bool WatchList::IsOver(const Entry& entry) {
  if (entry.work->waiting.load() > 0) return false;
  entry.flag->store(false);
  return entry.work->waiting.load() == 0 || entry.flag->exchange(true);
}

void WatchList::Look(std::vector<TaskQueue*>* due) {
  bool has_become_due = false;
  for (size_t i = 0; i < entries_.size();) {
    Entry& entry = entries_[i];
    const std::uint64_t returns = entry.work->returns.load();
    const bool stands_still = returns == entry.last_returns;
    const bool is_due = stands_still || (entry.work->lacks_cores.load() &&
                                         entry.work->waiting.load() > 0);
    if (stands_still && IsOver(entry)) {
      entry = entries_.back();
      entries_.pop_back();
      continue;
    }
    if (is_due) due->push_back(entry.task_queue);
    if (is_due && !entry.was_due) has_become_due = true;
    entry.was_due = is_due;
    entry.last_returns = returns;
    ++i;
  }
  interval_ = has_become_due ? kShortest : std::min(kLongest, 2 * interval_);
}

}  // namespace syncline
