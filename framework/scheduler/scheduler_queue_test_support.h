// What the tests of a queue have in common: tasks with a number, a runner that
// writes down what it runs, an executor whose threads the test lends by hand,
// and one that starts a thread for each task.
//
// Thread rule: as for the classes that they stand for.

#ifndef SYNCLINE_FRAMEWORK_SCHEDULER_SCHEDULER_QUEUE_TEST_SUPPORT_H_
#define SYNCLINE_FRAMEWORK_SCHEDULER_SCHEDULER_QUEUE_TEST_SUPPORT_H_

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "framework/base/mutex.h"
#include "framework/scheduler/executor.h"
#include "framework/scheduler/scheduler_queue.h"
#include "framework/scheduler/task.h"
#include "framework/scheduler/task_priority.h"
#include "gtest/gtest.h"

namespace syncline {

class NumberedTask : public Task {
 public:
  NumberedTask(int id, TaskPriority at, std::uint32_t cost = 0) : id(id) {
    priority = at;
    cost_ns = cost;
  }
  const int id;
};

// Keeps what it is given until the test runs it.
class HandExecutor : public Executor {
 public:
  ~HandExecutor() override {
    for (TaskQueue* const queue : asked) queue->OnTaskLost();
  }
  void AddTask(TaskQueue* task_queue) override { asked.push_back(task_queue); }
  void Schedule(std::function<void()>) override {}
  int MaxParallelTasks() const override { return max_parallel; }
  bool Watch(TaskQueue* entrance, const WatchedWork* work,
             std::atomic<bool>*) override {
    watching = entrance;
    watched_work = work;
    return can_watch;
  }
  void Unwatch(TaskQueue*) override { watching = nullptr; }

  // Runs one of the calls it owes.
  void RunOne() {
    TaskQueue* const queue = asked.front();
    asked.pop_front();
    queue->RunNextTask();
  }

  std::deque<TaskQueue*> asked;
  TaskQueue* watching = nullptr;
  const WatchedWork* watched_work = nullptr;
  bool can_watch = true;
  int max_parallel = 8;
};

// Writes down what runs; `then` says what becomes ready by it.
class Recorder : public TaskRunner {
 public:
  void RunTasks(Task* task, SchedulerQueue* queue, int max_tasks) override {
    for (int left = max_tasks; task != nullptr; --left) {
      const int id = static_cast<NumberedTask*>(task)->id;
      ran.push_back(id);
      std::vector<Task*> ready;
      if (then) ready = then(id);
      if (left > 1) {
        task = queue->Next(ready);
      } else {
        queue->LeaveWith(ready);
        task = nullptr;
      }
    }
  }
  void OnIdle() override { ++idle; }
  void OnTaskLost(SchedulerQueue*) override { ++lost; }
  void OnExecutorError(const absl::Status& error) override {
    errors.push_back(error);
  }

  std::vector<int> ran;
  std::vector<absl::Status> errors;
  std::function<std::vector<Task*>(int)> then;
  int idle = 0;
  int lost = 0;
};

// A user's executor: only Schedule, a thread for each function.
class ThreadForEach : public Executor {
 public:
  explicit ThreadForEach(int max_parallel = std::numeric_limits<int>::max())
      : max_parallel_(max_parallel) {}
  ~ThreadForEach() override { Join(); }
  void Schedule(std::function<void()> task) override {
    MutexLock lock(&mutex_);
    ++started_;
    threads_.emplace_back(std::move(task));
  }
  int MaxParallelTasks() const override { return max_parallel_; }

  // Until all threads have ended, also those that they start.
  void Join() {
    for (;;) {
      std::vector<std::thread> threads;
      {
        MutexLock lock(&mutex_);
        threads.swap(threads_);
      }
      if (threads.empty()) return;
      for (std::thread& thread : threads) thread.join();
    }
  }
  // How many threads were started so far.
  int started() {
    MutexLock lock(&mutex_);
    return started_;
  }

 private:
  const int max_parallel_;
  Mutex mutex_;
  std::vector<std::thread> threads_ ABSL_GUARDED_BY(mutex_);
  int started_ ABSL_GUARDED_BY(mutex_) = 0;
};

class SchedulerQueueTest : public ::testing::Test {
 protected:
  ~SchedulerQueueTest() override { queue_->Shutdown(); }

  HandExecutor executor_;
  Recorder runner_;
  Activity activity_;
  std::shared_ptr<SchedulerQueue> queue_ =
      std::make_shared<SchedulerQueue>(&executor_, &runner_, &activity_,
                                       /*chooser=*/nullptr, /*cores=*/8);
  NumberedTask one_{1, TaskPriority::ForNode(1)};
  NumberedTask two_{2, TaskPriority::ForNode(2)};
  NumberedTask three_{3, TaskPriority::ForNode(3)};
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_SCHEDULER_SCHEDULER_QUEUE_TEST_SUPPORT_H_
