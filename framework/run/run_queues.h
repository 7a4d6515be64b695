// RunQueues: the queues of a run, one for each executor of its plan, which all
// pause, go on and stop together.
//
// Queues are paused until Start. Pause() is for the application. An error ends
// the pause, so that the run can end; tasks that wait by then are dropped.
//
// Thread rule: Add before the others; the rest any thread.
// Tested by run_queues_test.

#ifndef SYNCLINE_FRAMEWORK_RUN_RUN_QUEUES_H_
#define SYNCLINE_FRAMEWORK_RUN_RUN_QUEUES_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "framework/scheduler/scheduler_queue.h"
#include "framework/scheduler/task.h"

namespace syncline {

class RunQueues {
 public:
  // The queue of the next executor.
  void Add(std::shared_ptr<SchedulerQueue> queue) {
    queues_.push_back(std::move(queue));
  }
  size_t size() const { return queues_.size(); }
  SchedulerQueue* operator[](int executor) const {
    return queues_[executor].get();
  }

  // Leaves the tasks of `queue` in `ready`, a vector, and queues the others.
  // `executor_of` says which executor runs a task.
  template <typename Ready, typename ExecutorOf>
  void KeepFor(const SchedulerQueue* queue, Ready* ready,
               const ExecutorOf& executor_of) const {
    std::size_t kept = 0;
    for (Task* const task : *ready) {
      SchedulerQueue* const owner = queues_[executor_of(*task)].get();
      if (owner == queue) {
        (*ready)[kept++] = task;
      } else {
        owner->Add({&task, 1});
      }
    }
    ready->resize(kept);
  }

  void Start() {
    for (const std::shared_ptr<SchedulerQueue>& queue : queues_) {
      queue->Resume();
    }
  }
  void Pause() {
    for (const std::shared_ptr<SchedulerQueue>& queue : queues_) {
      queue->Pause();
    }
    // The flag is set last. A thread that ended the pause earlier would leave
    // some queues paused, and nobody would know of those.
    is_paused_.store(true);
  }
  void Resume() {
    is_paused_.store(false);
    Start();
  }
  // Drops all tasks that wait, and lets the queues go on.
  void DropAll() {
    for (const std::shared_ptr<SchedulerQueue>& queue : queues_) {
      queue->TakeAll();
      queue->Resume();
    }
  }
  bool is_paused() const { return is_paused_.load(); }
  // If there is a pause: ends it, and nothing that waited is to run.
  void EndPause() {
    if (is_paused_.exchange(false)) DropAll();
  }
  // A number that changes whenever a task has ended.
  std::uint64_t Progress() const {
    std::uint64_t progress = 0;
    for (const std::shared_ptr<SchedulerQueue>& queue : queues_) {
      progress += queue->Progress();
    }
    return progress;
  }
  // Waits for threads that are in a queue. Nothing runs afterwards.
  void Shutdown() {
    for (const std::shared_ptr<SchedulerQueue>& queue : queues_) {
      queue->Shutdown();
    }
  }

 private:
  std::vector<std::shared_ptr<SchedulerQueue>> queues_;  // by executor
  std::atomic<bool> is_paused_{false};
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RUN_RUN_QUEUES_H_
