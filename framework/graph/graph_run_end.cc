// Runs that end by the clock, or because nothing can happen any more.

#include <algorithm>
#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "framework/base/graph_clock.h"
#include "framework/base/mutex.h"
#include "framework/base/steady_time.h"
#include "framework/graph/graph_run.h"
#include "framework/graph/graph_run_timers.h"
#include "framework/node/node.h"
#include "framework/plan/graph_plan.h"
#include "framework/scheduler/application_thread_executor.h"

namespace syncline {
void GraphRun::StartClock(const std::shared_ptr<GraphRun>& self) {
  const PlanSettings& settings = plan_.settings();
  if (settings.max_memory_bytes >= 0) {
    memory_alarm_ =
        std::make_unique<Alarm>(&alarms_, [this] { LookAtAllQueues(); });
  }
  if (settings.max_duration_ns >= 0) {
    end_ns_ = SaturatingAddNs(clock_->NowNs(), settings.max_duration_ns);
  }
  if (gated_nodes_.empty() && end_ns_ == kNoEnd) return;
  clock_listener_ = std::make_unique<ClockListener>(this);
  if (settings.deadlock_timeout_ns > 0) {
    // Not as an activity: that would end the quiet time.
    deadlock_alarm_ = std::make_unique<Alarm>(&alarms_, [this] { OnIdle(); });
  }
  if (end_ns_ == kNoEnd) return;
  end_alarm_ = std::make_unique<Alarm>(&alarms_, [this] { LookAtDuration(); });
  LookAtDuration();
}

void GraphRun::StopClock() {
  clock_listener_.reset();
  if (end_alarm_ != nullptr) end_alarm_->Cancel();
  if (deadlock_alarm_ != nullptr) deadlock_alarm_->Cancel();
  if (memory_alarm_ != nullptr) memory_alarm_->Cancel();
  alarms_.Stop();
}

void GraphRun::LookAtDuration() {
  if (end_ns_ == kNoEnd || is_over_.load()) return;
  if (clock_->NowNs() >= end_ns_) return EndByTime();
  if (clock_->passing() != GraphClock::Passing::kByItself) return;
  const absl::Status status = end_alarm_->SetAt(clock_->SteadyNsOf(end_ns_));
  if (!status.ok()) RecordError(status);
}

void GraphRun::EndByTime() {
  if (is_over_.exchange(true)) return;
  ApplicationCall call(this);
  if (!call.is_running()) return;
  CloseAllInputs();
  StopSources(&call.turn);
  for (Node* const node : gated_nodes_) node->ConditionChanged(&call.turn);
}

bool GraphRun::MayEndHeld(std::uint64_t period, std::int64_t* alarm_ns) {
  const PlanSettings& settings = plan_.settings();
  if (!settings.stop_on_deadlock || settings.deadlock_timeout_ns < 0) {
    return false;
  }
  if (settings.deadlock_timeout_ns == 0) return true;
  const std::int64_t now_ns = SteadyNowNs();
  if (held_until_ns_ == kNoEnd || held_period_ != period) {
    held_period_ = period;
    held_until_ns_ = SaturatingAddNs(now_ns, settings.deadlock_timeout_ns);
  }
  if (now_ns >= held_until_ns_) return true;
  *alarm_ns = held_until_ns_;
  return false;
}

void GraphRun::LookAtDeadlockAt(std::int64_t steady_ns) {
  const absl::Status status = deadlock_alarm_->SetAt(steady_ns);
  if (!status.ok()) RecordError(status);
}

}  // namespace syncline
