#include "framework/scheduler/thread_pool_executor.h"

#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "framework/base/misuse.h"
#include "framework/base/mutex.h"
#include "framework/base/status_macros.h"
#include "framework/config/thread_pool_executor.pb.h"
#include "framework/scheduler/core_performance.h"
#include "framework/scheduler/executor.h"
#include "glog/logging.h"

namespace syncline {
namespace {

constexpr absl::Duration kShortWatch = absl::Milliseconds(1);
constexpr absl::Duration kLongWatch = absl::Milliseconds(8);
// More than this is a mistake, not a wish.
constexpr int kMaxThreads = 4096;
// The kernel cuts names of threads here.
constexpr size_t kMaxThreadName = 15;

absl::Status CheckOptions(const ThreadPoolExecutorOptions& options) {
  if (!options.has_num_threads()) {
    return absl::InvalidArgumentError(
        "num_threads is not specified in ThreadPoolExecutorOptions.");
  }
  if (options.num_threads() <= 0 || options.num_threads() > kMaxThreads) {
    return absl::InvalidArgumentError(absl::StrCat(
        "The num_threads field in ThreadPoolExecutorOptions should be between "
        "1 and ",
        kMaxThreads, " but is ", options.num_threads(), "."));
  }
  if (options.has_stack_size() && options.stack_size() <= 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "The stack_size field in ThreadPoolExecutorOptions should be positive "
        "but is ",
        options.stack_size(), "."));
  }
  return absl::OkStatus();
}

}  // namespace

// --- Making

absl::StatusOr<Executor*> ThreadPoolExecutor::Create(
    const SynclineOptions& options) {
  const ThreadPoolExecutorOptions& mine =
      options.GetExtension(ThreadPoolExecutorOptions::ext);
  SYNCLINE_RETURN_IF_ERROR(CheckOptions(mine));
  std::unique_ptr<ThreadPoolExecutor> pool(new ThreadPoolExecutor());
  SYNCLINE_RETURN_IF_ERROR(pool->Start(mine));
  return pool.release();
}

ThreadPoolExecutor::ThreadPoolExecutor(int num_threads) {
  ThreadPoolExecutorOptions options;
  options.set_num_threads(num_threads);
  absl::Status status = CheckOptions(options);
  if (status.ok()) status = Start(options);
  if (!status.ok()) ReportMisuse(status);
}

absl::Status ThreadPoolExecutor::Start(
    const ThreadPoolExecutorOptions& options) {
  if (!options.thread_name_prefix().empty()) {
    name_prefix_ = options.thread_name_prefix();
  }
  nice_ = options.nice_priority_level();
  cpus_ = CoresWithPerformance(options.require_processor_performance());
  max_parallel_ = options.num_threads();
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  int error = 0;
  if (options.has_stack_size()) {
    const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    const size_t wanted = std::max(static_cast<size_t>(options.stack_size()),
                                   static_cast<size_t>(PTHREAD_STACK_MIN));
    error = pthread_attr_setstacksize(&attributes,
                                      (wanted + page - 1) / page * page);
  }
  while (error == 0 && num_threads() < options.num_threads()) {
    pthread_t thread;
    error = pthread_create(&thread, &attributes, &ThreadMain, this);
    if (error == 0) threads_.push_back(thread);
  }
  pthread_attr_destroy(&attributes);
  if (error == 0) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      absl::StrCat("The system gave ", num_threads(), " of ",
                   options.num_threads(), " threads (", std::strerror(error),
                   "). Ask for fewer, or for a smaller stack_size."));
}

ThreadPoolExecutor::~ThreadPoolExecutor() {
  {
    MutexLock lock(&mutex_);
    stopping_ = true;
    has_work_.SignalAll();
    watcher_is_needed_.SignalAll();
  }
  for (const pthread_t thread : threads_) pthread_join(thread, nullptr);
}

// --- Threads

void* ThreadPoolExecutor::ThreadMain(void* pool) {
  auto* const self = static_cast<ThreadPoolExecutor*>(pool);
  self->PrepareThread();
  self->Work();
  return nullptr;
}

void ThreadPoolExecutor::PrepareThread() const {
  const int number =
      const_cast<ThreadPoolExecutor*>(this)->next_thread_number_.fetch_add(1);
  const std::string suffix = absl::StrCat("/", number);
  const size_t room = kMaxThreadName - std::min(kMaxThreadName, suffix.size());
  pthread_setname_np(pthread_self(),
                     absl::StrCat(name_prefix_.substr(0, room), suffix)
                         .substr(0, kMaxThreadName)
                         .c_str());
  if (nice_ != 0) {
    const auto id = static_cast<id_t>(syscall(SYS_gettid));
    if (setpriority(PRIO_PROCESS, id, nice_) != 0) {
      LOG_FIRST_N(WARNING, 1) << "A thread cannot have nice_priority_level "
                              << nice_ << ": " << std::strerror(errno);
    }
  }
  if (!cpus_.empty()) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const int cpu : cpus_) CPU_SET(cpu, &set);
    if (sched_setaffinity(0, sizeof(set), &set) != 0) {
      LOG_FIRST_N(WARNING, 1) << "A thread cannot be tied to the cores that "
                                 "require_processor_performance asks for: "
                              << std::strerror(errno);
    }
  }
}

