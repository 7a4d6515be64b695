// DelegatingExecutor: an executor that is a function.
//
//   auto executor = std::make_shared<internal::DelegatingExecutor>(
//       [&pool](std::function<void()> task) { pool.Add(std::move(task)); });
//   SYNCLINE_RETURN_IF_ERROR(graph.SetExecutor("", executor));
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
      std::function<void(std::function<void()>)> schedule)
      : schedule_(std::move(schedule)) {}

  void Schedule(std::function<void()> task) override {
    schedule_(std::move(task));
  }

 private:
  const std::function<void(std::function<void()>)> schedule_;
};

}  // namespace internal
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_DELEGATING_EXECUTOR_H_
