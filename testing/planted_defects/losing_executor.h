// LosingExecutor: an executor that loses one of its tasks.
//
//   auto executor = std::make_shared<LosingExecutor>(3, Loss::kForgets);
//   ... graph.SetExecutor("", executor), StartRun, inputs, ...
//   executor->RunAll();
//
// Tasks run inside of RunAll, on the thread that calls it. When it returns and
// the run is not over, the run stands still: nobody else could move it. A task
// that was forgotten is still there, as in an executor that leaks it; destroyed
// at last, it ends the run with an error.
//
// It asks for one task at a time, so that it is the same task that is lost each
// time.
//
// Thread rule: Schedule is safe from any thread; the rest is for one.
// Tested by losing_executor_test.

#ifndef SYNCLINE_TESTING_PLANTED_DEFECTS_LOSING_EXECUTOR_H_
#define SYNCLINE_TESTING_PLANTED_DEFECTS_LOSING_EXECUTOR_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "framework/base/mutex.h"
#include "framework/scheduler/executor.h"

namespace syncline {

enum class Loss : std::uint8_t { kForgets, kDestroys };

class LosingExecutor : public Executor {
 public:
  // Loses the `lost`-th task, from 1; 0: none.
  LosingExecutor(int lost, Loss loss) : lost_(lost), loss_(loss) {}

  void Schedule(std::function<void()> task) override
      ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    const bool is_lost = ++num_tasks_ == lost_;
    (is_lost ? forgotten_ : tasks_).push_back(std::move(task));
  }
  int MaxParallelTasks() const override { return 1; }
  int MaxTasksInARow() const override { return 1; }

  void RunAll() ABSL_LOCKS_EXCLUDED(mutex_) {
    for (;;) {
      if (loss_ == Loss::kDestroys) DestroyForgotten();
      std::function<void()> task;
      {
        MutexLock lock(&mutex_);
        if (tasks_.empty()) return;
        task = std::move(tasks_.front());
        tasks_.pop_front();
      }
      task();
    }
  }

  void DestroyForgotten() ABSL_LOCKS_EXCLUDED(mutex_) {
    std::deque<std::function<void()>> forgotten;
    MutexLock lock(&mutex_);
    forgotten.swap(forgotten_);
    // They say so to their graph, which must not happen under the lock:
    // `forgotten` goes after it.
  }
  bool has_forgotten() const ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    return !forgotten_.empty();
  }

 private:
  const int lost_;
  const Loss loss_;
  mutable Mutex mutex_;
  int num_tasks_ ABSL_GUARDED_BY(mutex_) = 0;
  std::deque<std::function<void()>> tasks_ ABSL_GUARDED_BY(mutex_);
  std::deque<std::function<void()>> forgotten_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace syncline

#endif  // SYNCLINE_TESTING_PLANTED_DEFECTS_LOSING_EXECUTOR_H_
