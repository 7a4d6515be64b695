#include "framework/condition/downstream_message_affordable_condition.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/status_macros.h"
#include "framework/condition/condition.h"
#include "framework/condition/enough_messages.h"
#include "framework/config/conditions.pb.h"

namespace syncline {

absl::Status DownstreamMessageAffordableCondition::Initialize(
    ConditionSetup* setup) {
  const auto& options =
      setup->Options<DownstreamMessageAffordableConditionOptions>();
  SYNCLINE_ASSIGN_OR_RETURN(
      output_, setup->Output("transmitter", options.transmitter()));
  min_size_ = PacketCount(options.min_size());
  // There is always room for 0 packets, even in a queue beyond its limit.
  if (min_size_ > 0) setup->WatchRoom(output_, min_size_);
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
