#include "framework/run/run_timers.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "framework/base/graph_clock.h"
#include "framework/base/misuse.h"
#include "framework/base/mutex.h"
#include "framework/base/timer_queue.h"
#include "framework/scheduler/alarm_thread.h"
#include "framework/scheduler/executor.h"

namespace syncline {

// The times of one executor. The executor calls it as a task queue, when one of
// the times has come.
class RunTimers::Queue : public TaskQueue {
 public:
  Queue(int id, std::shared_ptr<Executor> of_executor, int num_waiting,
        Receiver* receiver)
      : executor(std::move(of_executor)),
        times(num_waiting),
        id_(id),
        receiver_(receiver) {}

  void RunNextTask() override {
    // The alarm thread is no thread of the executor, so it runs none of the
    // executor's tasks.
    Come(/*serves=*/!uses_alarms.load());
  }
  // A thread that runs one task at a time takes the tasks that became ready
  // from their queue, one by one.
  void RunOneTask() override { Come(/*serves=*/false); }

  // Whether more than one node has ever waited. A single node cannot delay
  // another one.
  bool has_several() const { return has_several_.load(); }
  void NoteWaiting(int waiting) {
    if (has_several_.load(std::memory_order_relaxed)) return;
    int first = -1;
    if (!first_.compare_exchange_strong(first, waiting) && first != waiting) {
      has_several_.store(true);
    }
  }

  // Returns the earliest time, and puts the node that waits for it into
  // *waiting.
  std::int64_t Next(int* waiting = nullptr) const ABSL_LOCKS_EXCLUDED(mutex) {
    MutexLock lock(&mutex);
    if (waiting != nullptr && !times.empty()) *waiting = times.NextKey();
    return times.Next();
  }

  void SetServing(bool serves) {
    guard.waiting.store(serves ? 1 : 0);
    if (serves) guard.returns.fetch_add(1);
  }
  bool is_serving() const { return guard.waiting.load() > 0; }

  const std::shared_ptr<Executor> executor;
  WatchedWork guard;
  std::atomic<bool> is_guarded{false};
  std::atomic<bool> uses_alarms{false};
  mutable Mutex mutex;
  TimerQueue<int> times ABSL_GUARDED_BY(mutex);
  // When a thread comes for the next time; kNone if none was asked to.
  std::int64_t armed_ns ABSL_GUARDED_BY(mutex) = kNone;
  // When a thread came last.
  std::int64_t last_ns ABSL_GUARDED_BY(mutex) = 0;

 private:
  void Come(bool serves) {
    const absl::Status status =
        CatchExceptions([&] { receiver_->TimeHasCome(id_, serves); });
    if (!status.ok()) receiver_->RecordError(status);
  }

  const int id_;
  Receiver* const receiver_;
  std::atomic<int> first_{-1};  // the first node that ever waited
  std::atomic<bool> has_several_{false};
};

RunTimers::RunTimers(GraphClock* clock, AlarmThread* alarms, Receiver* receiver)
    : clock_(clock), alarms_(alarms), receiver_(receiver) {}

RunTimers::~RunTimers() = default;

void RunTimers::SetUp(absl::Span<const std::shared_ptr<Executor>> executors,
                      int num_waiting) {
  for (const std::shared_ptr<Executor>& executor : executors) {
    queues_.push_back(std::make_unique<Queue>(num_executors(), executor,
                                              num_waiting, receiver_));
  }
}

void RunTimers::Stop() {
  for (const std::unique_ptr<Queue>& queue : queues_) {
    CallExecutor([&] { queue->executor->Unwatch(queue.get()); });
    if (queue->uses_alarms.load()) alarms_->Cancel(queue.get());
  }
}

void RunTimers::CallExecutor(absl::FunctionRef<void()> call) {
  const absl::Status status = CallUserCode([&] { call(); });
  if (!status.ok()) receiver_->OnExecutorError(status);
}

void RunTimers::Set(int executor, int waiting, std::int64_t target_ns) {
  Queue* const queue = queues_[executor].get();
  {
    MutexLock lock(&queue->mutex);
    queue->times.Set(waiting, target_ns);
  }
  queue->NoteWaiting(waiting);
  Arm(queue, /*caller_returns=*/false);
}

std::int64_t RunTimers::Next() const {
  std::int64_t earliest = kNone;
  for (const std::unique_ptr<Queue>& queue : queues_) {
    earliest = std::min(earliest, queue->Next());
  }
  return earliest;
}

std::int64_t RunTimers::NextCurrent(
    absl::FunctionRef<bool(int waiting, std::int64_t target_ns)> is_current) {
  std::int64_t earliest = kNone;
  for (const std::unique_ptr<Queue>& queue : queues_) {
    // `is_current` takes locks of its own, so it is called without this one.
    int waiting = -1;
    std::int64_t next = queue->Next(&waiting);
    while (next != kNone && !is_current(waiting, next)) {
      {
        MutexLock lock(&queue->mutex);
        queue->times.Remove(waiting);
      }
      next = queue->Next(&waiting);
    }
    earliest = std::min(earliest, next);
  }
  return earliest;
}

void RunTimers::NoteWakeUp(int executor, std::int64_t steady_now_ns) {
  Queue& queue = *queues_[executor];
  MutexLock lock(&queue.mutex);
  queue.armed_ns = kNone;
  queue.last_ns = steady_now_ns;
}

void RunTimers::TakeDue(int executor, std::int64_t now_ns,
                        std::vector<int>* due) {
  Queue& queue = *queues_[executor];
  MutexLock lock(&queue.mutex);
  int waiting = -1;
  while (queue.times.TakeDue(now_ns, &waiting)) due->push_back(waiting);
}

void RunTimers::BeginServing(int executor, bool serves) {
  queues_[executor]->SetServing(serves);
}

void RunTimers::Guard(int executor) {
  Queue* const queue = queues_[executor].get();
  if (!queue->has_several() || queue->is_guarded.exchange(true)) return;
  bool is_taken = false;
  CallExecutor([&] {
    is_taken = queue->executor->Watch(queue, &queue->guard, &queue->is_guarded);
  });
  // Without a watch only the thread that serves comes back.
  if (!is_taken) queue->is_guarded.store(false);
}

void RunTimers::EndServing(int executor, bool caller_returns) {
  Queue* const queue = queues_[executor].get();
  queue->SetServing(false);
  Arm(queue, caller_returns);
}

void RunTimers::Arm(Queue* queue, bool caller_returns) {
  if (queue->is_serving() ||
      clock_->passing() != GraphClock::Passing::kByItself) {
    return;
  }
  const std::int64_t next = queue->Next();
  if (next == kNone) return;
  std::int64_t steady_ns = clock_->SteadyNsOf(next);
  {
    MutexLock lock(&queue->mutex);
    steady_ns = std::max(steady_ns, queue->last_ns + kWakeUpPauseNs);
    // A thread that was asked for comes early enough.
    if (queue->armed_ns <= steady_ns) return;
    queue->armed_ns = steady_ns;
  }
  bool is_taken = false;
  if (!queue->uses_alarms.load()) {
    CallExecutor([&] {
      is_taken = queue->executor->AddTaskAt(queue, steady_ns, caller_returns);
    });
  }
  if (is_taken) return;
  queue->uses_alarms.store(true);
  const absl::Status status = alarms_->Set(queue, steady_ns);
  if (!status.ok()) receiver_->RecordError(status);
}

}  // namespace syncline
