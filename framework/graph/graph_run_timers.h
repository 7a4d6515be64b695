// The times that nodes of a run wait for, by executor, and who comes when.
//
// A part of GraphRun, which graph_run_gates.cc has the rest of.
//
// Thread rule: any thread.

#ifndef SYNCLINE_FRAMEWORK_GRAPH_GRAPH_RUN_TIMERS_H_
#define SYNCLINE_FRAMEWORK_GRAPH_GRAPH_RUN_TIMERS_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "framework/base/graph_clock.h"
#include "framework/base/misuse.h"
#include "framework/base/mutex.h"
#include "framework/base/steady_time.h"
#include "framework/graph/graph_run.h"
#include "framework/graph/node_timers.h"
#include "framework/scheduler/alarm_thread.h"
#include "framework/scheduler/executor.h"

namespace syncline {

class GraphRun::ClockListener {
 public:
  explicit ClockListener(GraphRun* run)
      : listener_(run->clock_->AddListener([run] { run->ClockChanged(); })) {}

 private:
  Listener listener_;
};

class GraphRun::Timers : public TaskQueue {
 public:
  Timers(GraphRun* run, int executor)
      : run_(run),
        executor_(executor),
        times_(static_cast<int>(run->nodes_.size())) {}

  void RunNextTask() override {
    // On the alarm thread there is nothing to serve.
    Serve(/*serves=*/!uses_alarms());
  }

  // Whoever runs one task at a time takes those that are due from their queues.
  void RunOneTask() override { Serve(/*serves=*/false); }

  void Set(int node, std::int64_t target_ns) {
    times_.Set(node, target_ns);
    if (has_several_nodes_.load(std::memory_order_relaxed)) return;
    int first = -1;
    if (!first_node_.compare_exchange_strong(first, node) && first != node) {
      has_several_nodes_.store(true);
    }
  }
  NodeTimers& times() { return times_; }
  int executor() const { return executor_; }

  // Nobody else arms it meanwhile: who serves does that afterwards. Should that
  // one get stuck in a call, an executor that watches over guard() sends
  // another, who serves what is due by then, and so on.
  void SetServing(bool serves) {
    guard_.waiting.store(serves ? 1 : 0);
    if (serves) guard_.turns.fetch_add(1);
  }
  bool is_serving() const { return guard_.waiting.load() > 0; }
  // One node alone holds up nobody.
  bool needs_guard() const { return has_several_nodes_.load(); }
  const WatchedWork& guard() const { return guard_; }
  std::atomic<bool>& is_guarded() { return is_guarded_; }

  // Times that are nearer to each other than this are served by one wake-up: so
  // many nodes may wait for times of their own, and still no more than about a
  // thousand wake-ups a second are needed.
  static constexpr std::int64_t kWakeUpPauseNs = 1'000'000;

  // When to come for what is due at `steady_ns`; -1: that is settled already.
  std::int64_t NextWakeUp(std::int64_t steady_ns) ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    steady_ns = std::max(steady_ns, last_ns_ + kWakeUpPauseNs);
    if (armed_ns_ <= steady_ns) return -1;
    armed_ns_ = steady_ns;
    return steady_ns;
  }
  void NoteWakeUp() ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    armed_ns_ = kNotArmed;
    last_ns_ = SteadyNowNs();
  }

  bool uses_alarms() const { return uses_alarms_.load(); }
  void UseAlarms() { uses_alarms_.store(true); }

 private:
  void Serve(bool serves) {
    const absl::Status status = CatchExceptions([&] {
      run_->TimeHasCome(this, serves);
      return absl::OkStatus();
    });
    if (!status.ok()) run_->RecordError(status);
  }

  static constexpr std::int64_t kNotArmed =
      std::numeric_limits<std::int64_t>::max();

  GraphRun* const run_;
  const int executor_;
  NodeTimers times_;
  std::atomic<int> first_node_{-1};  // of those that ever waited
  std::atomic<bool> has_several_nodes_{false};
  WatchedWork guard_;
  std::atomic<bool> is_guarded_{false};
  std::atomic<bool> uses_alarms_{false};
  Mutex mutex_;
  std::int64_t armed_ns_ ABSL_GUARDED_BY(mutex_) = kNotArmed;
  std::int64_t last_ns_ ABSL_GUARDED_BY(mutex_) = 0;
};

// Calls a function at a time of the steady clock.
class GraphRun::Alarm : public TaskQueue {
 public:
  Alarm(AlarmThread* thread, std::function<void()> ring)
      : thread_(thread), ring_(std::move(ring)) {}
  ~Alarm() override { Cancel(); }

  absl::Status SetAt(std::int64_t steady_ns) {
    return thread_->Set(this, steady_ns);
  }
  // Waits for a call that goes on.
  void Cancel() { thread_->Cancel(this); }
  void RunNextTask() override { ring_(); }

 private:
  AlarmThread* const thread_;
  const std::function<void()> ring_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_GRAPH_GRAPH_RUN_TIMERS_H_
