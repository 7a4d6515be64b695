#include "framework/condition/downstream_message_affordable_condition.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/status_macros.h"
#include "framework/condition/condition.h"
#include "framework/condition/message_sampler.h"
#include "framework/config/conditions.pb.h"

namespace syncline {

absl::Status DownstreamMessageAffordableCondition::Initialize(
    ConditionSetup* setup) {
  const auto& options =
      setup->Options<DownstreamMessageAffordableConditionOptions>();
  SYNCLINE_ASSIGN_OR_RETURN(
      output_, setup->Output("transmitter", options.transmitter()));
  if (options.min_size() == 0) {
    return absl::InvalidArgumentError(
        "min_size is 0, for which there is always room. Set it to at least 1, "
        "or remove the condition.");
  }
  min_size_ = PacketCount(options.min_size());
  setup->WatchRoom(output_, min_size_);
  return absl::OkStatus();
}

absl::StatusOr<ConditionResult> DownstreamMessageAffordableCondition::Check(
    const NodeFacts& facts) {
  return facts.outputs[output_].room >= min_size_
             ? ConditionResult::Ready()
             : ConditionResult::Wait("room in the queues that an output feeds");
}

REGISTER_CONDITION(DownstreamMessageAffordableCondition);
REGISTER_CONDITION_ALIAS(DownstreamMessageAffordableCondition,
                         DownstreamReceptiveSchedulingTerm);

}  // namespace syncline
