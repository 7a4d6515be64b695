// Request: what one of the framework's executors was asked to run: the next
// task of a task queue, or a function.
//
// Thread rule: a value.

#ifndef SYNCLINE_FRAMEWORK_SCHEDULER_REQUEST_H_
#define SYNCLINE_FRAMEWORK_SCHEDULER_REQUEST_H_

#include <functional>
#include <utility>

#include "framework/scheduler/executor.h"

namespace syncline {

struct Request {
  Request() = default;
  explicit Request(TaskQueue* queue) : task_queue(queue) {}
  explicit Request(std::function<void()> function)
      : task(std::move(function)) {}
  // The standard lets a function that was moved away keep what it held; a
  // Request holds nothing then, as Ring requires.
  Request(Request&& other) noexcept
      : task_queue(std::exchange(other.task_queue, nullptr)),
        task(std::exchange(other.task, nullptr)) {}
  Request& operator=(Request&& other) noexcept {
    task_queue = std::exchange(other.task_queue, nullptr);
    task = std::exchange(other.task, nullptr);
    return *this;
  }

  // One of the two is set.
  TaskQueue* task_queue = nullptr;
  std::function<void()> task;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_SCHEDULER_REQUEST_H_
