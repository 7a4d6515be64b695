#include "framework/condition/multi_message_available_condition.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/status_macros.h"
#include "framework/condition/condition.h"
#include "framework/condition/enough_messages.h"
#include "framework/config/conditions.pb.h"

namespace syncline {

absl::Status MultiMessageAvailableCondition::Initialize(ConditionSetup* setup) {
  const auto& options = setup->Options<MultiMessageAvailableConditionOptions>();
  is_strict_ = options.strict();
  SYNCLINE_ASSIGN_OR_RETURN(
      enough_,
      EnoughMessages::Create(EnoughMessages::OptionsOf(options), *setup));
  return absl::OkStatus();
}

absl::StatusOr<ConditionResult> MultiMessageAvailableCondition::Check(
    const NodeFacts& facts) {
  const EnoughMessages::Answer answer = enough_->Count(facts.inputs);
  if (is_strict_ && answer.ended_short) {
    return ConditionResult::Never("too few packets before the end");
  }
  if (answer.is_short) return ConditionResult::Wait("more packets");
  return ConditionResult::Ready();
}

REGISTER_CONDITION(MultiMessageAvailableCondition);
REGISTER_CONDITION_ALIAS(MultiMessageAvailableCondition,
                         MultiMessageAvailableSchedulingTerm);

}  // namespace syncline
