#include "framework/scheduler/worker_pool.h"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "framework/base/misuse.h"
#include "framework/base/mutex.h"
#include "framework/base/steady_time.h"
#include "framework/scheduler/executor.h"
#include "framework/scheduler/request_ring.h"
#include "framework/scheduler/thread_options.h"
#include "glog/logging.h"

namespace syncline {
struct WorkerPool::ThreadArgument {
  std::shared_ptr<WorkerPool> pool;
  Worker* worker;
  int number;
};

// --- Beginning and end

absl::StatusOr<std::shared_ptr<WorkerPool>> WorkerPool::Start(
    const ThreadOptions& options, int num_threads) {
  if (num_threads <= 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("The num_threads field in ThreadPoolExecutorOptions "
                     "should be positive but is ",
                     num_threads, "."));
  }
  if (num_threads > kMaxPoolThreads) {
    return absl::InvalidArgumentError(absl::StrCat(
        "The num_threads field in ThreadPoolExecutorOptions should be at most ",
        kMaxPoolThreads, " but is ", num_threads, "."));
  }
  const size_t stack_size = options.stack_size();
  if (stack_size > 0 && stack_size < MinStackSize()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "The stack_size field in ThreadPoolExecutorOptions should be at least ",
        MinStackSize(), " bytes in this program but is ", stack_size,
        "; calls of calculators need more than that. Leave it out for the "
        "system's default."));
  }
  std::shared_ptr<WorkerPool> pool(new WorkerPool(options, num_threads));
  const absl::Status status = pool->StartThreads();
  if (status.ok()) return pool;
  pool->Stop();
  return status;
}

WorkerPool::WorkerPool(const ThreadOptions& options, int num_threads)
    : options_(options), num_threads_(num_threads) {
  workers_.reserve(static_cast<size_t>(num_threads));
  MutexLock lock(&mutex_);
  parked_.reserve(static_cast<size_t>(num_threads));
}

absl::Status WorkerPool::StartThreads() {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  int error = 0;
  if (options_.stack_size() > 0) {
    const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    error = pthread_attr_setstacksize(
        &attributes, (options_.stack_size() + page - 1) / page * page);
  }
  while (error == 0 && workers_.size() < static_cast<size_t>(num_threads_)) {
    workers_.push_back(std::make_unique<Worker>());
    Worker* const worker = workers_.back().get();
    auto argument = std::make_unique<ThreadArgument>(
        ThreadArgument{.pool = shared_from_this(),
                       .worker = worker,
                       .number = static_cast<int>(workers_.size()) - 1});
    error = pthread_create(&worker->thread, &attributes, &ThreadMain,
                           argument.get());
    if (error == 0) {
      (void)argument.release();  // the thread has it now
    } else {
      workers_.pop_back();
    }
  }
  pthread_attr_destroy(&attributes);
  if (error != 0) {
    return absl::ResourceExhaustedError(
        absl::StrCat("The system gave ", workers_.size(), " of ", num_threads_,
                     " threads (", std::strerror(error),
                     "). Ask for fewer, or for a smaller stack_size."));
  }
  if (!options_.MayFailInThread()) return absl::OkStatus();
  MutexLock lock(&mutex_);
  while (prepared_ < num_threads_) is_prepared_.Wait(&mutex_);
  return refusal_;
}

void WorkerPool::Stop() {
  {
    MutexLock lock(&mutex_);
    is_stopping_ = true;
    while (WakeOne() != nullptr) {
    }
  }
  for (const std::unique_ptr<Worker>& worker : workers_) {
    if (pthread_equal(worker->thread, pthread_self()) != 0) {
      pthread_detach(worker->thread);
    } else {
      pthread_join(worker->thread, nullptr);
    }
  }
}

void* WorkerPool::ThreadMain(void* argument) {
  const std::unique_ptr<ThreadArgument> mine(
      static_cast<ThreadArgument*>(argument));
  mine->pool->PrepareThread(mine->number);
  mine->pool->Work(mine->worker);
  return nullptr;
}

void WorkerPool::PrepareThread(int number) {
  absl::Status logged = ApplyPreferences(options_, number);
  absl::Status required = ApplyRequirements(options_);
  if (options_.runs_if_refused()) logged.Update(required);
  MutexLock lock(&mutex_);
  ++prepared_;
  refusal_.Update(required);
  is_prepared_.Signal();
  if (logged.ok() || has_logged_refusal_) return;
  has_logged_refusal_ = true;
  LOG(WARNING) << "Threads of a pool do without: " << logged.message();
}

// --- The life of a thread

void WorkerPool::Work(Worker* me) {
  MutexLock lock(&mutex_);
  for (;;) {
    if (!appointments_.empty()) TakeAppointments();
    if (!due_.empty()) {
      RunDue();
    } else if (!requests_.empty()) {
      RunRequest();
    } else if (is_stopping_) {
      return;
    } else {
      Park(me);
    }
  }
}

void WorkerPool::RunRequest() {
  Request request = requests_.Pop();
  mutex_.Unlock();
  if (request.task_queue != nullptr) {
    request.task_queue->RunNextTask();
  } else {
    const absl::Status status = CallUserCode([&request] {
      request.task();
      return absl::OkStatus();
    });
    LOG_IF(ERROR, !status.ok()) << "A task of an executor failed: " << status;
    request.task = nullptr;  // what it holds is released without the lock
  }
  mutex_.Lock();
}

void WorkerPool::RunDue() {
  TaskQueue* const task_queue = due_.back();
  due_.pop_back();
  due_running_.push_back(task_queue);
  mutex_.Unlock();
  task_queue->RunNextTask();
  mutex_.Lock();
  due_running_.erase(
      std::find(due_running_.begin(), due_running_.end(), task_queue));
  due_is_over_.SignalAll();
}

