// ConditionResult: what a condition says of its node, and how several of them
// combine.
//
//   state        the node                               who changes it
//   kReady       may be called
//   kWaitTime    not before target_ns                   the clock
//   kWait        not now                                something in the graph
//   kWaitEvent   not now                                a call of the handle
//   kNever       will not be called again: it closes
//
// ALL of several (a node's conditions): NEVER before WAIT_EVENT before WAIT
// before WAIT_TIME before READY; of two times, the later one.
//
// ANY of several (a group): READY if one is; NEVER if all are; else the state
// is WAIT_EVENT before WAIT before WAIT_TIME. The target is the earliest target
// of all, whatever the states are.
//
// Thread rule: plain values, pure functions.
// Tested by condition_result_test.

#ifndef SYNCLINE_FRAMEWORK_CONDITION_CONDITION_RESULT_H_
#define SYNCLINE_FRAMEWORK_CONDITION_CONDITION_RESULT_H_

#include <cstdint>
#include <limits>

#include "absl/strings/string_view.h"

namespace syncline {

// In the order in which they win over each other, where all must be ready.
enum class ConditionState : std::uint8_t {
  kReady,
  kWaitTime,
  kWait,
  kWaitEvent,
  kNever,
};

// "READY", "WAIT_TIME", ...
absl::string_view ConditionStateName(ConditionState state);

struct ConditionResult {
  static constexpr std::int64_t kNoTarget =
      std::numeric_limits<std::int64_t>::max();

  ConditionState state = ConditionState::kReady;
  // When the condition is to be asked again, in nanoseconds of the graph's
  // clock; kNoTarget: at no certain time. Always set with kWaitTime, and with
  // other states for some groups.
  std::int64_t target_ns = kNoTarget;
  // What the condition waits for, in words. The text outlives the condition.
  absl::string_view reason;
  // With kWaitEvent: the event comes from outside of the graph, so a simulated
  // clock stands still until it has come.
  bool holds_time = false;

  static ConditionResult Ready() { return {}; }
  static ConditionResult WaitUntil(std::int64_t target_ns,
                                   absl::string_view reason) {
    return {ConditionState::kWaitTime, target_ns, reason};
  }
  static ConditionResult Wait(absl::string_view reason) {
    return {ConditionState::kWait, kNoTarget, reason};
  }
  static ConditionResult WaitForEvent(absl::string_view reason,
                                      bool holds_time = false) {
    return {ConditionState::kWaitEvent, kNoTarget, reason, holds_time};
  }
  static ConditionResult Never(absl::string_view reason) {
    return {ConditionState::kNever, kNoTarget, reason};
  }
};

// The combination of two by the rules at the top. Both are associative, and
// ConditionResult::Ready() changes nothing in the first, Never("") nothing in
// the second.
ConditionResult AllOf(const ConditionResult& a, const ConditionResult& b);
ConditionResult AnyOf(const ConditionResult& a, const ConditionResult& b);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CONDITION_CONDITION_RESULT_H_
