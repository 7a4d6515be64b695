// ThreadPoolExecutor: a fixed number of threads. They take work in the order in
// which it came.
//
//   executor {
//     name: "camera"
//     type: "ThreadPoolExecutor"
//     options {
//       [syncline.ThreadPoolExecutorOptions.ext] { num_threads: 2 cpu: [2, 3] }
//     }
//   }
//
// Threads without work sleep, and one is woken only when something was added
// and one sleeps. Work that a queue leaves to a watch (see Executor::Watch) is
// looked at by one thread that would otherwise sleep, every few milliseconds,
// and only for as long as there is such work.
//
// Destroying it runs what was added before, and joins the threads. On one of
// its own threads, where a task may hold the last reference, destroying it does
// not wait: the other tasks run after this one.
//
// Thread rule: any thread.
// Tested by thread_pool_executor_test and executor_conformance_test.

#ifndef SYNCLINE_FRAMEWORK_SCHEDULER_THREAD_POOL_EXECUTOR_H_
#define SYNCLINE_FRAMEWORK_SCHEDULER_THREAD_POOL_EXECUTOR_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "framework/config/syncline_options.pb.h"
#include "framework/config/thread_pool_executor.pb.h"
#include "framework/scheduler/executor.h"
#include "framework/scheduler/request.h"
#include "framework/scheduler/thread_options.h"
#include "framework/scheduler/worker_pool.h"

namespace syncline {

// Starts threads. They end with the last executor that has the pool. Errors are
// those of ThreadPoolExecutor::Create.
absl::StatusOr<std::shared_ptr<WorkerPool>> StartThreadPool(
    const ThreadPoolExecutorOptions& options);

class ThreadPoolExecutor : public Executor {
 public:
  // From ThreadPoolExecutorOptions. INVALID_ARGUMENT names the option that is
  // missing or out of range, or a CPU that does not exist; RESOURCE_EXHAUSTED
  // says that the system gives no more threads; PERMISSION_DENIED that it does
  // not grant a scheduling policy.
  static absl::StatusOr<Executor*> Create(const SynclineOptions& options);
  // Uses the threads of a pool that other executors may use, too. A queue gives
  // a thread back after this many tasks in a row.
  ThreadPoolExecutor(std::shared_ptr<WorkerPool> pool, int max_tasks_in_a_row)
      : pool_(std::move(pool)), max_tasks_in_a_row_(max_tasks_in_a_row) {}

  // These end the process, or the call of a calculator they are in, where
  // Create would return an error.
  explicit ThreadPoolExecutor(int num_threads);
  ThreadPoolExecutor(const ThreadOptions& thread_options, int num_threads);
  ThreadPoolExecutor(const ThreadPoolExecutor&) = delete;
  ThreadPoolExecutor& operator=(const ThreadPoolExecutor&) = delete;

  int num_threads() const { return pool_->num_threads(); }
  // As it was asked for; 0 for the system's default.
  std::size_t stack_size() const { return pool_->options().stack_size(); }

  void AddTask(TaskQueue* task_queue) override;
  // An exception that `task` throws is logged.
  void Schedule(std::function<void()> task) override {
    pool_->Add(Request(std::move(task)));
  }
  int MaxParallelTasks() const override { return num_threads(); }
  int MaxTasksInARow() const override { return max_tasks_in_a_row_; }
  bool OthersWait() override { return pool_->HasWork(); }
  bool Watch(TaskQueue* task_queue, const WatchedWork* work,
             std::atomic<bool>* watched) override;
  bool AddTaskAt(TaskQueue* task_queue, std::int64_t steady_ns,
                 bool caller_returns) override;
  // REQUIRES: not called by `task_queue->RunNextTask()`.
  void Unwatch(TaskQueue* task_queue) override { pool_->Unwatch(task_queue); }

  // How often a sleeping thread was woken, each a system call.
  std::int64_t wakeups() const { return pool_->wakeups(); }
  // How often a thread has looked at watched work.
  std::int64_t looks() const { return pool_->looks(); }

 private:
  const std::shared_ptr<WorkerPool> pool_;
  const int max_tasks_in_a_row_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_SCHEDULER_THREAD_POOL_EXECUTOR_H_
