// MaxDuration: how long a run may last (max_duration of the graph), by the
// graph's clock, and whether this time is over.
//
// Thread rule: Start before the others; the rest any thread. It calls nothing.
// Tested by max_duration_test.

#ifndef SYNCLINE_FRAMEWORK_RUN_MAX_DURATION_H_
#define SYNCLINE_FRAMEWORK_RUN_MAX_DURATION_H_

#include <atomic>
#include <cstdint>
#include <limits>

#include "framework/base/graph_clock.h"

namespace syncline {

class MaxDuration {
 public:
  static constexpr std::int64_t kNone =
      std::numeric_limits<std::int64_t>::max();

  // The run starts at `now_ns` and may last for `duration_ns`. If that is below
  // 0, it may last for any time.
  void Start(std::int64_t now_ns, std::int64_t duration_ns) {
    if (duration_ns >= 0) end_ns_ = SaturatingAddNs(now_ns, duration_ns);
  }

  bool is_set() const { return end_ns_ != kNone; }
  // kNone if the run may last for any time.
  std::int64_t end_ns() const { return end_ns_; }

  // --- Its end
  // It is set, and has not ended the run.
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

#endif  // SYNCLINE_FRAMEWORK_RUN_MAX_DURATION_H_
