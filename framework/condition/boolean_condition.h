// BooleanCondition: a switch that calculators turn on and off for a node.
//
//   if (is_closed) cc->Condition<BooleanCondition>("shown")->disable_tick();
//
//           on_false: STOP      on_false: PAUSE
//   on      READY               READY
//   off     NEVER, for good     WAIT_EVENT, until it is on again
//
// Each run begins in the state that `enable_tick` of the options gives. A
// change before or after a run has no effect.
//
// Thread rule: as ConditionBase; the functions of the switch, any thread.
// Tested by handle_conditions_test.

#ifndef SYNCLINE_FRAMEWORK_CONDITION_BOOLEAN_CONDITION_H_
#define SYNCLINE_FRAMEWORK_CONDITION_BOOLEAN_CONDITION_H_

#include <atomic>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/condition/condition.h"

namespace syncline {

class BooleanCondition : public ConditionBase {
 public:
  void enable_tick() { Switch(true); }
  void disable_tick() { Switch(false); }
  bool check_tick_enabled() const {
    return is_on_.load(std::memory_order_acquire);
  }

  absl::Status Initialize(ConditionSetup* setup) override;
  absl::Status Start(const ConditionRun& run) override;
  absl::StatusOr<ConditionResult> Check(const NodeFacts& facts) override;

 private:
  void Switch(bool is_on);

  bool is_on_at_first_ = true;
  bool can_resume_ = false;

  std::atomic<bool> is_on_{true};
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CONDITION_BOOLEAN_CONDITION_H_
