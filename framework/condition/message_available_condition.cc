#include "framework/condition/message_available_condition.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/status_macros.h"
#include "framework/condition/condition.h"
#include "framework/condition/enough_messages.h"
#include "framework/config/conditions.pb.h"

namespace syncline {

absl::Status MessageAvailableCondition::Initialize(ConditionSetup* setup) {
  const auto& options = setup->Options<MessageAvailableConditionOptions>();
  SYNCLINE_ASSIGN_OR_RETURN(input_,
                            setup->Input("receiver", options.receiver()));
  min_size_ = PacketCount(options.min_size());
  is_strict_ = options.strict();
  if (!options.has_front_stage_max_size()) return absl::OkStatus();
  max_size_ = PacketCount(options.front_stage_max_size());
  if (max_size_ < min_size_) {
    return absl::InvalidArgumentError(absl::StrCat(
        "front_stage_max_size is ", max_size_, " and min_size ", min_size_,
        ": the node could never be called. Set front_stage_max_size to "
        "min_size or more."));
  }
  return absl::OkStatus();
}

absl::StatusOr<ConditionResult> MessageAvailableCondition::Check(
    const NodeFacts& facts) {
  const NodeFacts::Input& input = facts.inputs[input_];
  if (input.is_done) {
    return is_strict_ && input.queued < min_size_
               ? ConditionResult::Never("too few packets before the end")
               : ConditionResult::Ready();
  }
  if (input.queued < min_size_) return ConditionResult::Wait("more packets");
  if (input.queued > max_size_) return ConditionResult::Wait("fewer packets");
  return ConditionResult::Ready();
}

REGISTER_CONDITION(MessageAvailableCondition);
REGISTER_CONDITION_ALIAS(MessageAvailableCondition,
                         MessageAvailableSchedulingTerm);

}  // namespace syncline
