#include "framework/scheduler/application_thread_executor.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/functional/function_ref.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "framework/base/mutex.h"
#include "framework/base/steady_time.h"
#include "framework/base/timer_queue.h"
#include "framework/scheduler/executor.h"
#include "framework/scheduler/request.h"
#include "framework/scheduler/waiters.h"

namespace syncline {
namespace {

void RunNext(TaskQueue* task_queue) { task_queue->RunNextTask(); }
void RunOne(TaskQueue* task_queue) { task_queue->RunOneTask(); }

}  // namespace

WaitPoint::~WaitPoint() {
  MutexLock lock(&mutex);
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    TaskQueue* const task_queue = requests_.at(i).task_queue;
    if (task_queue != nullptr) task_queue->OnTaskLost();
  }
}

bool WaitPoint::Wait(absl::FunctionRef<bool()> condition,
                     absl::Duration timeout, WaitReason reason) {
  using Clock = std::chrono::steady_clock;
  constexpr Clock::time_point kNever = Clock::time_point::max();
  const bool has_deadline = timeout != absl::InfiniteDuration();
  Clock::time_point deadline;
  if (has_deadline) {
    deadline = Clock::now() + absl::ToChronoNanoseconds(
                                  std::min(timeout, absl::Hours(24 * 365)));
  }
  MutexLock lock(&mutex);
  absl::optional<Waiters::Entry> waiter;
  while (!condition()) {
    if (!waiter.has_value()) waiter.emplace(&waiters_, reason);
    if (has_deadline && Clock::now() >= deadline) return false;
    if (!appointments_.empty() && KeepAppointment(RunNext)) continue;
    if (!requests_.empty()) {
      RunRequest(TakeRequest(), RunNext);
      continue;
    }
    sleeping_.fetch_add(1);
    const bool is_over = condition();  // see SignalAtomicChange
    if (!is_over) {
      Clock::time_point until = has_deadline ? deadline : kNever;
      if (!appointments_.empty()) {
        until = std::min(
            until,
            Clock::time_point(std::chrono::nanoseconds(appointments_.Next())));
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

Waiters::Seen WaitPoint::LookAtWaiters(std::int64_t steady_now_ns) {
  MutexLock lock(&mutex);
  return waiters_.Look(steady_now_ns);
}

// Held by the one thread that runs the ready tasks. It is released even if a
// clock or chooser of a user throws.
class WaitPoint::RunningReady {
 public:
  explicit RunningReady(WaitPoint* point)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(point->mutex)
      : point_(point) {
    while (point->is_running_ready_) point->has_run_ready_.Wait(&point->mutex);
    point->is_running_ready_ = true;
  }
  ~RunningReady() {
    point_->mutex.AssertHeld();
    point_->is_running_ready_ = false;
    point_->has_run_ready_.SignalAll();
  }

 private:
  WaitPoint* const point_;
};

std::int64_t WaitPoint::RunReady(absl::FunctionRef<bool()> goes_on) {
  const auto goes_on_now = [&] {
    mutex.AssertHeld();
    const MutexUnlock unlock(&mutex);
    return goes_on();
  };
  MutexLock lock(&mutex);
  const Waiters::Entry waiter(&waiters_, {.what = WaitReason::For::kTasks});
  const RunningReady running(this);
  std::int64_t count = 0;
  for (;;) {
    // Tasks whose time has come run before those that are ready.
    while (!appointments_.empty() && KeepAppointment(RunOne)) {
    }
    if (requests_.empty() || !goes_on_now() || requests_.empty()) break;
    RunRequest(TakeRequest(), RunOne);
    ++count;
  }
  return count;
}

std::int64_t WaitPoint::RunEachOnce() {
  std::int64_t count = 0;
  bool has_called = false;
  const auto run = [&](TaskQueue* task_queue) {
    count += task_queue->RunEachOnce(&has_called);
  };
  MutexLock lock(&mutex);
  const Waiters::Entry waiter(&waiters_, {.what = WaitReason::For::kTasks});
  const RunningReady running(this);
  while (!appointments_.empty() && KeepAppointment(RunOne)) {
  }
  for (;;) {
    const std::int64_t before = count;
    for (size_t left = requests_.size(); left > 0 && !requests_.empty();
         --left) {
      RunRequest(TakeRequest(), run);
    }
    if (has_called || count == before) break;
  }
  return count;
}

void WaitPoint::RunRequest(Request request, Run run) {
  const MutexUnlock unlock(&mutex);
  request.Run(run);
}

bool WaitPoint::KeepAppointment(Run run) {
  TaskQueue* task_queue = nullptr;
  if (!appointments_.TakeDue(SteadyNowNs(), &task_queue)) return false;
  kept_.push_back(task_queue);
  RunRequest(Request(task_queue), run);
  kept_.erase(std::find(kept_.begin(), kept_.end(), task_queue));
  is_kept_.SignalAll();
  return true;
}

void WaitPoint::AddAt(TaskQueue* task_queue, std::int64_t steady_ns) {
  MutexLock lock(&mutex);
  const bool is_earliest = steady_ns < appointments_.Next();
  appointments_.SetEarlier(task_queue, steady_ns);
  // A thread that sleeps may sleep until a later time.
  if (is_earliest) Signal();
}

void WaitPoint::RemoveAt(TaskQueue* task_queue) {
  MutexLock lock(&mutex);
  for (;;) {
    appointments_.Remove(task_queue);
    if (!absl::c_linear_search(kept_, task_queue)) return;
    // The thread in the queue may ask for another time, so this looks again.
    is_kept_.Wait(&mutex);
  }
}

Request WaitPoint::TakeRequest() {
  const size_t chosen = chooser_ == nullptr || requests_.size() == 1
                            ? 0
                            : chooser_->Choose(requests_.size());
  return chosen == 0 ? requests_.pop_front() : requests_.take(chosen);
}

void WaitPoint::SetChooser(TaskChooser* chooser) {
  MutexLock lock(&mutex);
  chooser_ = chooser;
}

void WaitPoint::Add(Request request) {
  MutexLock lock(&mutex);
  requests_.push_back(std::move(request));
  Signal();
}

}  // namespace syncline
