#include "framework/scheduler/application_thread_executor.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "framework/base/misuse.h"
#include "framework/base/mutex.h"
#include "framework/scheduler/executor.h"
#include "glog/logging.h"

namespace syncline {

WaitPoint::~WaitPoint() {
  MutexLock lock(&mutex);
  for (const Item& item : items_) {
    if (item.task_queue != nullptr) item.task_queue->OnTaskLost();
  }
}

bool WaitPoint::Wait(absl::FunctionRef<bool()> condition,
                     absl::Duration timeout) {
  using Clock = std::chrono::steady_clock;
  const bool has_deadline = timeout != absl::InfiniteDuration();
  Clock::time_point deadline;
  if (has_deadline) {
    deadline = Clock::now() + absl::ToChronoNanoseconds(
                                  std::min(timeout, absl::Hours(24 * 365)));
  }
  MutexLock lock(&mutex);
  while (!condition()) {
    if (has_deadline && Clock::now() >= deadline) return false;
    if (!items_.empty()) {
      Item item = TakeItem();
      mutex.Unlock();
      if (item.task_queue != nullptr) {
        item.task_queue->RunNextTask();
      } else {
        const absl::Status status = CallUserCode([&item] {
          item.task();
          item.task = nullptr;  // what it holds is released without the lock
          return absl::OkStatus();
        });
        if (!status.ok())
          LOG(ERROR) << "A scheduled function failed: " << status;
      }
      mutex.Lock();
      continue;
    }
    sleeping_.fetch_add(1);
    const bool is_over = condition();  // see SignalAtomicChange
    if (!is_over) {
      if (has_deadline) {
        changed_.WaitUntil(&mutex, deadline);
      } else {
        changed_.Wait(&mutex);
      }
    }
    sleeping_.fetch_sub(1);
    if (is_over) return true;
  }
  return true;
}

WaitPoint::Item WaitPoint::TakeItem() {
  const size_t chosen = chooser_ == nullptr || items_.size() == 1
                            ? 0
                            : chooser_->Choose(items_.size());
  Item item = std::move(items_[chosen]);
  if (chosen == 0) {
    items_.pop_front();
  } else {
    items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(chosen));
  }
  return item;
}

void WaitPoint::SetChooser(TaskChooser* chooser) {
  MutexLock lock(&mutex);
  chooser_ = chooser;
}

void WaitPoint::Add(Item item) {
  MutexLock lock(&mutex);
  items_.push_back(std::move(item));
  Signal();
}

void ApplicationThreadExecutor::AddTask(TaskQueue* task_queue) {
  wait_point_->Add({.task_queue = task_queue, .task = nullptr});
}

void ApplicationThreadExecutor::Schedule(std::function<void()> task) {
  wait_point_->Add({.task_queue = nullptr, .task = std::move(task)});
}

}  // namespace syncline
