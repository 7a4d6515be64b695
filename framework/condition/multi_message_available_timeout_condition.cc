#include "framework/condition/multi_message_available_timeout_condition.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/graph_clock.h"
#include "framework/base/status_macros.h"
#include "framework/condition/condition.h"
#include "framework/condition/enough_messages.h"
#include "framework/condition/period_text.h"
#include "framework/config/conditions.pb.h"

namespace syncline {

absl::Status MultiMessageAvailableTimeoutCondition::Initialize(
    ConditionSetup* setup) {
  const auto& options =
      setup->Options<MultiMessageAvailableTimeoutConditionOptions>();
  SYNCLINE_ASSIGN_OR_RETURN(
      period_ns_,
      ParsePeriodNs("execution_frequency", options.execution_frequency()));
  SYNCLINE_ASSIGN_OR_RETURN(
      enough_,
      EnoughMessages::Create(EnoughMessages::OptionsOf(options), *setup));
  return absl::OkStatus();
}

absl::Status MultiMessageAvailableTimeoutCondition::Start(
    const ConditionRun& run) {
  last_call_ns_ = run.clock->NowNs();
  return absl::OkStatus();
}

absl::StatusOr<ConditionResult> MultiMessageAvailableTimeoutCondition::Check(
    const NodeFacts& facts) {
  if (!enough_->Count(facts.inputs).is_short) return ConditionResult::Ready();
  const std::int64_t target_ns = SaturatingAddNs(last_call_ns_, period_ns_);
  if (target_ns <= facts.now_ns) return ConditionResult::Ready();
  return ConditionResult::WaitUntil(target_ns,
                                    "more packets, or the time of a call");
}

absl::StatusOr<bool> MultiMessageAvailableTimeoutCondition::OnDispatch(
    const NodeFacts& facts, const ConditionResult&) {
  call_before_ns_ = std::exchange(last_call_ns_, facts.now_ns);
  return true;
}

REGISTER_CONDITION(MultiMessageAvailableTimeoutCondition);
REGISTER_CONDITION_ALIAS(MultiMessageAvailableTimeoutCondition,
                         MessageAvailableFrequencyThrottler);

}  // namespace syncline
