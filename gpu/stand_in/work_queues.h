// WorkQueues: the streams of stand-in devices, as queues of work.
//
// The work of one queue runs in order. With threads, each queue has one of its
// own. Without threads, work runs only in Step(), which takes the next work of
// one queue, and in host waits, which take steps until they can go on: so
// whoever chooses the steps decides in which order a device does its work. With
// `choose_in_calls` the device also works while the host submits and asks, as
// far as its answers say.
//
// Work of a queue:
//
//   waiting ──> running ──> ended        dropped: work before it on the device
//      └──────────────────> dropped      failed
//
// An error of work is an error of its device from then on: what waits in the
// queues of that device is dropped, and all that waits for it goes on. What is
// dropped within a call of a host that holds the lock of a stream (see
// gpu/submission.h) is destroyed on the notice thread.
//
// Thread rule: any thread. Work is called and destroyed without a lock.
// Tested by work_queues_test.

#ifndef SYNCLINE_GPU_STAND_IN_WORK_QUEUES_H_
#define SYNCLINE_GPU_STAND_IN_WORK_QUEUES_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"

namespace syncline::gpu {

// One recording of an event: what was submitted before it has ended, or not.
// Only WorkQueues looks inside.
struct Recording {
  bool has_ended = false;
  // What its device says; nanoseconds since some time.
  std::int64_t time = 0;
  int device = 0;
};

struct Work {
  // For messages.
  std::string name;
  // What has to end before; null for nothing.
  std::shared_ptr<Recording> after;
  // May be empty. An error is an error of the device.
  std::function<absl::Status()> run;
  // What ends with this work; null for nothing.
  std::shared_ptr<Recording> records;
  // `run` calls code of the host, which may do anything but use devices.
  bool is_host_function = false;
};

struct WorkQueuesOptions {
  bool has_threads = true;
  // With threads: work begins later by up to 200 microseconds, by this seed.
  absl::optional<std::uint64_t> delay_seed;
  // With threads: how many works of a device run at once at most. The most
  // urgent queue comes first. 0 is no limit.
  int units_per_device = 0;
  // Without threads: chooses one of `num_ready` queues, numbered by age, for
  // host waits and StepBySeed. Default: a random one, by `step_seed`.
  std::function<std::size_t(std::size_t num_ready)> choose;
  std::uint64_t step_seed = 0;
  // Without threads: asked when work was submitted, and before it is told
  // whether work has ended, again and again: which of the ready queues, whose
  // next works have these names, runs its next one now; none: no more for now.
  // Host functions are not among them, as the caller may hold locks. It must
  // not use devices. Work that only records or waits then runs by itself as
  // soon as it can: nobody sees when.
  std::function<absl::optional<std::size_t>(absl::Span<const std::string>)>
      choose_in_calls;
};

class WorkQueues {
 public:
  struct Queue;
  class State;

  explicit WorkQueues(WorkQueuesOptions options, int num_devices);
  // What was submitted still runs.
  ~WorkQueues();
  WorkQueues(const WorkQueues&) = delete;
  WorkQueues& operator=(const WorkQueues&) = delete;

  // Lower is more urgent. The status if there is no thread to be had.
  absl::Status AddQueue(int device, int priority, Queue** queue);
  // What was submitted still runs. The pointer is good no more.
  void DropQueue(Queue* queue);
  // The error of the device if there is one; then the work is destroyed.
  absl::Status Submit(Queue* queue, Work work);

  // Whether it ended, or the error of its device.
  absl::Status HasEnded(const std::shared_ptr<Recording>& recording,
                        bool* has_ended);
  absl::Status HostWaitFor(const std::shared_ptr<Recording>& recording);
  absl::Status HostWaitFor(Queue* queue);
  // REQUIRES: both have ended.
  static std::int64_t Nanoseconds(const Recording& begin, const Recording& end);

  // The device is in error `status` from now on, unless it is in one.
  void Fail(int device, const absl::Status& status);
  absl::Status Health(int device) const;

  // --- Without threads
  std::size_t NumReady() const;
  // The names of their next works, by age of the queue.
  std::vector<std::string> ReadyWorks() const;
  // Runs the next work of one of the queues that are ready, the `choice`-th by
  // age. False if there are not so many.
  bool Step(std::size_t choice);
  bool StepBySeed();

 private:
  // Threads may live longer than this object: see the destructor.
  const std::shared_ptr<State> state_;
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_STAND_IN_WORK_QUEUES_H_
