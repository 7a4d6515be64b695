// InputWait: how long a node with TimeoutInputStreamHandler waits while no
// input set is ready. See timeout_policy.h.
//
// The clock is read without the node's lock, so a wait begins in two steps:
//
//   Want     no input set is ready: says whether the clock is to be read for
//            Begin
//   Begin    the wait counts from this time on
//   IsUp     says whether the time has come: then TimeIsUp, unless an input set
//            is ready now
//   Stop     an input set is ready, or the node ends
//
// Thread rule: guarded by the node's lock.
// Tested by input_wait_test.

#ifndef SYNCLINE_FRAMEWORK_NODE_INPUT_WAIT_H_
#define SYNCLINE_FRAMEWORK_NODE_INPUT_WAIT_H_

#include <cstdint>

#include "framework/condition/condition_result.h"
#include "framework/policy/timeout_policy.h"

namespace syncline {

class InputWait {
 public:
  using Arrivals = TimeoutPolicy::Arrivals;
  using AtTimeout = TimeoutPolicy::AtTimeout;

  // `timeout` is borrowed: the policy that says how long. Null: no wait ever.
  void SetPolicy(TimeoutPolicy* timeout) { timeout_ = timeout; }
  bool has_policy() const { return timeout_ != nullptr; }
  bool needs_arrivals() const {
    return timeout_ != nullptr && timeout_->needs_arrivals();
  }

  // No input set is ready. True: Begin is to be called, because the wait has
  // not begun, or because the first packets have come since then. REQUIRES:
  // has_policy().
  bool Want() {
    const AtTimeout at_timeout = timeout_->at_timeout();
    if (at_timeout == AtTimeout::kNothing) return false;
    const bool is_known = has_packets_ || at_timeout != AtTimeout::kPackets;
    if (is_wanted_ && is_known) return false;
    is_wanted_ = true;
    return true;
  }
  bool is_wanted() const { return is_wanted_; }
  // REQUIRES: is_wanted(), and no input set is ready. False: there is nothing
  // to wait for.
  bool Begin(std::int64_t now_ns, Arrivals arrivals) {
    const AtTimeout at_timeout = timeout_->at_timeout();
    if (at_timeout == AtTimeout::kNothing) return false;
    has_packets_ = at_timeout == AtTimeout::kPackets;
    if (target_ns_ == ConditionResult::kNoTarget) {
      target_ns_ = timeout_->Deadline(now_ns, arrivals);
    }
    return true;
  }
  // Returns whether it had a time.
  bool Stop() {
    const bool had_target = target_ns_ != ConditionResult::kNoTarget;
    target_ns_ = ConditionResult::kNoTarget;
    is_wanted_ = false;
    has_packets_ = false;
    return had_target;
  }
  bool IsUp(std::int64_t now_ns) const { return target_ns_ <= now_ns; }
  // Settles what the time is up for. REQUIRES: no input set is ready.
  void TimeIsUp(std::int64_t now_ns, Arrivals arrivals) {
    timeout_->TimeIsUp(now_ns, arrivals);
  }

  // At its end there will be packets for a call. A wait without packets does
  // not keep the run from ending.
  bool has_packets() const { return has_packets_; }
  // ConditionResult::kNoTarget: it has not begun.
  std::int64_t target_ns() const { return target_ns_; }

 private:
  TimeoutPolicy* timeout_ = nullptr;
  bool is_wanted_ = false;
  bool has_packets_ = false;
  std::int64_t target_ns_ = ConditionResult::kNoTarget;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_NODE_INPUT_WAIT_H_
