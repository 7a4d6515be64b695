// What tells a run of its clock, and of the times at which it ends.
//
// A part of GraphRun, which graph_run_end.cc has the rest of.
//
// Thread rule: any thread.

#ifndef SYNCLINE_FRAMEWORK_GRAPH_GRAPH_RUN_TIMERS_H_
#define SYNCLINE_FRAMEWORK_GRAPH_GRAPH_RUN_TIMERS_H_

#include <cstdint>
#include <functional>
#include <utility>

#include "absl/status/status.h"
#include "framework/base/graph_clock.h"
#include "framework/graph/graph_run.h"
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
