#include "framework/condition/target_time_condition.h"

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/graph_clock.h"
#include "framework/base/mutex.h"
#include "framework/condition/condition.h"

namespace syncline {

absl::Status TargetTimeCondition::SetNextTargetTime(std::int64_t target_ns) {
  absl::Status status;
  {
    MutexLock lock(&mutex_);
    if (!is_running_) {
      return absl::FailedPreconditionError(
          absl::StrCat("The target time ", target_ns,
                       " ns was set while no run of the graph was going on."));
    }
    if (target_ns < newest_ns_) {
      status = absl::InvalidArgumentError(absl::StrCat(
          "The target time ", target_ns, " ns is before ", newest_ns_,
          " ns, the target time before it. Target times must not go back."));
      if (error_.ok()) error_ = status;
    } else {
      next_ns_ = target_ns;
    }
  }
  Notify();
  return status;
}

absl::Status TargetTimeCondition::Start(const ConditionRun& run) {
  const std::int64_t now_ns = run.clock->NowNs();
  MutexLock lock(&mutex_);
  is_running_ = true;
  target_ns_ = now_ns;
  next_ns_.reset();
  newest_ns_ = now_ns;
  has_dispatched_ = false;
  error_ = absl::OkStatus();
  return absl::OkStatus();
}

absl::StatusOr<ConditionResult> TargetTimeCondition::Check(
    const NodeFacts& facts) {
  MutexLock lock(&mutex_);
  if (!error_.ok()) return error_;
  if (!target_ns_ && next_ns_) {
    target_ns_ = next_ns_;
    newest_ns_ = *next_ns_;
    next_ns_.reset();
  }
  if (!target_ns_) return ConditionResult::Wait("SetNextTargetTime");
  if (*target_ns_ <= facts.now_ns) return ConditionResult::Ready();
  return ConditionResult::WaitUntil(*target_ns_, "the target time");
}

absl::StatusOr<bool> TargetTimeCondition::OnDispatch(
    const NodeFacts&, const ConditionResult& result) {
  MutexLock lock(&mutex_);
  // In a group, the call may have come for another reason, and the target still
  // stands.
  has_dispatched_ = result.state == ConditionState::kReady;
  if (has_dispatched_) target_ns_.reset();
  return true;
}

void TargetTimeCondition::OnDispatchUndone() {
  MutexLock lock(&mutex_);
  if (has_dispatched_) target_ns_ = newest_ns_;
}

void TargetTimeCondition::Stop() {
  MutexLock lock(&mutex_);
  is_running_ = false;
}

REGISTER_CONDITION(TargetTimeCondition);
REGISTER_CONDITION_ALIAS(TargetTimeCondition, TargetTimeSchedulingTerm);

}  // namespace syncline
