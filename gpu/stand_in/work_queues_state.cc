#include "gpu/stand_in/work_queues_state.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "framework/base/misuse.h"
#include "framework/base/mutex.h"
#include "gpu/notice_thread.h"
#include "gpu/stand_in/memory_faults.h"
#include "gpu/submission.h"

namespace syncline::gpu {
namespace {

std::uint64_t Mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// A third of the works at once, a third after others had the core, a third
// after a sleep.
void Delay(std::uint64_t random) {
  if (random % 3 == 1) std::this_thread::yield();
  if (random % 3 == 2) {
    std::this_thread::sleep_for(std::chrono::microseconds(random / 3 % 200));
  }
}

std::int64_t SteadyNanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// The state whose work runs on this thread.
constinit thread_local const void* working_for = nullptr;

constexpr absl::string_view kWaitsForItself =
    "A host function or a kernel waits for a device, which waits for it. Tell "
    "another thread to wait.";

}  // namespace

// --- Queues

absl::Status WorkQueues::State::AddQueue(const std::shared_ptr<State>& state,
                                         int device, int priority,
                                         Queue** queue) {
  std::vector<std::thread> ended;
  absl::Status status;
  {
    MutexLock lock(&state->mutex_);
    ended = state->TakeEndedThreads();
    Queue* const added = &state->queues_.emplace_back();
    added->device = device;
    added->priority = priority;
    *queue = added;
    if (state->options_.has_threads) {
      status = CatchExceptions([&] {
        added->thread = std::thread([state, added] { state->Serve(added); });
        return absl::OkStatus();
      });
      if (!status.ok()) state->queues_.pop_back();
    }
  }
  Join(std::move(ended));
  if (status.ok()) return status;
  return absl::ResourceExhaustedError(
      absl::StrCat("no thread for a stream: ", status.message()));
}

void WorkQueues::State::DropQueue(Queue* queue) {
  MutexLock lock(&mutex_);
  queue->is_dropped = true;
  if (options_.has_threads) {
    queue->changed.SignalAll();
  } else if (queue->works.empty() && !queue->is_running) {
    queues_.remove_if([queue](const Queue& q) { return &q == queue; });
  }
}

absl::Status WorkQueues::State::Submit(Queue* queue, Work work) {
  MutexLock lock(&mutex_);
  absl::Status health = health_[static_cast<std::size_t>(queue->device)];
  if (!health.ok()) {
    MutexUnlock unlock(&mutex_);
    work = Work();
    return health;
  }
  if (work.records != nullptr) work.records->device = queue->device;
  queue->works.push_back(std::move(work));
  ++queue->num_submitted;
  queue->changed.SignalAll();
  StepInCall();
  return health;
}

bool WorkQueues::State::IsReady(const Queue& queue) const {
  if (queue.works.empty() || queue.is_running) return false;
  const Recording* const after = queue.works.front().after.get();
  return after == nullptr || after->has_ended;
}

bool WorkQueues::State::HasUnit(const Queue& queue) const {
  if (options_.units_per_device == 0) return true;
  const auto device = static_cast<std::size_t>(queue.device);
  if (num_running_[device] >= options_.units_per_device) return false;
  return std::none_of(queues_.begin(), queues_.end(), [&](const Queue& other) {
    mutex_.AssertHeld();
    return other.device == queue.device && other.priority < queue.priority &&
           IsReady(other);
  });
}

void WorkQueues::State::Serve(Queue* queue) {
  MutexLock lock(&mutex_);
  for (;;) {
    while (!(IsReady(*queue) && HasUnit(*queue)) &&
           !(queue->is_dropped && queue->works.empty())) {
      queue->changed.Wait(&mutex_);
    }
    if (queue->works.empty()) break;
    RunNext(queue);
  }
  ended_threads_.push_back(std::move(queue->thread));
  queues_.remove_if([queue](const Queue& q) { return &q == queue; });
  progress_.SignalAll();
}

// --- Work

absl::Status WorkQueues::State::RunOutside(Work* work) {
  const std::uint64_t number = num_steps_;
  MutexUnlock unlock(&mutex_);
  if (options_.delay_seed.has_value()) {
    Delay(Mix(*options_.delay_seed + number));
  }
  const void* const outer = std::exchange(working_for, this);
  absl::Status status;
  {
    RunningWorkScope scope(work->name.c_str());
    status = CallUserCode(work->run);
  }
  // What the work holds goes before anybody hears that it has ended.
  work->run = nullptr;
  working_for = outer;
  return status;
}

void WorkQueues::State::RunNext(Queue* queue) {
  Work work = std::move(queue->works.front());
  queue->works.pop_front();
  queue->is_running = true;
  const auto device = static_cast<std::size_t>(queue->device);
  ++num_running_[device];
  ++num_steps_;
  const bool runs = work.run != nullptr;
  absl::Status status;
  if (runs) status = RunOutside(&work);
  --num_running_[device];
  queue->is_running = false;
  ++queue->num_ended;
  if (work.records != nullptr) EndRecording(work.records);
  Works dropped;
  if (!status.ok()) dropped = FailLocked(queue->device, status);
  WakeReady();
  if (!options_.has_threads && queue->is_dropped && queue->works.empty()) {
    queues_.remove_if([queue](const Queue& q) { return &q == queue; });
  }
  Destroy(std::move(dropped));
  if (runs) RunWithoutChoice();
}

void WorkQueues::State::Destroy(Works dropped) {
  if (dropped.empty()) return;
  MutexUnlock unlock(&mutex_);
  if (Submission::Current() == nullptr) return dropped.clear();
  NoticeThread::Post([dropped = std::move(dropped)] {});
}

void WorkQueues::State::EndRecording(
    const std::shared_ptr<Recording>& recording) {
  recording->time = Now();
  recording->has_ended = true;
}

void WorkQueues::State::WakeReady() {
  if (num_host_waits_ > 0) progress_.SignalAll();
  if (!options_.has_threads) return;
  for (Queue& queue : queues_) {
    if (IsReady(queue) || queue.is_dropped) queue.changed.SignalAll();
  }
}

std::int64_t WorkQueues::State::Now() const {
  constexpr std::uint64_t kStepNanoseconds = 1000;
  return options_.has_threads
             ? SteadyNanoseconds()
             : static_cast<std::int64_t>(num_steps_ * kStepNanoseconds);
}

// --- Errors

WorkQueues::State::Works WorkQueues::State::TakeAllWorks(int device) {
  Works taken;
  for (Queue& queue : queues_) {
    if (queue.device != device) continue;
    for (Work& work : queue.works) {
      if (work.records != nullptr) EndRecording(work.records);
      ++queue.num_ended;
      taken.push_back(std::move(work));
    }
    queue.works.clear();
  }
  return taken;
}

WorkQueues::State::Works WorkQueues::State::FailLocked(
    int device, const absl::Status& status) {
  absl::Status& health = health_[static_cast<std::size_t>(device)];
  if (health.ok()) health = status;
  return TakeAllWorks(device);
}

void WorkQueues::State::Fail(int device, const absl::Status& status) {
  MutexLock lock(&mutex_);
  Works dropped = FailLocked(device, status);
  WakeReady();
  Destroy(std::move(dropped));
}

absl::Status WorkQueues::State::Health(int device) const {
  MutexLock lock(&mutex_);
  return health_[static_cast<std::size_t>(device)];
}

// --- The host waits

absl::Status WorkQueues::State::HasEnded(const Recording& recording,
                                         bool* has_ended) {
  MutexLock lock(&mutex_);
  StepInCall();
  *has_ended = recording.has_ended;
  return health_[static_cast<std::size_t>(recording.device)];
}

absl::Status WorkQueues::State::WaitAMoment() {
  if (working_for == this)
    return absl::FailedPreconditionError(kWaitsForItself);
  if (!options_.has_threads && StepBySeedLocked()) return absl::OkStatus();
  ++num_host_waits_;
  progress_.Wait(&mutex_);
  --num_host_waits_;
  return absl::OkStatus();
}

absl::Status WorkQueues::State::HostWaitFor(const Recording& recording) {
  MutexLock lock(&mutex_);
  while (!recording.has_ended) {
    absl::Status status = WaitAMoment();
    if (!status.ok()) return status;
  }
  return health_[static_cast<std::size_t>(recording.device)];
}

absl::Status WorkQueues::State::HostWaitFor(Queue* queue) {
  MutexLock lock(&mutex_);
  const std::uint64_t number = queue->num_submitted;
  while (queue->num_ended < number) {
    absl::Status status = WaitAMoment();
    if (!status.ok()) return status;
  }
  return health_[static_cast<std::size_t>(queue->device)];
}

// --- Steps

std::vector<WorkQueues::Queue*> WorkQueues::State::ReadyQueues() const {
  std::vector<Queue*> ready;
  for (const Queue& queue : queues_) {
    if (IsReady(queue)) ready.push_back(const_cast<Queue*>(&queue));
  }
  return ready;
}

std::vector<std::string> WorkQueues::State::NextWorks(
    const std::vector<Queue*>& queues) {
  std::vector<std::string> names;
  for (const Queue* const queue : queues) {
    names.push_back(queue->works.front().name);
  }
  return names;
}

std::vector<std::string> WorkQueues::State::ReadyWorks() const {
  MutexLock lock(&mutex_);
  return NextWorks(ReadyQueues());
}

bool WorkQueues::State::Step(std::size_t choice) {
  MutexLock lock(&mutex_);
  const std::vector<Queue*> ready = ReadyQueues();
  if (choice >= ready.size()) return false;
  RunNext(ready[choice]);
  return true;
}

bool WorkQueues::State::StepBySeedLocked() {
  const std::vector<Queue*> ready = ReadyQueues();
  if (ready.empty()) return false;
  const std::size_t choice =
      options_.choose != nullptr
          ? options_.choose(ready.size()) % ready.size()
          : Mix(options_.step_seed * 0x9e3779b97f4a7c15u + num_steps_) %
                ready.size();
  RunNext(ready[choice]);
  return true;
}

bool WorkQueues::State::StepBySeed() {
  MutexLock lock(&mutex_);
  return StepBySeedLocked();
}

void WorkQueues::State::StepInCall() {
  // Work that runs on this thread may use the queues, too.
  if (options_.choose_in_calls == nullptr || working_for == this) return;
  RunWithoutChoice();
  for (;;) {
    std::vector<Queue*> ready = ReadyQueues();
    std::erase_if(ready, [](const Queue* queue) {
      return queue->works.front().is_host_function;
    });
    if (ready.empty()) return;
    const absl::optional<std::size_t> choice =
        options_.choose_in_calls(NextWorks(ready));
    if (!choice.has_value()) return;
    RunNext(ready[*choice % ready.size()]);
  }
}

void WorkQueues::State::RunWithoutChoice() {
  if (options_.choose_in_calls == nullptr) return;
  for (;;) {
    const std::vector<Queue*> ready = ReadyQueues();
    const auto next = std::find_if(
        ready.begin(), ready.end(),
        [](const Queue* queue) { return queue->works.front().run == nullptr; });
    if (next == ready.end()) return;
    RunNext(*next);
  }
}

// --- The end

std::vector<std::thread> WorkQueues::State::TakeEndedThreads() {
  return std::exchange(ended_threads_, {});
}

void WorkQueues::State::Join(std::vector<std::thread> threads) {
  for (std::thread& thread : threads) {
    // What is destroyed on a thread of its own lets the thread end by itself.
    if (thread.get_id() == std::this_thread::get_id()) {
      thread.detach();
    } else {
      thread.join();
    }
  }
}

void WorkQueues::State::End() {
  std::vector<std::thread> threads;
  {
    MutexLock lock(&mutex_);
    if (!options_.has_threads) {
      while (StepBySeedLocked()) {
      }
    }
    for (Queue& queue : queues_) {
      queue.is_dropped = true;
      queue.changed.SignalAll();
    }
    // On a thread of these queues nobody can wait for its end.
    while (options_.has_threads && working_for != this && !queues_.empty()) {
      progress_.Wait(&mutex_);
    }
    threads = TakeEndedThreads();
    if (working_for == this) {
      for (Queue& queue : queues_) threads.push_back(std::move(queue.thread));
    }
  }
  if (working_for == this) {
    for (std::thread& thread : threads) thread.detach();
    return;
  }
  Join(std::move(threads));
}

}  // namespace syncline::gpu
