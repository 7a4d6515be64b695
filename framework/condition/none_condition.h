// NoneCondition: nothing to wait for at these ports. Always READY.
//
//   node {
//     ... gxf_defaults: true
//     condition {
//       type: "NoneCondition"
//       options { [syncline.NoneConditionOptions.ext] { receivers: "EXTRA" } }
//     }
//   }
//
// `gxf_defaults` of a node adds a condition to each port that no condition
// names. A NoneCondition names a port, so that port gets no other condition,
// and has to wait for nothing. It is Holoscan's
// ConditionType::kNone, and "kNone" is another name of it.
//
// Thread rule: as ConditionBase.
// Tested by message_conditions_test, check_conditions_test.

#ifndef SYNCLINE_FRAMEWORK_CONDITION_NONE_CONDITION_H_
#define SYNCLINE_FRAMEWORK_CONDITION_NONE_CONDITION_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/condition/condition.h"

namespace syncline {

class NoneCondition : public ConditionBase {
 public:
  absl::Status Initialize(ConditionSetup* setup) override;
  absl::StatusOr<ConditionResult> Check(const NodeFacts&) override {
    return ConditionResult::Ready();
  }
  ConditionDependence DependsOn() const override {
    return ConditionDependence::kPackets;
  }
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CONDITION_NONE_CONDITION_H_
