// Request: what one of the framework's executors was asked to run: the next
// task of a task queue, or a function.
//
// Thread rule: a value.
// Tested by worker_pool_test and application_thread_executor_test.

#ifndef SYNCLINE_FRAMEWORK_SCHEDULER_REQUEST_H_
#define SYNCLINE_FRAMEWORK_SCHEDULER_REQUEST_H_

#include <functional>
#include <utility>

#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "framework/base/misuse.h"
#include "framework/scheduler/executor.h"
#include "glog/logging.h"

namespace syncline {

struct Request {
  Request() = default;
  explicit Request(TaskQueue* queue) : task_queue(queue) {}
  explicit Request(std::function<void()> function)
      : task(std::move(function)) {}
  // The standard lets a function that was moved away keep what it held; a
  // Request holds nothing then, as Ring requires.
  Request(Request&& other) noexcept { *this = std::move(other); }
  Request& operator=(Request&& other) noexcept {
    task_queue = std::exchange(other.task_queue, nullptr);
    // Most requests have a task queue; a std::function costs much to move.
    if (ABSL_PREDICT_FALSE(task != nullptr || other.task != nullptr)) {
      task = std::exchange(other.task, nullptr);
    }
    return *this;
  }

  // Calls `run_queue` with the task queue, or calls the function. What either
  // of them throws is logged: no task of a run ends the thread that runs it.
  template <typename RunQueue>
  void Run(RunQueue run_queue) {
    const absl::Status status =
        task_queue != nullptr ? CatchExceptions([&] { run_queue(task_queue); })
                              : CallUserCode([this] {
                                  // Releases here what the function holds.
                                  std::exchange(task, nullptr)();
                                });
    if (status.ok()) return;
    // There may be no memory for the text.
    CatchExceptions([&] {
      LOG(ERROR) << "A task of an executor failed: " << status;
    }).IgnoreError();
  }

  // One of these two is set.
  TaskQueue* task_queue = nullptr;
  std::function<void()> task;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_SCHEDULER_REQUEST_H_
