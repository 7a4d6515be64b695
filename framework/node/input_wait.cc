#include "framework/node/input_wait.h"

#include <cstdint>

#include "framework/condition/condition_result.h"
#include "framework/policy/timeout_policy.h"

namespace syncline {

using AtTimeout = TimeoutPolicy::AtTimeout;

bool InputWait::Want() {
  const AtTimeout at_timeout = timeout_->at_timeout();
  if (at_timeout == AtTimeout::kNothing) return false;
  const bool is_known = has_packets_ || at_timeout != AtTimeout::kPackets;
  if (is_wanted_ && is_known) return false;
  is_wanted_ = true;
  return true;
}

bool InputWait::Begin(std::int64_t now_ns, Arrivals arrivals) {
  const AtTimeout at_timeout = timeout_->at_timeout();
  if (at_timeout == AtTimeout::kNothing) return false;
  has_packets_ = at_timeout == AtTimeout::kPackets;
  if (target_ns_ == ConditionResult::kNoTarget) {
    target_ns_ = timeout_->Deadline(now_ns, arrivals);
  }
  return true;
}

}  // namespace syncline
