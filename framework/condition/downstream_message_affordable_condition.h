// DownstreamMessageAffordableCondition: READY while every reader of an output
// has room for min_size packets more, else WAIT.
//
// It delays only its own node, while max_queue_size pauses the sources before
// it. Room is what is left below max_queue_size; an output that nobody
// reads, or whose readers have no limit, always has it.
//
// Thread rule: as ConditionBase.
// Tested by message_conditions_test.

#ifndef SYNCLINE_FRAMEWORK_CONDITION_DOWNSTREAM_MESSAGE_AFFORDABLE_CONDITION_H_
#define SYNCLINE_FRAMEWORK_CONDITION_DOWNSTREAM_MESSAGE_AFFORDABLE_CONDITION_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/condition/condition.h"

namespace syncline {

class DownstreamMessageAffordableCondition : public ConditionBase {
 public:
  absl::Status Initialize(ConditionSetup* setup) override;
  absl::StatusOr<ConditionResult> Check(const NodeFacts& facts) override;
  // The condition delays calls, and changes nothing in them.
  ConditionDependence DependsOn() const override {
    return ConditionDependence::kPackets;
  }

 private:
  int output_ = 0;
  std::int64_t min_size_ = 1;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CONDITION_DOWNSTREAM_MESSAGE_AFFORDABLE_CONDITION_H_