void ThreadPoolExecutor::Work() {
  MutexLock lock(&mutex_);
  for (;;) {
    if (!requests_.empty()) {
      RunRequest();
    } else if (stopping_) {
      return;
    } else {
      Sleep();
    }
  }
}

void ThreadPoolExecutor::RunRequest() {
  Request request = std::move(requests_.front());
  requests_.pop_front();
  if (request.is_from_watch) watch_calls_.push_back(request.task_queue);
  mutex_.Unlock();
  if (request.task_queue != nullptr) {
    request.task_queue->RunNextTask();
  } else {
    const absl::Status status = CallUserCode([&] {
      request.task();
      return absl::OkStatus();
    });
    LOG_IF(ERROR, !status.ok())
        << "A task of a ThreadPoolExecutor failed: " << status;
    request.task = nullptr;  // what it holds is released without the lock
  }
  mutex_.Lock();
  if (!request.is_from_watch) return;
  watch_calls_.erase(
      std::find(watch_calls_.begin(), watch_calls_.end(), request.task_queue));
  watch_call_is_over_.SignalAll();
}

void ThreadPoolExecutor::Sleep() {
  if (!watched_.empty() && !is_watching_) {
    is_watching_ = true;
    watcher_is_needed_.WaitWithTimeout(&mutex_, watch_interval_);
    is_watching_ = watcher_is_waking_ = false;
    LookAtWatched();
    return;
  }
  ++sleeping_;
  has_work_.Wait(&mutex_);
  --sleeping_;
  if (waking_ > 0) --waking_;
}

void ThreadPoolExecutor::WakeOne() {
  if (sleeping_ > waking_) {
    ++waking_;
    has_work_.Signal();
  } else if (is_watching_ && !watcher_is_waking_) {
    watcher_is_waking_ = true;
    watcher_is_needed_.Signal();
  } else {
    return;
  }
  wakeups_.fetch_add(1, std::memory_order_relaxed);
}

// --- Work

void ThreadPoolExecutor::Add(Request request) {
  MutexLock lock(&mutex_);
  requests_.push_back(std::move(request));
  WakeOne();
}

void ThreadPoolExecutor::AddTask(TaskQueue* task_queue) {
  Add({.task_queue = task_queue, .task = nullptr});
}

void ThreadPoolExecutor::Schedule(std::function<void()> task) {
  Add({.task_queue = nullptr, .task = std::move(task)});
}

bool ThreadPoolExecutor::Watch(TaskQueue* task_queue, const WatchedWork* work,
                               std::atomic<bool>* watched) {
  MutexLock lock(&mutex_);
  watched_.push_back({task_queue, work, watched, work->turns.load()});
  watch_interval_ = kShortWatch;
  // A pool whose threads are all awake has nobody to send; the first that has
  // nothing to do will watch.
  if (!is_watching_) WakeOne();
  return true;
}

void ThreadPoolExecutor::Unwatch(TaskQueue* task_queue) {
  MutexLock lock(&mutex_);
  watched_.erase(std::remove_if(watched_.begin(), watched_.end(),
                                [&](const Watched& watched) {
                                  return watched.task_queue == task_queue;
                                }),
                 watched_.end());
  requests_.erase(std::remove_if(requests_.begin(), requests_.end(),
                                 [&](const Request& request) {
                                   return request.is_from_watch &&
                                          request.task_queue == task_queue;
                                 }),
                  requests_.end());
  while (std::find(watch_calls_.begin(), watch_calls_.end(), task_queue) !=
         watch_calls_.end()) {
    watch_call_is_over_.Wait(&mutex_);
  }
}

void ThreadPoolExecutor::LookAtWatched() {
  bool has_moved = false;
  for (size_t i = 0; i < watched_.size();) {
    Watched& watched = watched_[i];
    if (watched.work->waiting.load() == 0) {
      // Whoever adds work looks at the flag after that, so either it sees the
      // flag down and calls Watch, or the work is seen here.
      watched.flag->store(false);
      if (watched.work->waiting.load() == 0 || watched.flag->exchange(true)) {
        watched = watched_.back();
        watched_.pop_back();
        continue;
      }
    }
    const std::uint64_t turns = watched.work->turns.load();
    if (turns == watched.last_turns) {
      requests_.push_back({.task_queue = watched.task_queue,
                           .task = nullptr,
                           .is_from_watch = true});
      if (requests_.size() > 1) WakeOne();
    } else {
      has_moved = true;
    }
    watched.last_turns = turns;
    ++i;
  }
  watch_interval_ =
      has_moved ? std::min(kLongWatch, 2 * watch_interval_) : kShortWatch;
}

REGISTER_EXECUTOR(ThreadPoolExecutor);

}  // namespace syncline
