// DeadlockTimeout: for how long a run has been in a deadlock of conditions, and
// whether this ends the run (stop_on_deadlock, stop_on_deadlock_timeout). In
// such a deadlock, nodes are held by conditions that nothing can change.
//
// The time is counted anew in each period (Activity::period). In one period no
// thread does anything; the next one begins when a thread does.
//
// Thread rule: a value.
// Tested by deadlock_timeout_test.

#ifndef SYNCLINE_FRAMEWORK_RUN_DEADLOCK_TIMEOUT_H_
#define SYNCLINE_FRAMEWORK_RUN_DEADLOCK_TIMEOUT_H_

#include <cstdint>

#include "absl/types/optional.h"
#include "framework/base/graph_clock.h"

namespace syncline {

class DeadlockTimeout {
 public:
  struct Verdict {
    bool ends = false;
    // If the run does not end: when to ask again, by the steady clock. Absent
    // if time does not end the run.
    absl::optional<std::int64_t> ask_at_ns;
  };

  // With a `timeout_ns` below 0, the run is not ended.
  DeadlockTimeout(bool stop_on_deadlock, std::int64_t timeout_ns)
      : may_end_(stop_on_deadlock && timeout_ns >= 0),
        timeout_ns_(timeout_ns) {}

  // Nothing happens in `period`, at `now_ns` of the steady clock.
  Verdict Look(std::uint64_t period, std::int64_t now_ns) {
    if (!may_end_) return {};
    if (!ends_at_ns_.has_value() || period_ != period) {
      period_ = period;
      ends_at_ns_ = SaturatingAddNs(now_ns, timeout_ns_);
    }
    if (now_ns >= *ends_at_ns_) return {.ends = true};
    return {.ask_at_ns = ends_at_ns_};
  }

 private:
  const bool may_end_;
  const std::int64_t timeout_ns_;
  std::uint64_t period_ = 0;
  absl::optional<std::int64_t> ends_at_ns_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RUN_DEADLOCK_TIMEOUT_H_
