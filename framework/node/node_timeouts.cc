// A node that waits for its inputs for a time at most. See timeout_policy.h.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>

#include "framework/base/graph_clock.h"
#include "framework/base/mutex.h"
#include "framework/condition/condition_result.h"
#include "framework/node/node.h"
#include "framework/node/node_gate.h"
#include "framework/node/node_state.h"
#include "framework/node/turn.h"
#include "framework/policy/input_policy.h"
#include "framework/policy/timeout_policy.h"

namespace syncline {

using AtTimeout = TimeoutPolicy::AtTimeout;
using Fact = Turn::GateFact;

// The clock is read without the lock, so a wait begins in two steps.
void Node::WaitForInputs(Turn* turn) {
  InputWait& wait = gate_->input_wait;
  const AtTimeout at_timeout = gate_->timeout->at_timeout();
  if (at_timeout == AtTimeout::kNothing) return;
  const bool is_known = wait.has_packets || at_timeout != AtTimeout::kPackets;
  if (wait.is_begun && is_known) return;
  wait.is_begun = true;
  turn->gate_facts.push_back({Fact::Kind::kInputWaitBegun, this});
}

void Node::BeginInputWait(std::int64_t now_ns, Turn* turn) {
  MutexLock lock(&mutex_);
  NodeGate& gate = *gate_;
  InputWait& wait = gate.input_wait;
  if (state_ != NodeState::kOpen || !wait.is_begun) return;
  if (inputs_.Evaluate().state != Readiness::State::kWait) {
    // A call is due, and after it there is a look at what to wait for.
    return StopInputWait(turn);
  }
  const AtTimeout at_timeout = gate.timeout->at_timeout();
  if (at_timeout == AtTimeout::kNothing) return StopInputWait(turn);
  wait.has_packets = at_timeout == AtTimeout::kPackets;
  if (wait.target_ns == ConditionResult::kNoTarget) {
    TrimArrivals();
    wait.target_ns = gate.timeout->Deadline(now_ns, gate.arrivals);
  }
  if (wait.has_packets && gate.time_passes_by_itself) {
    gate.holds->Set(true, &wait.is_counted);
  }
  SetTimer(turn);
}

void Node::StopInputWait(Turn* turn) {
  InputWait wait = std::exchange(gate_->input_wait, InputWait());
  gate_->holds->Set(false, &wait.is_counted);
  if (wait.target_ns != ConditionResult::kNoTarget) SetTimer(turn);
}

void Node::InputTimeIsUp(std::int64_t now_ns, Turn* turn) {
  if (gate_->input_wait.target_ns > now_ns) return;
  StopInputWait(turn);
  if (inputs_.Evaluate().state == Readiness::State::kWait) {
    TrimArrivals();
    gate_->timeout->TimeIsUp(now_ns, gate_->arrivals);
  }
  // Conditions that are being asked do not know of the set.
  const bool is_asking = gate_->state != GateState::kIdle;
  Schedule(turn);
  if (is_asking) Ask(turn);
}

void Node::SetTimer(Turn* turn) {
  const std::int64_t target_ns = gate_->NextTarget();
  if (target_ns == ConditionResult::kNoTarget) return;
  turn->gate_facts.push_back(
      {.kind = Fact::Kind::kTimer, .node = this, .target_ns = target_ns});
}

void Node::TrimArrivals() {
  for (size_t port = 0; port < gate_->arrivals.size(); ++port) {
    std::deque<std::int64_t>& arrivals = gate_->arrivals[port];
    const auto queued =
        static_cast<size_t>(inputs_.queue(static_cast<int>(port)).size());
    while (arrivals.size() > queued) arrivals.pop_front();
  }
}

bool Node::HoldIsDue(std::int64_t now_ns) const {
  MutexLock lock(&mutex_);
  return gate_ != nullptr && state_ == NodeState::kOpen &&
         gate_->target_ns <= now_ns;
}

std::int64_t Node::NextTarget() const {
  MutexLock lock(&mutex_);
  if (gate_ == nullptr || state_ != NodeState::kOpen) {
    return ConditionResult::kNoTarget;
  }
  return gate_->NextTarget();
}

}  // namespace syncline
