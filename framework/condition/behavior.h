// Behaviours: what each node of a behaviour tree decides when it is ticked. The
// states of its children are all that the decision depends on.
//
//   Constant    ends at once, with a given result
//   Sequence    its children in order, until one fails
//   Selector    its children in order, until one succeeds
//   Parallel    all at once, until enough of them have succeeded or failed
//   Repeat      its only child, again and again
//   Switch      the child that was chosen
//   Timer       runs for a time, and ends with a given result
//
// A decision says how the node stands now, and which children are to be started
// (again) or stopped. A node that ends has no children running. Before a node
// is started, all its children are made inactive; so a decision needs no
// memory.
//
// AFTER A FAILURE a FailureRepeat says whether the node is ticked again.
//
// Thread rule: plain values, pure functions; a FailureRepeat by one thread.
// Tested by behavior_test.

#ifndef SYNCLINE_FRAMEWORK_CONDITION_BEHAVIOR_H_
#define SYNCLINE_FRAMEWORK_CONDITION_BEHAVIOR_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace syncline {

enum class BehaviorStatus : std::uint8_t {
  kInactive,  // not started, or stopped
  kRunning,
  kSuccess,
  kFailure,
};

// "running" and so on.
absl::string_view BehaviorStatusName(BehaviorStatus status);

struct BehaviorStep {
  BehaviorStatus status = BehaviorStatus::kRunning;
  // Children, by number.
  std::vector<int> start;
  std::vector<int> stop;
};

using BehaviorStatuses = absl::Span<const BehaviorStatus>;

BehaviorStep DecideSequence(BehaviorStatuses children);
BehaviorStep DecideSelector(BehaviorStatuses children);

struct ParallelThresholds {
  // The number of children that have to fail; -1: all of them. 0: the node
  // fails at once.
  std::int64_t success = -1;
  // So many children; -1: all of them. 0: at once, unless it is a success.
  std::int64_t failure = -1;
};
// INVALID_ARGUMENT below -1, and above the number of children.
absl::Status CheckParallel(const ParallelThresholds& thresholds, int children);
// A success if both numbers are reached at once, or if there are no children. A
// failure if all children have ended and neither number is reached.
BehaviorStep DecideParallel(const ParallelThresholds& thresholds,
                            BehaviorStatuses children);

// Ends only when its child fails, and with `repeat_after_failure` not even
// then. REQUIRES: there is one child.
BehaviorStep DecideRepeat(bool repeat_after_failure, BehaviorStatuses children);

// The choice may change while the switch runs: then the child that was chosen
// before is stopped. A failure if the chosen child does not exist.
BehaviorStep DecideSwitch(std::int64_t desired_behavior,
                          BehaviorStatuses children);

struct TimerStep {
  BehaviorStatus status;
  // While `status` is kRunning: the time at which the timer ends.
  std::int64_t target_ns;
};
// Times are nanoseconds of the graph's clock.
TimerStep DecideTimer(std::int64_t started_ns, std::int64_t delay_ns,
                      BehaviorStatus at_the_end, std::int64_t now_ns);

// As GXF's EntityCountFailureRepeatController: how often a node whose tick has
// failed is ticked again.
class FailureRepeat {
 public:
  struct Options {
    // The number of failures that are followed by another tick. Negative: all
    // are.
    std::int64_t max_repeat_count = 0;
    // The status of a node that is going to be ticked again: running or
    // failure.
    bool running_if_repeated = false;
  };
  enum class Next {
    kRepeat,  // tick it again
    kStop,    // this node is over, and only this
    kGoOn,    // as it stands
  };
  struct Verdict {
    Next next = Next::kGoOn;
    BehaviorStatus status = BehaviorStatus::kRunning;
  };

  explicit FailureRepeat(const Options& options) : options_(options) {}

  // After a tick that left the node at `status`.
  Verdict AfterTick(BehaviorStatus status);
  std::int64_t failures() const { return failures_; }

 private:
  const Options options_;
  std::int64_t failures_ = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CONDITION_BEHAVIOR_H_
