#include "framework/condition/behavior.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/graph_clock.h"
#include "framework/base/status_macros.h"

namespace syncline {
namespace {

// The node ends, and with it those of its children that run.
BehaviorStep End(BehaviorStatus status, BehaviorStatuses children) {
  BehaviorStep step;
  step.status = status;
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (children[i] == BehaviorStatus::kRunning) {
      step.stop.push_back(static_cast<int>(i));
    }
  }
  return step;
}

// One child after the other, as long as each ends with `go_on`.
BehaviorStep DecideInOrder(BehaviorStatus go_on, BehaviorStatuses children) {
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (children[i] == go_on) continue;
    BehaviorStep step;
    if (children[i] == BehaviorStatus::kInactive) {
      step.start.push_back(static_cast<int>(i));
    } else if (children[i] != BehaviorStatus::kRunning) {
      step.status = children[i];
    }
    return step;
  }
  BehaviorStep step;
  step.status = go_on;
  return step;
}

std::int64_t ThresholdOf(std::int64_t threshold, BehaviorStatuses children) {
  return threshold < 0 ? static_cast<std::int64_t>(children.size()) : threshold;
}

absl::Status CheckThreshold(absl::string_view name, std::int64_t threshold,
                            int children) {
  if (threshold >= -1 && threshold <= children) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      name, " is ", threshold, "; with ", children,
      " children it must be from -1, for all, to ", children, "."));
}

}  // namespace

absl::string_view BehaviorStatusName(BehaviorStatus status) {
  constexpr absl::string_view kNames[] = {"inactive", "running", "success",
                                          "failure"};
  static_assert(std::size(kNames) ==
                static_cast<std::size_t>(BehaviorStatus::kFailure) + 1);
  const auto at = static_cast<std::size_t>(status);
  return at < std::size(kNames) ? kNames[at] : "";
}

BehaviorStep DecideSequence(BehaviorStatuses children) {
  return DecideInOrder(BehaviorStatus::kSuccess, children);
}

BehaviorStep DecideSelector(BehaviorStatuses children) {
  return DecideInOrder(BehaviorStatus::kFailure, children);
}

absl::Status CheckParallel(const ParallelThresholds& thresholds, int children) {
  SYNCLINE_RETURN_IF_ERROR(
      CheckThreshold("success_threshold", thresholds.success, children));
  return CheckThreshold("failure_threshold", thresholds.failure, children);
}

BehaviorStep DecideParallel(const ParallelThresholds& thresholds,
                            BehaviorStatuses children) {
  const std::int64_t successes =
      std::count(children.begin(), children.end(), BehaviorStatus::kSuccess);
  const std::int64_t failures =
      std::count(children.begin(), children.end(), BehaviorStatus::kFailure);
  if (successes >= ThresholdOf(thresholds.success, children)) {
    return End(BehaviorStatus::kSuccess, children);
  }
  if (failures >= ThresholdOf(thresholds.failure, children) ||
      successes + failures == static_cast<std::int64_t>(children.size())) {
    return End(BehaviorStatus::kFailure, children);
  }
  BehaviorStep step;
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (children[i] == BehaviorStatus::kInactive) {
      step.start.push_back(static_cast<int>(i));
    }
  }
  return step;
}

BehaviorStep DecideRepeat(bool repeat_after_failure,
                          BehaviorStatuses children) {
  BehaviorStep step;
  const BehaviorStatus child = children[0];
  if (child == BehaviorStatus::kRunning) return step;
  if (child == BehaviorStatus::kFailure && !repeat_after_failure) {
    step.status = BehaviorStatus::kFailure;
    return step;
  }
  step.start.push_back(0);
  return step;
}

BehaviorStep DecideSwitch(std::int64_t desired_behavior,
                          BehaviorStatuses children) {
  if (desired_behavior < 0 ||
      desired_behavior >= static_cast<std::int64_t>(children.size())) {
    return End(BehaviorStatus::kFailure, children);
  }
  const int desired = static_cast<int>(desired_behavior);
  const BehaviorStatus status = children[desired];
  if (status == BehaviorStatus::kSuccess ||
      status == BehaviorStatus::kFailure) {
    return End(status, children);
  }
  BehaviorStep step;
  for (int i = 0; i < static_cast<int>(children.size()); ++i) {
    if (i == desired) continue;
    if (children[i] == BehaviorStatus::kRunning) step.stop.push_back(i);
  }
  if (status == BehaviorStatus::kInactive) step.start.push_back(desired);
  return step;
}

TimerStep DecideTimer(std::int64_t started_ns, std::int64_t delay_ns,
                      BehaviorStatus at_the_end, std::int64_t now_ns) {
  const std::int64_t target_ns = SaturatingAddNs(started_ns, delay_ns);
  return {now_ns >= target_ns ? at_the_end : BehaviorStatus::kRunning,
          target_ns};
}

FailureRepeat::Verdict FailureRepeat::AfterTick(BehaviorStatus status) {
  if (status != BehaviorStatus::kFailure) return {Next::kGoOn, status};
  if (failures_ < std::numeric_limits<std::int64_t>::max()) ++failures_;
  if (options_.max_repeat_count >= 0 && failures_ > options_.max_repeat_count) {
    return {Next::kStop, BehaviorStatus::kFailure};
  }
  return {Next::kRepeat, options_.running_if_repeated
                             ? BehaviorStatus::kRunning
                             : BehaviorStatus::kFailure};
}

}  // namespace syncline
