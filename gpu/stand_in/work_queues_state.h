// WorkQueues::State: what WorkQueues and its threads share. Threads may live
// longer than the WorkQueues, so it is an object of its own.
//
// Thread rule: any thread; one lock guards all of it, and is given up while
// work runs.
// Tested by work_queues_test.

#ifndef SYNCLINE_GPU_STAND_IN_WORK_QUEUES_STATE_H_
#define SYNCLINE_GPU_STAND_IN_WORK_QUEUES_STATE_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "framework/base/cond_var.h"
#include "framework/base/mutex.h"
#include "gpu/stand_in/work_queues.h"

namespace syncline::gpu {

struct WorkQueues::Queue {
  int device = 0;
  int priority = 0;
  std::deque<Work> works;
  bool is_running = false;
  bool is_dropped = false;
  std::uint64_t num_submitted = 0;
  std::uint64_t num_ended = 0;
  CondVar changed;
  std::thread thread;
};

class WorkQueues::State {
 public:
  State(WorkQueuesOptions options, int num_devices)
      : options_(std::move(options)),
        health_(static_cast<std::size_t>(num_devices)),
        num_running_(static_cast<std::size_t>(num_devices)) {}

  static absl::Status AddQueue(const std::shared_ptr<State>& state, int device,
                               int priority, Queue** queue);
  void DropQueue(Queue* queue);
  absl::Status Submit(Queue* queue, Work work);
  absl::Status HasEnded(const Recording& recording, bool* has_ended);
  absl::Status HostWaitFor(const Recording& recording);
  absl::Status HostWaitFor(Queue* queue);
  void Fail(int device, const absl::Status& status);
  absl::Status Health(int device) const;
  std::vector<std::string> ReadyWorks() const;
  bool Step(std::size_t choice);
  bool StepBySeed();
  // Runs or waits for all that was submitted, and ends the threads.
  void End();

 private:
  using Works = std::deque<Work>;

  bool IsReady(const Queue& queue) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool HasUnit(const Queue& queue) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void RunNext(Queue* queue) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Of work that was dropped, without the lock. On the notice thread if this
  // thread gives work to a stream: host functions may hold anything.
  void Destroy(Works dropped) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status RunOutside(Work* work) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void EndRecording(const std::shared_ptr<Recording>& recording)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Works TakeAllWorks(int device) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Works FailLocked(int device, const absl::Status& status)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Wakes all whose next work may have become ready.
  void WakeReady() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::vector<Queue*> ReadyQueues() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool StepBySeedLocked() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Within a call of the host, as `choose_in_calls` says.
  void StepInCall() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Ends what only records or waits, if that needs no choice.
  void RunWithoutChoice() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  static std::vector<std::string> NextWorks(const std::vector<Queue*>& queues);
  // Until something has changed.
  absl::Status WaitAMoment() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::int64_t Now() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Serve(Queue* queue);
  // Threads of queues that are gone.
  std::vector<std::thread> TakeEndedThreads()
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  static void Join(std::vector<std::thread> threads);

  const WorkQueuesOptions options_;
  mutable Mutex mutex_;
  std::list<Queue> queues_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::thread> ended_threads_ ABSL_GUARDED_BY(mutex_);
  std::vector<absl::Status> health_ ABSL_GUARDED_BY(mutex_);
  std::vector<int> num_running_ ABSL_GUARDED_BY(mutex_);
  int num_host_waits_ ABSL_GUARDED_BY(mutex_) = 0;
  std::uint64_t num_steps_ ABSL_GUARDED_BY(mutex_) = 0;
  CondVar progress_;
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_STAND_IN_WORK_QUEUES_STATE_H_
