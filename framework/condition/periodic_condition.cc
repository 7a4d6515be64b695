#include "framework/condition/periodic_condition.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/graph_clock.h"
#include "framework/base/status_macros.h"
#include "framework/condition/condition.h"
#include "framework/condition/period_text.h"
#include "framework/config/conditions.pb.h"

namespace syncline {

absl::Status PeriodicCondition::Initialize(ConditionSetup* setup) {
  const auto& options = setup->Options<PeriodicConditionOptions>();
  SYNCLINE_ASSIGN_OR_RETURN(
      period_ns_, ParsePeriodNs("recess_period", options.recess_period()));
  policy_ = options.policy();
  return absl::OkStatus();
}

absl::Status PeriodicCondition::Start(const ConditionRun&) {
  Set(State());
  return absl::OkStatus();
}

absl::StatusOr<ConditionResult> PeriodicCondition::Check(
    const NodeFacts& facts) {
  if (!state_.due_ns || *state_.due_ns <= facts.now_ns) {
    return ConditionResult::Ready();
  }
  return ConditionResult::WaitUntil(*state_.due_ns, "the next period");
}

std::int64_t PeriodicCondition::DueAfter(std::int64_t now_ns) const {
  const std::int64_t due_ns = state_.due_ns.value_or(now_ns);
  switch (policy_) {
    case PeriodicConditionOptions::CATCH_UP_MISSED_TICKS:
      return SaturatingAddNs(due_ns, period_ns_);
    case PeriodicConditionOptions::MIN_TIME_BETWEEN_TICKS:
      break;
    case PeriodicConditionOptions::NO_CATCH_UP_MISSED_TICKS: {
      // Both times are of one clock, and due_ns is not after now_ns. The
      // difference can overflow only if the clock begins before 0.
      std::int64_t late_ns;
      if (__builtin_sub_overflow(now_ns, due_ns, &late_ns)) break;
      return SaturatingAddNs(now_ns - late_ns % period_ns_, period_ns_);
    }
  }
  return SaturatingAddNs(now_ns, period_ns_);
}

absl::StatusOr<bool> PeriodicCondition::OnDispatch(
    const NodeFacts& facts, const ConditionResult& result) {
  before_ = state_;
  State state = state_;
  state.last_run_ns = facts.now_ns;
  if (result.state == ConditionState::kReady) {
    state.due_ns = DueAfter(facts.now_ns);
  } else if (policy_ == PeriodicConditionOptions::MIN_TIME_BETWEEN_TICKS) {
    state.due_ns = SaturatingAddNs(facts.now_ns, period_ns_);
  }
  Set(state);
  return true;
}

void PeriodicCondition::Set(const State& state) {
  state_ = state;
  last_run_ns_.store(state.last_run_ns, std::memory_order_relaxed);
}

REGISTER_CONDITION(PeriodicCondition);
REGISTER_CONDITION_ALIAS(PeriodicCondition, PeriodicSchedulingTerm);

}  // namespace syncline
