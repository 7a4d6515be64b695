// MessageAvailableCondition: enough packets, but not too many, wait at an
// input.
//
//   packets   fewer than min_size   from min_size on   > front_stage_max_size
//   open      WAIT                  READY              WAIT
//   ended     READY, strict NEVER   READY              READY
//
// An input set is for one timestamp, so this says how many packets wait when
// the first of them is processed. `batch` of the node says how many packets a
// call gets.
//
// Thread rule: as ConditionBase.
// Tested by message_conditions_test.

#ifndef SYNCLINE_FRAMEWORK_CONDITION_MESSAGE_AVAILABLE_CONDITION_H_
#define SYNCLINE_FRAMEWORK_CONDITION_MESSAGE_AVAILABLE_CONDITION_H_

#include <cstdint>
#include <limits>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/condition/condition.h"

namespace syncline {

class MessageAvailableCondition : public ConditionBase {
 public:
  absl::Status Initialize(ConditionSetup* setup) override;
  absl::StatusOr<ConditionResult> Check(const NodeFacts& facts) override;
  // The condition delays calls, and changes nothing in them.
  ConditionDependence DependsOn() const override {
    return ConditionDependence::kPackets;
  }
  std::vector<PacketNeed> PacketNeeds() const override {
    return {{{input_}, min_size_, "min_size"}};
  }

 private:
  int input_ = 0;
  std::int64_t min_size_ = 1;
  std::int64_t max_size_ = std::numeric_limits<std::int64_t>::max();
  bool is_strict_ = false;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CONDITION_MESSAGE_AVAILABLE_CONDITION_H_
