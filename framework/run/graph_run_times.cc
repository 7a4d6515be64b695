// The times of a run: the times that nodes wait for, the end by max_duration,
// and the alarms.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "framework/base/graph_clock.h"
#include "framework/base/steady_time.h"
#include "framework/condition/condition_result.h"
#include "framework/node/effects.h"
#include "framework/node/node.h"
#include "framework/plan/graph_plan.h"
#include "framework/run/graph_run.h"
#include "framework/run/max_duration.h"
#include "framework/run/run_alarms.h"
#include "framework/run/run_nodes.h"
#include "framework/run/run_timers.h"
#include "framework/run/run_trace.h"
#include "framework/scheduler/scheduler_queue.h"
#include "framework/scheduler/wake_up_rule.h"
#include "framework/trace/trace_event.h"
#include "framework/trace/trace_lane.h"

namespace syncline {

// --- The end of a run by the clock

void GraphRun::StartAlarms() {
  const PlanSettings& settings = plan().settings();
  if (settings.max_memory_bytes >= 0) {
    alarms_.Add(RunAlarms::kMemory, [this] {
      if (has_error()) return;
      const absl::Status error = memory_.LookAtAllQueues();
      if (error.ok()) return;
      const ApplicationCall call(this);
      if (call.is_running()) RecordError(error);
    });
  }
  max_duration_.Start(setup_.clock->NowNs(), settings.max_duration_ns);
  if (gated_nodes_.empty() && !max_duration_.is_set()) return;
  alarms_.ListenTo(setup_.clock.get(), [this] { ClockChanged(); });
  if (settings.deadlock_timeout_ns > 0) {
    // Without an ApplicationCall, which would begin another period and so end
    // this one.
    alarms_.Add(RunAlarms::kDeadlockTimeout, [this] { OnIdle(); });
  }
  if (!max_duration_.is_set()) return;
  alarms_.Add(RunAlarms::kMaxDuration, [this] { LookAtDuration(); });
  LookAtDuration();
}

void GraphRun::LookAtDuration() {
  if (!max_duration_.IsAwaited()) return;
  if (max_duration_.HasCome(setup_.clock->NowNs())) return EndByTime();
  if (setup_.clock->passing() != GraphClock::Passing::kByItself) return;
  SetAlarm(RunAlarms::kMaxDuration,
           setup_.clock->SteadyNsOf(max_duration_.end_ns()));
}

void GraphRun::EndByTime() {
  if (!max_duration_.ClaimEnd()) return;
  ApplicationCall call(this);
  if (!call.is_running()) return;
  CloseAllInputs();
  StopSources(&call.effects);
  for (Node* const node : gated_nodes_) node->ConditionChanged(&call.effects);
}

void GraphRun::SetAlarm(RunAlarms::Kind kind, std::int64_t steady_ns) {
  const absl::Status status = alarms_.SetAt(kind, steady_ns);
  if (!status.ok()) RecordError(status);
}

// --- Times that nodes wait for

void GraphRun::TimeHasCome(int executor, bool serves) {
  timers_.NoteWakeUp(executor, SteadyNowNs());
  ApplicationCall call(this);
  if (!call.is_running()) return;
  const std::int64_t now_ns = setup_.clock->NowNs();
  std::vector<int> due;
  timers_.TakeDue(executor, now_ns, &due);
  SchedulerQueue* const queue = queues_[executor];
  timers_.BeginServing(executor, serves);
  // The nodes are told in groups: the memory of a whole group is fetched first.
  constexpr size_t kAtATime = 64;
  absl::Span<const int> left = due;
  while (!left.empty()) {
    const absl::Span<const int> some =
        left.first(std::min(left.size(), kAtATime));
    left.remove_prefix(some.size());
    for (int step = 0; step < Node::kFetchSteps && some.size() > 1; ++step) {
      for (const int node : some) nodes_[node]->FetchForTime(step);
    }
    for (const int node : some) {
      if (call.effects.trace != nullptr) {
        call.effects.trace->NoteNow(TraceKind::kTimer, node, 0);
      }
      nodes_[node]->TimeHasCome(now_ns, &call.effects);
    }
    ActOn(&call.effects);
  }
  if (has_error()) call.effects.ready.clear();
  Effects::Ready mine;
  if (serves) {
    queues_.KeepFor(queue, &call.effects.ready, ExecutorOf);
    std::swap(mine, call.effects.ready);
    if (call.effects.trace != nullptr) NoteReady(mine, call.effects.trace);
  }
  // While its tasks are short, this thread looks at the next time itself. A
  // task that may take long must not delay that time, so another thread is
  // asked for.
  const bool is_long = std::any_of(
      mine.begin(), mine.end(), [](const Task* task) { return IsLong(*task); });
  if (!serves || is_long) {
    timers_.EndServing(executor, /*caller_returns=*/false);
  } else {
    timers_.Guard(executor);
  }
  if (!mine.empty()) queue->ServeWith(mine);
  if (!serves || is_long) return;
  timers_.EndServing(executor, /*caller_returns=*/true);
}

void GraphRun::ClockChanged() {
  LookAtDuration();
  if (setup_.clock->passing() == GraphClock::Passing::kWhenIdle) return;
  for (int executor = 0; executor < timers_.num_executors(); ++executor) {
    TimeHasCome(executor, /*serves=*/false);
  }
}

absl::optional<std::int64_t> GraphRun::NextTime() const {
  const std::int64_t earliest = timers_.Next();
  if (earliest == RunTimers::kNone) return absl::nullopt;
  return earliest;
}

void GraphRun::AdvanceClock() {
  const std::int64_t next =
      std::min(gated_nodes_.NextTime(&timers_), max_duration_.end_ns());
  if (next == RunTimers::kNone) return;
  const absl::Status status = setup_.clock->AdvanceTo(next);
  // A calculator may have moved the clock further meanwhile.
  if (!status.ok() && setup_.clock->NowNs() < next) return RecordError(status);
  LookAtDuration();
  if (gated_nodes_.has_timeouts()) return JumpedTo(setup_.clock->NowNs());
  for (int executor = 0; executor < timers_.num_executors(); ++executor) {
    TimeHasCome(executor, /*serves=*/false);
  }
}

void GraphRun::JumpedTo(std::int64_t now_ns) {
  ApplicationCall call(this);
  if (!call.is_running()) return;
  std::vector<int> due;
  for (int executor = 0; executor < timers_.num_executors(); ++executor) {
    timers_.TakeDue(executor, now_ns, &due);
  }
  const auto hold_is_due = [&](int node) {
    return nodes_[node]->HoldIsDue(now_ns);
  };
  const bool has_holds = std::any_of(due.begin(), due.end(), hold_is_due);
  for (const int node : due) {
    if (!has_holds || hold_is_due(node)) {
      nodes_[node]->TimeHasCome(now_ns, &call.effects);
      continue;
    }
    // Inputs that come at exactly this time still count. So the nodes that wait
    // for inputs look later, when nothing more can happen at this time.
    const std::int64_t target_ns = nodes_[node]->NextTarget();
    if (target_ns == ConditionResult::kNoTarget) continue;
    timers_.Set(plan().nodes()[node].executor, node, target_ns);
  }
}

}  // namespace syncline
