#include "framework/scheduler/application_thread_executor.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/misuse.h"
#include "framework/base/mutex.h"
#include "framework/base/steady_time.h"
#include "framework/scheduler/executor.h"
#include "glog/logging.h"

namespace syncline {
namespace {

void RunNext(TaskQueue* task_queue) { task_queue->RunNextTask(); }
void RunOne(TaskQueue* task_queue) { task_queue->RunOneTask(); }

}  // namespace

WaitPoint::~WaitPoint() {
  MutexLock lock(&mutex);
  for (const Item& item : items_) {
    if (item.task_queue != nullptr) item.task_queue->OnTaskLost();
  }
}

bool WaitPoint::Wait(absl::FunctionRef<bool()> condition,
                     absl::Duration timeout) {
  using Clock = std::chrono::steady_clock;
  constexpr Clock::time_point kNever = Clock::time_point::max();
  const bool has_deadline = timeout != absl::InfiniteDuration();
  Clock::time_point deadline;
  if (has_deadline) {
    deadline = Clock::now() + absl::ToChronoNanoseconds(
                                  std::min(timeout, absl::Hours(24 * 365)));
  }
  MutexLock lock(&mutex);
  while (!condition()) {
    if (has_deadline && Clock::now() >= deadline) return false;
    if (!appointments_.empty() && KeepAppointment(RunNext)) continue;
    if (!items_.empty()) {
      RunItem(TakeItem(), RunNext);
      continue;
    }
    sleeping_.fetch_add(1);
    const bool is_over = condition();  // see SignalAtomicChange
    if (!is_over) {
      Clock::time_point until = has_deadline ? deadline : kNever;
      for (const Appointment& it : appointments_) {
        until = std::min(
            until, Clock::time_point(std::chrono::nanoseconds(it.steady_ns)));
      }
      if (until != kNever) {
        changed_.WaitUntil(&mutex, until);
      } else {
        changed_.Wait(&mutex);
      }
    }
    sleeping_.fetch_sub(1);
    if (is_over) return true;
  }
  return true;
}

void WaitPoint::BeginRunning() {
  while (is_running_ready_) has_run_ready_.Wait(&mutex);
  is_running_ready_ = true;
}

void WaitPoint::EndRunning() {
  is_running_ready_ = false;
  has_run_ready_.SignalAll();
}

std::int64_t WaitPoint::RunReady(absl::FunctionRef<bool()> goes_on) {
  const auto goes_on_now = [&] {
    mutex.Unlock();
    const bool does = goes_on();
    mutex.Lock();
    return does;
  };
  MutexLock lock(&mutex);
  BeginRunning();
  std::int64_t count = 0;
  for (;;) {
    // What is due now joins what is ready.
    while (!appointments_.empty() && KeepAppointment(RunOne)) {
    }
    if (items_.empty() || !goes_on_now() || items_.empty()) break;
    RunItem(TakeItem(), RunOne);
    ++count;
  }
  EndRunning();
  return count;
}

std::int64_t WaitPoint::RunEachOnce() {
  std::int64_t count = 0;
  bool has_called = false;
  const auto run = [&](TaskQueue* task_queue) {
    count += task_queue->RunEachOnce(&has_called);
  };
  MutexLock lock(&mutex);
  BeginRunning();
  while (!appointments_.empty() && KeepAppointment(RunOne)) {
  }
  for (;;) {
    const std::int64_t before = count;
    for (size_t left = items_.size(); left > 0 && !items_.empty(); --left) {
      RunItem(TakeItem(), run);
    }
    if (has_called || count == before) break;
  }
  EndRunning();
  return count;
}

void WaitPoint::RunItem(Item item, Run run) {
  mutex.Unlock();
  // Nothing may pass without the lock.
  const absl::Status status = CatchExceptions([&] {
    if (item.task_queue != nullptr) {
      run(item.task_queue);
      return absl::OkStatus();
    }
    return CallUserCode([&item] {
      item.task();
      item.task = nullptr;  // what it holds is released without the lock
      return absl::OkStatus();
    });
  });
  if (!status.ok()) LOG(ERROR) << "A scheduled function failed: " << status;
  mutex.Lock();
}

bool WaitPoint::KeepAppointment(Run run) {
  const std::int64_t now_ns = SteadyNowNs();
  const auto due = std::find_if(
      appointments_.begin(), appointments_.end(),
      [&](const Appointment& it) { return it.steady_ns <= now_ns; });
  if (due == appointments_.end()) return false;
  TaskQueue* const task_queue = due->task_queue;
  appointments_.erase(due);
  kept_.push_back(task_queue);
  RunItem({.task_queue = task_queue, .task = nullptr}, run);
  kept_.erase(std::find(kept_.begin(), kept_.end(), task_queue));
  is_kept_.SignalAll();
  return true;
}

void WaitPoint::AddAt(TaskQueue* task_queue, std::int64_t steady_ns) {
  MutexLock lock(&mutex);
  const auto known = std::find_if(
      appointments_.begin(), appointments_.end(),
      [&](const Appointment& it) { return it.task_queue == task_queue; });
  const bool is_earliest = std::all_of(
      appointments_.begin(), appointments_.end(),
      [&](const Appointment& it) { return it.steady_ns > steady_ns; });
  if (known == appointments_.end()) {
    appointments_.push_back({task_queue, steady_ns});
  } else {
    known->steady_ns = std::min(known->steady_ns, steady_ns);
  }
  // Who sleeps may sleep too long.
  if (is_earliest) Signal();
}

void WaitPoint::RemoveAt(TaskQueue* task_queue) {
  MutexLock lock(&mutex);
  for (;;) {
    const auto end = std::remove_if(
        appointments_.begin(), appointments_.end(),
        [&](const Appointment& it) { return it.task_queue == task_queue; });
    appointments_.erase(end, appointments_.end());
    if (std::find(kept_.begin(), kept_.end(), task_queue) == kept_.end()) {
      return;
    }
    // Who is in it may ask for another time.
    is_kept_.Wait(&mutex);
  }
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

bool ApplicationThreadExecutor::AddTaskAt(TaskQueue* task_queue,
                                          std::int64_t steady_ns,
                                          bool caller_returns) {
  wait_point_->AddAt(task_queue, steady_ns);
  return true;
}

void ApplicationThreadExecutor::Unwatch(TaskQueue* task_queue) {
  wait_point_->RemoveAt(task_queue);
}

void ApplicationThreadExecutor::Schedule(std::function<void()> task) {
  wait_point_->Add({.task_queue = nullptr, .task = std::move(task)});
}

}  // namespace syncline