void WorkerPool::Park(Worker* me) {
  me->is_woken = false;
  if (watcher_ == nullptr && NeedsWatcher()) {
    KeepWatch(me);
  } else {
    parked_.push_back(me);
    while (!me->is_woken) me->wake.Wait(&mutex_);
  }
  if (coming_watcher_ == me) coming_watcher_ = nullptr;
}

void WorkerPool::KeepWatch(Worker* me) {
  watcher_ = me;
  std::int64_t until_ns = NextAppointment();
  if (!watched_.empty()) until_ns = std::min(until_ns, next_look_ns_);
  watcher_sleeps_until_ns_ = until_ns;
  const std::chrono::steady_clock::time_point until(
      (std::chrono::nanoseconds(until_ns)));
  while (!me->is_woken && !me->wake.WaitUntil(&mutex_, until)) {
  }
  if (me->is_woken) return;
  watcher_ = nullptr;
  TakeAppointments();
  if (!watched_.empty()) {
    const std::int64_t now_ns = SteadyNowNs();
    if (now_ns >= next_look_ns_) {
      looks_.fetch_add(1, std::memory_order_relaxed);
      watched_.Look(&due_);
      next_look_ns_ = now_ns + absl::ToInt64Nanoseconds(watched_.interval());
    }
  }
  if (due_.empty()) return;
  // This thread goes to one of them, others to the rest, and somebody has to
  // watch on.
  for (size_t i = 1; i < due_.size(); ++i) WakeOne();
  CallWatcher();
}

WorkerPool::Worker* WorkerPool::WakeOne() {
  Worker* worker = nullptr;
  if (!parked_.empty()) {
    worker = parked_.back();
    parked_.pop_back();
  } else {
    worker = std::exchange(watcher_, nullptr);
  }
  if (worker == nullptr) return nullptr;
  worker->is_woken = true;
  // With the lock held: without it, the pool could be gone by now.
  worker->wake.Signal();
  wakeups_.fetch_add(1, std::memory_order_relaxed);
  return worker;
}

void WorkerPool::CallWatcher() {
  if (!NeedsWatcher() || watcher_ != nullptr || coming_watcher_ != nullptr) {
    return;
  }
  coming_watcher_ = WakeOne();
}

// --- Work

void WorkerPool::Add(Request request) {
  MutexLock lock(&mutex_);
  requests_.Push(std::move(request));
  WakeOne();
}

void WorkerPool::Watch(TaskQueue* task_queue, const WatchedWork* work,
                       std::atomic<bool>* watched) {
  MutexLock lock(&mutex_);
  if (watched_.empty()) {
    next_look_ns_ =
        SteadyNowNs() + absl::ToInt64Nanoseconds(watched_.interval());
  }
  watched_.Add(task_queue, work, watched);
  // Who sleeps for an appointment may sleep too long.
  if (watcher_ != nullptr && watcher_sleeps_until_ns_ > next_look_ns_) {
    WakeWatcher();
  }
  // If all threads are busy, the first to have nothing to do keeps watch.
  CallWatcher();
}

// --- Appointments

std::int64_t WorkerPool::NextAppointment() const {
  std::int64_t next = std::numeric_limits<std::int64_t>::max();
  for (const Appointment& appointment : appointments_) {
    next = std::min(next, appointment.steady_ns);
  }
  return next;
}

void WorkerPool::TakeAppointments() {
  const std::int64_t now_ns = SteadyNowNs();
  const auto end = std::partition(
      appointments_.begin(), appointments_.end(),
      [&](const Appointment& it) { return it.steady_ns > now_ns; });
  for (auto it = end; it != appointments_.end(); ++it) {
    due_.push_back(it->task_queue);
  }
  appointments_.erase(end, appointments_.end());
}

void WorkerPool::AddTaskAt(TaskQueue* task_queue, std::int64_t steady_ns) {
  MutexLock lock(&mutex_);
  const auto known = std::find_if(appointments_.begin(), appointments_.end(),
                                  [&](const Appointment& appointment) {
                                    return appointment.task_queue == task_queue;
                                  });
  if (known == appointments_.end()) {
    appointments_.push_back({task_queue, steady_ns});
  } else if (known->steady_ns <= steady_ns) {
    return;
  } else {
    known->steady_ns = steady_ns;
  }
  if (watcher_ == nullptr) return CallWatcher();
  if (watcher_sleeps_until_ns_ > steady_ns) WakeWatcher();
}

void WorkerPool::WakeWatcher() {
  // It comes back with nothing to do, and sleeps for the right time.
  Worker* const worker = std::exchange(watcher_, nullptr);
  coming_watcher_ = worker;
  worker->is_woken = true;
  worker->wake.Signal();
  wakeups_.fetch_add(1, std::memory_order_relaxed);
}

void WorkerPool::Unwatch(TaskQueue* task_queue) {
  MutexLock lock(&mutex_);
  watched_.Remove(task_queue);
  appointments_.erase(std::remove_if(appointments_.begin(), appointments_.end(),
                                     [&](const Appointment& appointment) {
                                       return appointment.task_queue ==
                                              task_queue;
                                     }),
                      appointments_.end());
  due_.erase(std::remove(due_.begin(), due_.end(), task_queue), due_.end());
  while (std::find(due_running_.begin(), due_running_.end(), task_queue) !=
         due_running_.end()) {
    due_is_over_.Wait(&mutex_);
  }
}

}  // namespace syncline
