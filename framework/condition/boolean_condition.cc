#include "framework/condition/boolean_condition.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/condition/condition.h"
#include "framework/config/conditions.pb.h"

namespace syncline {

absl::Status BooleanCondition::Initialize(ConditionSetup* setup) {
  const auto& options = setup->Options<BooleanConditionOptions>();
  is_on_at_first_ = options.enable_tick();
  can_resume_ = options.on_false() == BooleanConditionOptions::PAUSE;
  is_on_ = is_on_at_first_;
  return absl::OkStatus();
}

absl::Status BooleanCondition::Start(const ConditionRun&) {
  is_on_ = is_on_at_first_;
  return absl::OkStatus();
}

absl::StatusOr<ConditionResult> BooleanCondition::Check(const NodeFacts&) {
  if (check_tick_enabled()) return ConditionResult::Ready();
  // This event does not count as one from outside, because simulated time may
  // have to pass before a calculator switches the condition on.
  return can_resume_ ? ConditionResult::WaitForEvent("enable_tick")
                     : ConditionResult::Never("disable_tick");
}

void BooleanCondition::Switch(bool is_on) {
  if (is_on_.exchange(is_on, std::memory_order_acq_rel) != is_on) Notify();
}

REGISTER_CONDITION(BooleanCondition);
REGISTER_CONDITION_ALIAS(BooleanCondition, BooleanSchedulingTerm);

}  // namespace syncline
