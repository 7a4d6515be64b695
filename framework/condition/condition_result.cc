#include "framework/condition/condition_result.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "absl/strings/string_view.h"

namespace syncline {

absl::string_view ConditionStateName(ConditionState state) {
  constexpr absl::string_view kNames[] = {"READY", "WAIT_TIME", "WAIT",
                                          "WAIT_EVENT", "NEVER"};
  static_assert(std::size(kNames) ==
                static_cast<std::size_t>(ConditionState::kNever) + 1);
  const auto at = static_cast<std::size_t>(state);
  return at < std::size(kNames) ? kNames[at] : "";
}

ConditionResult AllOf(const ConditionResult& a, const ConditionResult& b) {
  ConditionResult result = a.state >= b.state ? a : b;
  if (a.state == b.state && a.state == ConditionState::kWaitTime) {
    result = a.target_ns >= b.target_ns ? a : b;
  }
  // Time is held if either of the two holds it. The time at which a group wants
  // to be looked at again stays, too.
  result.holds_time = a.holds_time || b.holds_time;
  if (result.state == ConditionState::kWait ||
      result.state == ConditionState::kWaitEvent) {
    result.target_ns = ConditionResult::kNoTarget;
    if (a.state >= ConditionState::kWait) result.target_ns = a.target_ns;
    if (b.state >= ConditionState::kWait) {
      result.target_ns = std::min(result.target_ns, b.target_ns);
    }
  }
  return result;
}

ConditionResult AnyOf(const ConditionResult& a, const ConditionResult& b) {
  if (a.state == ConditionState::kReady || b.state == ConditionState::kNever) {
    return a;
  }
  if (b.state == ConditionState::kReady || a.state == ConditionState::kNever) {
    return b;
  }
  ConditionResult result = a.state >= b.state ? a : b;
  const std::int64_t earliest = std::min(a.target_ns, b.target_ns);
  if (a.state == b.state && earliest != result.target_ns) {
    result = a.target_ns == earliest ? a : b;
  }
  result.target_ns = earliest;
  // Time may be what comes first.
  result.holds_time = a.holds_time && b.holds_time;
  return result;
}

}  // namespace syncline
