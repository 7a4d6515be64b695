// DelegatingExecutor: an executor that gives all its work to a function.
//
//   auto executor = std::make_shared<internal::DelegatingExecutor>(
//       [&pool](std::function<void()> task) { pool.Add(std::move(task)); });
//   SYNCLINE_RETURN_IF_ERROR(graph.SetExecutor("", executor));
//
// What the function is given runs one task, and then the tasks that have become
// ready meanwhile, up to `max_tasks_in_a_row`. If it is to run on the thread of
// a user interface, let this number be 1: then the thread is free after each
// call of a node.
//
// Thread rule: the function is called on any thread, also on several at once.
// It must see to it that each task it is given is called exactly once, and
// soon. It must not call the task itself.
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
