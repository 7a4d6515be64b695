#include "framework/scheduler/worker_pool.h"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "framework/base/fatal_signal_hook.h"
#include "framework/base/mutex.h"
#include "framework/base/status_macros.h"
#include "framework/base/steady_time.h"
#include "framework/base/timer_queue.h"
#include "framework/scheduler/executor.h"
#include "framework/scheduler/request.h"
#include "framework/scheduler/thread_options.h"
#include "glog/logging.h"

namespace syncline {
namespace {

constexpr std::int64_t kNever = TimerQueue<TaskQueue*>::kNone;

}  // namespace

struct WorkerPool::ThreadArgument {
  std::shared_ptr<WorkerPool> pool;
  Worker* worker;
  int number;
};

// --- Beginning and end

absl::StatusOr<std::shared_ptr<WorkerPool>> WorkerPool::Start(
    const ThreadOptions& options, int num_threads) {
  SYNCLINE_RETURN_IF_ERROR(CheckThreads(options, num_threads));
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
  // A thread without memory for these could tell nobody.
  constexpr size_t kUsually = 64;
  due_.queues.reserve(kUsually);
  due_.running.reserve(static_cast<size_t>(num_threads));
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
  while (preparation_.prepared < num_threads_)
    preparation_.is_prepared.Wait(&mutex_);
  return preparation_.refusal;
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
  const AlternateSignalStack signal_stack;
  mine->pool->PrepareThread(mine->number);
  mine->pool->Work(mine->worker);
  return nullptr;
}

void WorkerPool::PrepareThread(int number) {
  const ThreadRefusals refusals = ApplyThreadOptions(options_, number);
  MutexLock lock(&mutex_);
  ++preparation_.prepared;
  preparation_.refusal.Update(refusals.fails_start);
  preparation_.is_prepared.Signal();
  if (refusals.is_logged.ok() || preparation_.has_logged_refusal) return;
  preparation_.has_logged_refusal = true;
  LOG(WARNING) << "Threads of a pool do without: "
               << refusals.is_logged.message();
}

// --- The life of a thread

void WorkerPool::Work(Worker* me) {
  MutexLock lock(&mutex_);
  for (;;) {
    TakeDue();
    if (!due_.queues.empty()) {
      KeepInvariant();
      RunDue();
    } else if (!requests_.empty()) {
      KeepInvariant();
      RunRequest();
    } else if (is_stopping_) {
      return;
    } else {
      Park(me);
    }
  }
}

void WorkerPool::RunRequest() {
  Request request = requests_.pop_front();
  const MutexUnlock unlock(&mutex_);
  request.Run([](TaskQueue* task_queue) { task_queue->RunNextTask(); });
}

void WorkerPool::RunDue() {
  TaskQueue* const task_queue = due_.queues.back();
  due_.queues.pop_back();
  due_.running.push_back(task_queue);
  {
    const MutexUnlock unlock(&mutex_);
    Request(task_queue).Run([](TaskQueue* queue) { queue->RunNextTask(); });
  }
  due_.running.erase(
      std::find(due_.running.begin(), due_.running.end(), task_queue));
  due_.is_over.SignalAll();
}

void WorkerPool::Park(Worker* me) {
  me->is_woken = false;
  // This thread may just have asked for a time as a caller that returns
  // (AddTaskAt), and the keeper have parked for a later one before.
  if (keeper_ != nullptr && keeper_->parks_until_ns > appointments_.Next()) {
    KeepInvariant();
  }
  if (keeper_ == nullptr && !appointments_.empty()) {
    // This thread also wakes for the next look, if no other thread parks for
    // that.
    const std::int64_t look_ns = watcher_ == nullptr ? NextLook() : kNever;
    ParkUntil(std::min(appointments_.Next(), look_ns), &keeper_, me);
  } else if (watcher_ == nullptr && !watched_.empty()) {
    ParkUntil(NextLook(), &watcher_, me);
  } else {
    parked_.push_back(me);
    while (!me->is_woken) me->wake.Wait(&mutex_);
  }
  if (coming_ == me) coming_ = nullptr;
}

void WorkerPool::ParkUntil(std::int64_t steady_ns, Worker** role, Worker* me) {
  *role = me;
  me->parks_until_ns = steady_ns;
  const std::chrono::steady_clock::time_point until(
      (std::chrono::nanoseconds(steady_ns)));
  while (!me->is_woken && !me->wake.WaitUntil(&mutex_, until)) {
  }
  // Whoever wakes this worker also takes the role from it.
  if (!me->is_woken) *role = nullptr;
}

WorkerPool::Worker* WorkerPool::WakeOne() {
  Worker* const worker = TakeParked();
  if (worker != nullptr) Wake(worker);
  return worker;
}

WorkerPool::Worker* WorkerPool::TakeParked() {
  Worker* worker = nullptr;
  if (!parked_.empty()) {
    worker = parked_.back();
    parked_.pop_back();
  } else if (watcher_ == nullptr ||
             (keeper_ != nullptr &&
              keeper_->parks_until_ns > watcher_->parks_until_ns)) {
    worker = std::exchange(keeper_, nullptr);
  } else {
    worker = std::exchange(watcher_, nullptr);
  }
  return worker;
}

void WorkerPool::Wake(Worker* worker) {
  MarkWoken(worker);
  worker->wake.Signal();
}

void WorkerPool::MarkWoken(Worker* worker) {
  worker->is_woken = true;
  wakeups_.fetch_add(1, std::memory_order_relaxed);
}

void WorkerPool::KeepInvariant() {
  const std::int64_t appointment_ns = appointments_.Next();
  const std::int64_t look_ns = NextLook();
  const std::int64_t next_ns = std::min(appointment_ns, look_ns);
  if (next_ns == kNever || coming_ != nullptr) return;
  for (const Worker* const worker : {keeper_, watcher_}) {
    if (worker != nullptr && worker->parks_until_ns <= next_ns) return;
  }
  // A thread that has the role already has to be told of the new time.
  Worker*& role = appointment_ns <= look_ns ? keeper_ : watcher_;
  coming_ = std::exchange(role, nullptr);
  if (coming_ != nullptr) {
    Wake(coming_);
  } else {
    coming_ = WakeOne();
  }
}

// --- Work

void WorkerPool::Add(Request request) {
  // Without the lock, the last user of the pool could let go of it before the
  // signal is sent.
  const std::shared_ptr<WorkerPool> self = shared_from_this();
  Worker* worker = nullptr;
  {
    MutexLock lock(&mutex_);
    requests_.push_back(std::move(request));
    worker = TakeParked();
    if (worker == nullptr) return;
    MarkWoken(worker);
  }
  worker->wake.Signal();
}

void WorkerPool::Watch(TaskQueue* task_queue, const WatchedWork* work,
                       std::atomic<bool>* watched) {
  MutexLock lock(&mutex_);
  if (watched_.empty()) {
    next_look_ns_ =
        SteadyNowNs() + absl::ToInt64Nanoseconds(watched_.interval());
  }
  watched_.Add(task_queue, work, watched);
  // If all threads are busy, the first to have nothing to do looks.
  KeepInvariant();
}

// --- What comes at a time

std::int64_t WorkerPool::NextLook() const {
  return watched_.empty() ? kNever : next_look_ns_;
}

void WorkerPool::TakeDue() {
  if (appointments_.empty() && watched_.empty()) return;
  const size_t known = due_.queues.size();
  const std::int64_t now_ns = SteadyNowNs();
  TaskQueue* task_queue = nullptr;
  while (appointments_.TakeDue(now_ns, &task_queue)) {
    due_.queues.push_back(task_queue);
  }
  if (NextLook() <= now_ns) {
    looks_.fetch_add(1, std::memory_order_relaxed);
    watched_.Look(&due_.queues);
    next_look_ns_ = now_ns + absl::ToInt64Nanoseconds(watched_.interval());
  }
  for (size_t i = known + 1; i < due_.queues.size(); ++i) WakeOne();
}

void WorkerPool::AddTaskAt(TaskQueue* task_queue, std::int64_t steady_ns,
                           bool caller_returns) {
  MutexLock lock(&mutex_);
  appointments_.SetEarlier(task_queue, steady_ns);
  // A caller that returns to the pool parks until the right time. If it finds
  // something to run instead, it sees to it that another worker does so.
  if (!caller_returns) KeepInvariant();
}

void WorkerPool::Unwatch(TaskQueue* task_queue) {
  MutexLock lock(&mutex_);
  watched_.Remove(task_queue);
  for (;;) {
    appointments_.Remove(task_queue);
    std::erase(due_.queues, task_queue);
    if (!absl::c_linear_search(due_.running, task_queue)) return;
    // The thread in the queue may ask for another time, so this looks again.
    due_.is_over.Wait(&mutex_);
  }
}

}  // namespace syncline
