// TimeLimit: max_duration of a run, by the graph's clock, and whether it has
// passed.
//
// QuietTime: for how long nothing has happened in a run whose nodes are held by
// conditions that nothing can change, and whether that ends the run
// (stop_on_deadlock, deadlock_timeout). A period (Activity::period) is one
// quiet time; another one begins whenever somebody does something.
//
// Thread rule: a TimeLimit: Start before the others; the rest any thread. It
// calls nothing. A QuietTime is a value.
// Tested by time_limit_test.

#ifndef SYNCLINE_FRAMEWORK_RUN_TIME_LIMIT_H_
#define SYNCLINE_FRAMEWORK_RUN_TIME_LIMIT_H_

#include <atomic>
#include <cstdint>
#include <limits>

#include "absl/types/optional.h"
#include "framework/base/graph_clock.h"

namespace syncline {

class TimeLimit {
 public:
  static constexpr std::int64_t kNone =
      std::numeric_limits<std::int64_t>::max();

  // The run starts at `now_ns` and lasts for `duration_ns`; below 0: there is
  // no limit.
  void Start(std::int64_t now_ns, std::int64_t duration_ns) {
    if (duration_ns >= 0) end_ns_ = SaturatingAddNs(now_ns, duration_ns);
  }

  bool is_set() const { return end_ns_ != kNone; }
  // kNone: without a limit.
  std::int64_t end_ns() const { return end_ns_; }

  // --- Its end
  // There is a limit, and the run has not been ended by it.
  bool IsAwaited() const { return is_set() && !is_over(); }
  bool HasCome(std::int64_t now_ns) const { return now_ns >= end_ns_; }
  // True for the first caller, who ends the run.
  bool ClaimEnd() { return !is_over_.exchange(true); }
  bool is_over() const { return is_over_.load(); }

 private:
  std::int64_t end_ns_ = kNone;  // constant after Start
  std::atomic<bool> is_over_{false};
};

class QuietTime {
 public:
  struct Verdict {
    bool ends = false;
    // If it does not end: when to ask again, by the steady clock; absent where
    // nothing but an action ends the quiet time.
    absl::optional<std::int64_t> ask_at_ns;
  };

  // `timeout_ns` below 0: as if it were not to end.
  QuietTime(bool stop_on_deadlock, std::int64_t timeout_ns)
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

#endif  // SYNCLINE_FRAMEWORK_RUN_TIME_LIMIT_H_
