// ExpiringMessageAvailableCondition: enough packets wait at an input, or the
// oldest of them has waited long enough.
//
//   the input is empty, and open           WAIT
//   max_batch_size packets, or it ended    READY
//   fewer                                  WAIT_TIME until max_delay_ns after
//                                          the oldest, then READY
//
// The age of a packet counts from its arrival; where the input keeps message
// times, from its acquisition, unless `age_from` says otherwise.
//
// Thread rule: as ConditionBase.
// Tested by message_conditions_test.

#ifndef SYNCLINE_FRAMEWORK_CONDITION_EXPIRING_MESSAGE_AVAILABLE_CONDITION_H_
#define SYNCLINE_FRAMEWORK_CONDITION_EXPIRING_MESSAGE_AVAILABLE_CONDITION_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/condition/condition.h"

namespace syncline {

class ExpiringMessageAvailableCondition : public ConditionBase {
 public:
  absl::Status Initialize(ConditionSetup* setup) override;
  absl::StatusOr<ConditionResult> Check(const NodeFacts& facts) override;
  ConditionDependence DependsOn() const override {
    return ConditionDependence::kClock;
  }
  // After the first packet, time is enough.
  std::vector<PacketNeed> PacketNeeds() const override {
    return {{{input_}, 1, "max_batch_size"}};
  }

 private:
  // The time at which the oldest packet of `input` has waited long enough.
  // REQUIRES: a packet waits.
  std::int64_t ExpiryNs(const NodeFacts::Input& input) const;

  int input_ = 0;
  std::int64_t max_batch_size_ = 1;
  std::int64_t max_delay_ns_ = 0;
  bool counts_from_arrival_ = true;
  // The age counts from the arrival, also where the input keeps message times.
  bool is_arrival_ = false;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CONDITION_EXPIRING_MESSAGE_AVAILABLE_CONDITION_H_
