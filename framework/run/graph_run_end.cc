// Runs that end by the clock, or because nothing can happen any more.

#include <cstdint>

#include "absl/status/status.h"
#include "framework/base/graph_clock.h"
#include "framework/node/node.h"
#include "framework/plan/graph_plan.h"
#include "framework/run/graph_run.h"
#include "framework/run/run_alarms.h"
#include "framework/run/time_limit.h"

namespace syncline {

void GraphRun::StartAlarms() {
  const PlanSettings& settings = plan().settings();
  if (settings.max_memory_bytes >= 0) {
    alarms_.Add(RunAlarms::kMemory, [this] { LookAtAllQueues(); });
  }
  time_limit_.Start(setup_.clock->NowNs(), settings.max_duration_ns);
  if (gated_nodes_.empty() && !time_limit_.is_set()) return;
  alarms_.ListenTo(setup_.clock.get(), [this] { ClockChanged(); });
  if (settings.deadlock_timeout_ns > 0) {
    // Not as an activity: that would end the quiet time.
    alarms_.Add(RunAlarms::kDeadlock, [this] { OnIdle(); });
  }
  if (!time_limit_.is_set()) return;
  alarms_.Add(RunAlarms::kTimeLimit, [this] { LookAtDuration(); });
  LookAtDuration();
}

void GraphRun::LookAtDuration() {
  if (!time_limit_.IsAwaited()) return;
  if (time_limit_.HasCome(setup_.clock->NowNs())) return EndByTime();
  if (setup_.clock->passing() != GraphClock::Passing::kByItself) return;
  const absl::Status status = alarms_.SetAt(
      RunAlarms::kTimeLimit, setup_.clock->SteadyNsOf(time_limit_.end_ns()));
  if (!status.ok()) RecordError(status);
}

void GraphRun::EndByTime() {
  if (!time_limit_.ClaimEnd()) return;
  ApplicationCall call(this);
  if (!call.is_running()) return;
  CloseAllInputs();
  StopSources(&call.effects);
  for (Node* const node : gated_nodes_) node->ConditionChanged(&call.effects);
}

void GraphRun::LookAtDeadlockAt(std::int64_t steady_ns) {
  const absl::Status status = alarms_.SetAt(RunAlarms::kDeadlock, steady_ns);
  if (!status.ok()) RecordError(status);
}

}  // namespace syncline
