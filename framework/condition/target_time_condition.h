// TargetTimeCondition: a node says itself when it wants to be called next, for
// instance a node that plays a file at the pace of its timestamps. Known to GXF
// as TargetTimeSchedulingTerm.
//
//   Process:   send the frame;
//              return pace->SetNextTargetTime(time_of_next_frame_ns);
//
//                 SetNextTargetTime          the time comes
//   no target ────────────────────> waits ──────────────────> due
//   (WAIT)     <──────────────────  (WAIT_TIME)               (READY)
//       ^                                                       │
//       └────────────────── the call is dispatched ─────────────┘
//
// A run begins in the state "due", so the first call comes at once. A target
// that the run has read stays valid; a target that is set later is for the call
// after that. A node that sets no target is not called again, and does not keep
// the run from ending.
//
// Targets do not go back. A target that is earlier than the target before is an
// error for the caller, and ends the run.
//
// Thread rule: as ConditionBase; SetNextTargetTime, any thread.
// Tested by handle_conditions_test.

#ifndef SYNCLINE_FRAMEWORK_CONDITION_TARGET_TIME_CONDITION_H_
#define SYNCLINE_FRAMEWORK_CONDITION_TARGET_TIME_CONDITION_H_

#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "framework/base/mutex.h"
#include "framework/condition/condition.h"

namespace syncline {

class TargetTimeCondition : public ConditionBase {
 public:
  // Sets the next target, in nanoseconds of the graph's clock. A later call
  // replaces it, until the run has looked at it. INVALID_ARGUMENT for a time
  // that is earlier than the target before; the run ends with this error, too.
  // FAILED_PRECONDITION outside of a run.
  absl::Status SetNextTargetTime(std::int64_t target_ns)
      ABSL_LOCKS_EXCLUDED(mutex_);

  absl::Status Start(const ConditionRun& run) override
      ABSL_LOCKS_EXCLUDED(mutex_);
  absl::StatusOr<ConditionResult> Check(const NodeFacts& facts) override
      ABSL_LOCKS_EXCLUDED(mutex_);
  absl::StatusOr<bool> OnDispatch(const NodeFacts& facts,
                                  const ConditionResult& result) override
      ABSL_LOCKS_EXCLUDED(mutex_);
  void OnDispatchUndone() override ABSL_LOCKS_EXCLUDED(mutex_);
  void Stop() override ABSL_LOCKS_EXCLUDED(mutex_);
  // Calculators compute the times from their inputs.
  ConditionDependence DependsOn() const override {
    return ConditionDependence::kClock;
  }

 private:
  Mutex mutex_;
  bool is_running_ ABSL_GUARDED_BY(mutex_) = false;
  // The target that the run has looked at, until its call is dispatched.
  absl::optional<std::int64_t> target_ns_ ABSL_GUARDED_BY(mutex_);
  // The target after it.
  absl::optional<std::int64_t> next_ns_ ABSL_GUARDED_BY(mutex_);
  // The newest target that the run has looked at.
  std::int64_t newest_ns_ ABSL_GUARDED_BY(mutex_) = 0;
  // The newest dispatch was for the target newest_ns_.
  bool has_dispatched_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Status error_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CONDITION_TARGET_TIME_CONDITION_H_
