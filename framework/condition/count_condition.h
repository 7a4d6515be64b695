// CountCondition: READY until the node has been called `count` times in a run,
// then NEVER. A call counts when it is dispatched, so `count` limits
// overlapping calls, too.
//
// Thread rule: as ConditionBase; remaining(), any thread.
// Tested by simple_conditions_test.

#ifndef SYNCLINE_FRAMEWORK_CONDITION_COUNT_CONDITION_H_
#define SYNCLINE_FRAMEWORK_CONDITION_COUNT_CONDITION_H_

#include <atomic>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/condition/condition.h"

namespace syncline {

class CountCondition : public ConditionBase {
 public:
  // The number of calls that are left; negative: the number is not limited.
  std::int64_t remaining() const {
    return remaining_.load(std::memory_order_relaxed);
  }

  absl::Status Initialize(ConditionSetup* setup) override;
  absl::Status Start(const ConditionRun& run) override;
  absl::StatusOr<ConditionResult> Check(const NodeFacts& facts) override;
  absl::StatusOr<bool> OnDispatch(const NodeFacts& facts,
                                  const ConditionResult& result) override;
  void OnDispatchUndone() override;
  ConditionDependence DependsOn() const override {
    return ConditionDependence::kPackets;
  }

 private:
  std::int64_t count_ = 1;
  // Only the hooks write it.
  std::atomic<std::int64_t> remaining_{1};
  // The call that was dispatched last is one of those counted. In a group it
  // may come after the last of them.
  bool has_counted_ = false;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CONDITION_COUNT_CONDITION_H_
