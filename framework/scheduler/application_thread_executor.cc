#include "framework/scheduler/application_thread_executor.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/time/time.h"
#include "framework/base/mutex.h"
#include "framework/scheduler/executor.h"

namespace syncline {

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
    if (!tasks_.empty()) {
      std::function<void()> task = std::move(tasks_.front());
      tasks_.pop_front();
      mutex.Unlock();
      task();
      task = nullptr;  // what it holds is released without the lock
      mutex.Lock();
      continue;
    }
    ++waiting_;
    if (has_deadline) {
      changed_.WaitUntil(&mutex, deadline);
    } else {
      changed_.Wait(&mutex);
    }
    --waiting_;
  }
  return true;
}

void WaitPoint::AddTask(std::function<void()> task) {
  MutexLock lock(&mutex);
  tasks_.push_back(std::move(task));
  Signal();
}

void ApplicationThreadExecutor::AddTask(TaskQueue* task_queue) {
  wait_point_->AddTask([task_queue] { task_queue->RunNextTask(); });
}

void ApplicationThreadExecutor::Schedule(std::function<void()> task) {
  wait_point_->AddTask(std::move(task));
}

}  // namespace syncline
