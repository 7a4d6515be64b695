// Pools of threads that the graphs of a process share under one thread budget.
//
//   executor {
//     type: "SharedThreadPoolExecutor"
//     options {
//       [syncline.ThreadPoolExecutorOptions.ext] {
//         pool_name: "video" num_threads: 4
//       }
//     }
//   }
//
// Ten graphs with four threads each want forty; ten that share a pool want
// four. The first user of a name makes the pool, with its options, and others
// may leave all of them out: an option that they do give has to be the one that
// the pool was made with. With its last user the pool goes.
//
// Fairness: requests are served in the order in which they came, whatever graph
// they are from, and a graph that has a thread gives it back sooner than one
// with a pool of its own would. Priorities hold within a graph, not between
// graphs.
//
// Thread rule: any thread.
// Tested by shared_thread_pool_test and executor_conformance_test.

#ifndef SYNCLINE_FRAMEWORK_SCHEDULER_SHARED_THREAD_POOL_H_
#define SYNCLINE_FRAMEWORK_SCHEDULER_SHARED_THREAD_POOL_H_

#include <atomic>
#include <functional>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/config/syncline_options.pb.h"
#include "framework/scheduler/executor.h"
#include "framework/scheduler/thread_pool_executor.h"

namespace syncline {

// One graph's view of a shared pool.
class SharedThreadPoolExecutor : public Executor {
 public:
  // From ThreadPoolExecutorOptions. FAILED_PRECONDITION if the pool was made
  // with other options; otherwise as ThreadPoolExecutor::Create.
  static absl::StatusOr<Executor*> Create(const SynclineOptions& options);

  explicit SharedThreadPoolExecutor(std::shared_ptr<ThreadPoolExecutor> pool)
      : pool_(std::move(pool)) {}

  const ThreadPoolExecutor& pool() const { return *pool_; }

  void AddTask(TaskQueue* task_queue) override { pool_->AddTask(task_queue); }
  void Schedule(std::function<void()> task) override {
    pool_->Schedule(std::move(task));
  }
  int MaxParallelTasks() const override { return pool_->MaxParallelTasks(); }
  int MaxTasksInARow() const override { return 100; }
  bool OthersWait() override { return pool_->OthersWait(); }
  bool Watch(TaskQueue* task_queue, const WatchedWork* work,
             std::atomic<bool>* watched) override {
    return pool_->Watch(task_queue, work, watched);
  }
  bool AddTaskAt(TaskQueue* task_queue, std::int64_t steady_ns,
                 bool caller_returns) override {
    return pool_->AddTaskAt(task_queue, steady_ns, caller_returns);
  }
  void Unwatch(TaskQueue* task_queue) override { pool_->Unwatch(task_queue); }

 private:
  const std::shared_ptr<ThreadPoolExecutor> pool_;
};

// The pool of that name, for CalculatorGraph::SetExecutor. `num_threads` 0: as
// many as it has or, if it is made now, as there are CPUs.
absl::StatusOr<std::shared_ptr<Executor>> SharedThreadPool(
    absl::string_view name, int num_threads = 0);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_SCHEDULER_SHARED_THREAD_POOL_H_
