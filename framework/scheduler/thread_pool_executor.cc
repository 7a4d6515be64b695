#include "framework/scheduler/thread_pool_executor.h"

#include <atomic>
#include <memory>
#include <typeinfo>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/misuse.h"
#include "framework/base/status_macros.h"
#include "framework/config/syncline_options.pb.h"
#include "framework/config/thread_pool_executor.pb.h"
#include "framework/scheduler/executor.h"
#include "framework/scheduler/request.h"
#include "framework/scheduler/thread_options.h"
#include "framework/scheduler/worker_pool.h"

namespace syncline {
namespace {

// The pool also belongs to its threads, so its last user has to stop it. The
// deleter then lets the pool go, because weak pointers keep the deleter.
absl::StatusOr<std::shared_ptr<WorkerPool>> StartPool(
    const ThreadOptions& thread_options, int num_threads) {
  SYNCLINE_ASSIGN_OR_RETURN(std::shared_ptr<WorkerPool> pool,
                            WorkerPool::Start(thread_options, num_threads));
  WorkerPool* const used = pool.get();
  return std::shared_ptr<WorkerPool>(
      used, [pool = std::move(pool)](WorkerPool*) mutable {
        pool->Stop();
        pool = nullptr;
      });
}

std::shared_ptr<WorkerPool> StartOrReport(const ThreadOptions& thread_options,
                                          int num_threads) {
  absl::StatusOr<std::shared_ptr<WorkerPool>> pool =
      StartPool(thread_options, num_threads);
  if (!pool.ok()) ReportMisuse(pool.status());
  return *std::move(pool);
}

}  // namespace

absl::StatusOr<std::shared_ptr<WorkerPool>> StartThreadPool(
    const ThreadPoolExecutorOptions& options) {
  if (!options.has_num_threads()) {
    return absl::InvalidArgumentError(
        "num_threads is not specified in ThreadPoolExecutorOptions.");
  }
  SYNCLINE_ASSIGN_OR_RETURN(const ThreadOptions thread_options,
                            ReadThreadOptions(options));
  return StartPool(thread_options, options.num_threads());
}

absl::StatusOr<Executor*> ThreadPoolExecutor::Create(
    const SynclineOptions& options) {
  SYNCLINE_ASSIGN_OR_RETURN(
      std::shared_ptr<WorkerPool> pool,
      StartThreadPool(options.GetExtension(ThreadPoolExecutorOptions::ext)));
  return new ThreadPoolExecutor(std::move(pool), kMaxTasksInARow);
}

ThreadPoolExecutor::ThreadPoolExecutor(int num_threads)
    : ThreadPoolExecutor(ThreadOptions(), num_threads) {}

ThreadPoolExecutor::ThreadPoolExecutor(const ThreadOptions& thread_options,
                                       int num_threads)
    : ThreadPoolExecutor(StartOrReport(thread_options, num_threads),
                         kMaxTasksInARow) {}

// A class that derives from this one and has a Schedule of its own sees there
// all that a graph runs, as of other executors: then there are no short cuts.
void ThreadPoolExecutor::AddTask(TaskQueue* task_queue) {
  if (typeid(*this) != typeid(ThreadPoolExecutor)) {
    Executor::AddTask(task_queue);
    return;
  }
  pool_->Add(Request(task_queue));
}

bool ThreadPoolExecutor::Watch(TaskQueue* task_queue, const WatchedWork* work,
                               std::atomic<bool>* watched) {
  if (typeid(*this) != typeid(ThreadPoolExecutor)) return false;
  pool_->Watch(task_queue, work, watched);
  return true;
}

bool ThreadPoolExecutor::AddTaskAt(TaskQueue* task_queue,
                                   std::int64_t steady_ns,
                                   bool caller_returns) {
  if (typeid(*this) != typeid(ThreadPoolExecutor)) return false;
  pool_->AddTaskAt(task_queue, steady_ns, caller_returns);
  return true;
}

REGISTER_EXECUTOR(ThreadPoolExecutor);

}  // namespace syncline
