// PeriodicCondition: a node is called at times that are a period apart, the
// first time at once.
//
// A call may come late, because the node was busy or had no input set. An
// example with period 10, where the fourth call comes at 47 and not at 30:
//
//   due at                      0   10   20   30   40   50   60   70
//   CATCH_UP_MISSED_TICKS       0   10   20   47   47'  50   60   70
//   MIN_TIME_BETWEEN_TICKS      0   10   20   47   57   67   77
//   NO_CATCH_UP_MISSED_TICKS    0   10   20   47   50   60   70
//
// (47' means: at once after the call at 47.) The first policy keeps the number
// of calls, the second their distance, the third their rhythm. The state is
// READY from the due time on, and WAIT_TIME until then. On a node with inputs
// it delays calls and drops nothing: if input sets come faster than that,
// queues fill up and sources are paused.
//
// A call counts as a tick if its time was due. If the condition is in a group,
// a call may come for another reason; MIN_TIME_BETWEEN_TICKS counts such calls,
// too.
//
// Thread rule: as ConditionBase; the getters, any thread.
// Tested by simple_conditions_test.

#ifndef SYNCLINE_FRAMEWORK_CONDITION_PERIODIC_CONDITION_H_
#define SYNCLINE_FRAMEWORK_CONDITION_PERIODIC_CONDITION_H_

#include <atomic>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "framework/condition/condition.h"
#include "framework/config/conditions.pb.h"

namespace syncline {

class PeriodicCondition : public ConditionBase {
 public:
  std::int64_t recess_period_ns() const { return period_ns_; }
  // When the newest call was dispatched, in nanoseconds of the graph's clock; 0
  // before the first call.
  std::int64_t last_run_timestamp() const {
    return last_run_ns_.load(std::memory_order_relaxed);
  }

  absl::Status Initialize(ConditionSetup* setup) override;
  absl::Status Start(const ConditionRun& run) override;
  absl::StatusOr<ConditionResult> Check(const NodeFacts& facts) override;
  absl::StatusOr<bool> OnDispatch(const NodeFacts& facts,
                                  const ConditionResult& result) override;
  void OnDispatchUndone() override { Set(before_); }
  ConditionDependence DependsOn() const override {
    return ConditionDependence::kClock;
  }

 private:
  struct State {
    // Absent: the next call may come at once.
    absl::optional<std::int64_t> due_ns;
    std::int64_t last_run_ns = 0;
  };

  // When the next tick is due, after one at `now_ns` that was due.
  std::int64_t DueAfter(std::int64_t now_ns) const;
  void Set(const State& state);

  // Constant after Initialize.
  std::int64_t period_ns_ = 1;
  PeriodicConditionOptions::Policy policy_ =
      PeriodicConditionOptions::CATCH_UP_MISSED_TICKS;

  State state_;
  // The state before the newest dispatch.
  State before_;
  // A copy of state_.last_run_ns, for other threads.
  std::atomic<std::int64_t> last_run_ns_{0};
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CONDITION_PERIODIC_CONDITION_H_
