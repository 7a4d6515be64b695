// TimeLimit: max_duration of a run, by the graph's clock, and whether it has
// passed.
//
// Thread rule: Start before the others; the rest any thread. It calls nothing.
// Tested by time_limit_test.

#ifndef SYNCLINE_FRAMEWORK_RUN_TIME_LIMIT_H_
#define SYNCLINE_FRAMEWORK_RUN_TIME_LIMIT_H_

#include <atomic>
#include <cstdint>
#include <limits>

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

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RUN_TIME_LIMIT_H_
