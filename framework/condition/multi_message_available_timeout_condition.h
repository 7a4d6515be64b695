// MultiMessageAvailableTimeoutCondition: enough packets wait at several inputs,
// or the last call is long enough ago. So a node keeps a lowest rate, though it
// prefers to work on more packets at a time.
//
//   enough packets, or no more will come   READY
//   too few                                WAIT_TIME until execution_frequency
//                                          after the last call was dispatched
//                                          (or the run began), then READY
//
// A node without an input set is not called, whatever the time is; for calls
// without one there is TimeoutInputStreamHandler.
//
// Thread rule: as ConditionBase.
// Tested by message_conditions_test.

#ifndef SYNCLINE_FRAMEWORK_CONDITION_MULTI_MESSAGE_AVAILABLE_TIMEOUT_CONDITION_H_
#define SYNCLINE_FRAMEWORK_CONDITION_MULTI_MESSAGE_AVAILABLE_TIMEOUT_CONDITION_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "framework/condition/condition.h"
#include "framework/condition/enough_messages.h"

namespace syncline {

class MultiMessageAvailableTimeoutCondition : public ConditionBase {
 public:
  absl::Status Initialize(ConditionSetup* setup) override;
  absl::Status Start(const ConditionRun& run) override;
  absl::StatusOr<ConditionResult> Check(const NodeFacts& facts) override;
  absl::StatusOr<bool> OnDispatch(const NodeFacts& facts,
                                  const ConditionResult& result) override;
  void OnDispatchUndone() override { last_call_ns_ = call_before_ns_; }
  ConditionDependence DependsOn() const override {
    return ConditionDependence::kClock;
  }

 private:
  // Set by Initialize.
  absl::optional<EnoughMessages> enough_;
  std::int64_t period_ns_ = 0;

  // The time of the last call, or that of the beginning of the run; and that of
  // the call before, in case the last dispatch is undone.
  std::int64_t last_call_ns_ = 0;
  std::int64_t call_before_ns_ = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CONDITION_MULTI_MESSAGE_AVAILABLE_TIMEOUT_CONDITION_H_
