// MultiMessageAvailableCondition: enough packets wait at several inputs, in sum
// or at each of them.
//
//   too few, and more may come     WAIT
//   too few, and no more will      READY; strict: NEVER
//   enough                         READY
//
// A sum is of use beside handlers that do not match timestamps. With the
// default handler, timestamps decide which inputs have a packet in a call, and
// the sum only says how many packets wait.
//
// Thread rule: as ConditionBase.
// Tested by message_conditions_test.

#ifndef SYNCLINE_FRAMEWORK_CONDITION_MULTI_MESSAGE_AVAILABLE_CONDITION_H_
#define SYNCLINE_FRAMEWORK_CONDITION_MULTI_MESSAGE_AVAILABLE_CONDITION_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "framework/condition/condition.h"
#include "framework/condition/enough_messages.h"

namespace syncline {

class MultiMessageAvailableCondition : public ConditionBase {
 public:
  absl::Status Initialize(ConditionSetup* setup) override;
  absl::StatusOr<ConditionResult> Check(const NodeFacts& facts) override;
  // The condition delays calls, and changes nothing in them.
  ConditionDependence DependsOn() const override {
    return ConditionDependence::kPackets;
  }
  std::vector<PacketNeed> PacketNeeds() const override {
    return enough_->Needs();
  }

 private:
  // Set by Initialize.
  absl::optional<EnoughMessages> enough_;
  bool is_strict_ = false;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CONDITION_MULTI_MESSAGE_AVAILABLE_CONDITION_H_
