#include "testing/simulation_clock_executor.h"

#include <algorithm>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <thread>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/cond_var.h"
#include "framework/base/mutex.h"
#include "framework/config/syncline_options.pb.h"
#include "framework/config/thread_pool_executor.pb.h"
#include "framework/scheduler/executor.h"
#include "glog/logging.h"
#include "testing/simulation_clock.h"

namespace syncline {
namespace {

void RunAndLog(const std::function<void()>& task) {
  try {
    task();
  } catch (const std::exception& exception) {
    LOG(ERROR) << "A task of a SimulationClockExecutor threw: "
               << exception.what();
  } catch (...) {
    LOG(ERROR) << "A task of a SimulationClockExecutor threw.";
  }
}

}  // namespace

// Tasks, and places to run them at. A place is taken from the moment on that a
// task comes for it, by a permit in the clock's line, so that time cannot pass
// before a thread has come.
class SimulationClockExecutor::Places {
 public:
  Places(int count, std::shared_ptr<SimulationClock> clock)
      : count_(count), clock_(std::move(clock)) {}

  int count() const { return count_; }
  const std::shared_ptr<SimulationClock>& clock() const { return clock_; }

  void Add(std::function<void()> task) ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    tasks_.push_back(std::move(task));
    if (taken_ == count_) return;  // Whoever leaves a place looks first.
    ++taken_;
    permits_.push_back(std::make_unique<SimulationClock::Permit>(
        "a thread of SimulationClockExecutor"));
    clock_->JoinLine(permits_.back().get());
    changed_.Signal();
  }

  // No task comes from outside any more.
  void Stop() ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    is_stopping_ = true;
    changed_.SignalAll();
  }

  // The life of a thread.
  void Work() ABSL_LOCKS_EXCLUDED(mutex_) {
    while (const std::unique_ptr<SimulationClock::Permit> permit =
               WaitForPermit()) {
      clock_->Take(permit.get());
      while (const std::function<void()> task = NextTask()) RunAndLog(task);
      clock_->GiveBack(permit.get());
    }
  }

 private:
  // Null: it is over.
  std::unique_ptr<SimulationClock::Permit> WaitForPermit()
      ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    // A task that runs may still add others.
    while (permits_.empty() && !(is_stopping_ && taken_ == 0)) {
      changed_.Wait(&mutex_);
    }
    if (permits_.empty()) return nullptr;
    std::unique_ptr<SimulationClock::Permit> permit =
        std::move(permits_.front());
    permits_.pop_front();
    return permit;
  }

  // Null: there is none, and the place is free.
  std::function<void()> NextTask() ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    while (!tasks_.empty()) {
      std::function<void()> task = std::move(tasks_.front());
      tasks_.pop_front();
      if (task != nullptr) return task;
      LOG(ERROR) << "Null was given to SimulationClockExecutor::Schedule().";
    }
    if (--taken_ == 0 && is_stopping_) changed_.SignalAll();
    return nullptr;
  }

  const int count_;
  const std::shared_ptr<SimulationClock> clock_;

  Mutex mutex_;
  CondVar changed_;
  std::deque<std::function<void()>> tasks_ ABSL_GUARDED_BY(mutex_);
  // Of places that are taken, for threads to come.
  std::deque<std::unique_ptr<SimulationClock::Permit>> permits_
      ABSL_GUARDED_BY(mutex_);
  int taken_ ABSL_GUARDED_BY(mutex_) = 0;
  bool is_stopping_ ABSL_GUARDED_BY(mutex_) = false;
};

absl::StatusOr<Executor*> SimulationClockExecutor::Create(
    const SynclineOptions& options) {
  const int num_threads =
      options.GetExtension(ThreadPoolExecutorOptions::ext).num_threads();
  if (num_threads <= 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("SimulationClockExecutor needs num_threads above 0 in its "
                     "ThreadPoolExecutorOptions; it is ",
                     num_threads, "."));
  }
  return new SimulationClockExecutor(num_threads);
}

SimulationClockExecutor::SimulationClockExecutor(int num_threads)
    : SimulationClockExecutor(num_threads,
                              std::make_shared<SimulationClock>()) {}

SimulationClockExecutor::SimulationClockExecutor(
    int num_threads, std::shared_ptr<SimulationClock> clock)
    : places_(std::make_shared<Places>(num_threads, std::move(clock))) {
  DCHECK_GT(num_threads, 0);
  for (int i = 0; i < num_threads; ++i) {
    threads_.emplace_back([places = places_] { places->Work(); });
  }
}

SimulationClockExecutor::~SimulationClockExecutor() {
  places_->Stop();
  const bool is_own_thread = std::any_of(
      threads_.begin(), threads_.end(), [](const std::thread& thread) {
        return thread.get_id() == std::this_thread::get_id();
      });
  for (std::thread& thread : threads_) {
    is_own_thread ? thread.detach() : thread.join();
  }
}

std::shared_ptr<SimulationClock> SimulationClockExecutor::GetClock() const {
  return places_->clock();
}

void SimulationClockExecutor::Schedule(std::function<void()> task) {
  places_->Add(std::move(task));
}

int SimulationClockExecutor::MaxParallelTasks() const {
  return places_->count();
}

REGISTER_EXECUTOR(SimulationClockExecutor);

}  // namespace syncline
