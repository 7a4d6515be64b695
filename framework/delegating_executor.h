// DelegatingExecutor: an executor that is a function.
//
//   auto executor = std::make_shared<internal::DelegatingExecutor>(
//       [&pool](std::function<void()> task) { pool.Add(std::move(task)); });
//   SYNCLINE_RETURN_IF_ERROR(graph.SetExecutor("", executor));
//
// Where the tasks go to a thread that a user interface shares, give it 1 as the
// number of tasks in a row: each task is one call of a node then, and the
// thread is free after it. Otherwise a task goes on with what follows from it.
//
// Thread rule: the function is called on any thread, also on several at once.
// It has every task called once, soon, and not from within itself.
// Tested by ported_names_test.
#ifndef SYNCLINE_FRAMEWORK_DELEGATING_EXECUTOR_H_
#define SYNCLINE_FRAMEWORK_DELEGATING_EXECUTOR_H_

#include <functional>
#include <utility>

#include "framework/scheduler/executor.h"

namespace syncline {
namespace internal {

class DelegatingExecutor : public Executor {
 public:
  explicit DelegatingExecutor(
      std::function<void(std::function<void()>)> schedule,
      int max_tasks_in_a_row = 1000)
      : schedule_(std::move(schedule)),
        max_tasks_in_a_row_(max_tasks_in_a_row) {}

  void Schedule(std::function<void()> task) override {
    schedule_(std::move(task));
  }
  int MaxTasksInARow() const override { return max_tasks_in_a_row_; }

 private:
  const std::function<void(std::function<void()>)> schedule_;
  const int max_tasks_in_a_row_;
};

}  // namespace internal
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_DELEGATING_EXECUTOR_H_
