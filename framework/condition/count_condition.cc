#include "framework/condition/count_condition.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/condition/condition.h"
#include "framework/config/conditions.pb.h"

namespace syncline {

absl::Status CountCondition::Initialize(ConditionSetup* setup) {
  count_ = setup->Options<CountConditionOptions>().count();
  remaining_ = count_;
  return absl::OkStatus();
}

absl::Status CountCondition::Start(const ConditionRun&) {
  remaining_ = count_;
  return absl::OkStatus();
}

absl::StatusOr<ConditionResult> CountCondition::Check(const NodeFacts&) {
  return remaining_ == 0 ? ConditionResult::Never("the count is used up")
                         : ConditionResult::Ready();
}

absl::StatusOr<bool> CountCondition::OnDispatch(const NodeFacts&,
                                                const ConditionResult&) {
  has_counted_ = remaining_ > 0;
  if (has_counted_) --remaining_;
  return true;
}

void CountCondition::OnDispatchUndone() {
  if (has_counted_) ++remaining_;
}

REGISTER_CONDITION(CountCondition);
REGISTER_CONDITION_ALIAS(CountCondition, CountSchedulingTerm);

}  // namespace syncline
