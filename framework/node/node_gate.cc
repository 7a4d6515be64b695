// Functions of Node for a node with a gate: what it does when its gate has
// decided. See condition_gate.h.

#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "framework/base/graph_clock.h"
#include "framework/base/mutex.h"
#include "framework/base/status_macros.h"
#include "framework/calculator/context.h"
#include "framework/calculator/packet_times.h"
#include "framework/condition/condition.h"
#include "framework/condition/condition_result.h"
#include "framework/node/condition_gate.h"
#include "framework/node/effects.h"
#include "framework/node/invocation.h"
#include "framework/node/node.h"
#include "framework/node/node_conditions.h"
#include "framework/node/node_state.h"
#include "framework/policy/input_policy.h"
#include "framework/stream/drop_cause.h"

namespace syncline {

void Node::SetGate(ConditionGate::Setup setup) {
  MutexLock lock(&mutex_);
  inputs_.RememberReadiness();
  gate_ = std::make_unique<ConditionGate>(std::move(setup), plan_,
                                          inputs_.timeout());
  traits_.has_gate = true;
  traits_.calls_by_rules = true;
  // Every arrival may change what a condition says.
  traits_.delivers_by_rules = true;
  traits_.starts_directly = false;
  traits_.joins_plainly = false;
}

void Node::WatchRoom(int port) {
  MutexLock lock(&mutex_);
  inputs_.WatchRoom(port);
}

std::int64_t Node::Room(int port) const {
  MutexLock lock(&mutex_);
  return inputs_.Room(port);
}

// --- At the gate

bool Node::BatchIsComplete(const Readiness& readiness) const {
  return batch_ != nullptr &&
         (batch_->num_sets == static_cast<int>(batch_->sets.size()) ||
          gate_->batch_is_due() || readiness.state == Readiness::State::kClose);
}

bool Node::HasInputSet() const {
  if (traits_.is_source) return true;
  const Readiness readiness = inputs_.Evaluate();
  return traits_.batches_calls ? BatchIsComplete(readiness)
                               : readiness.state == Readiness::State::kProcess;
}

bool Node::IsHeldAtGate(Readiness* readiness, Effects* effects) {
  const bool is_batch = traits_.batches_calls && BatchIsComplete(*readiness);
  switch (gate_->Look(is_batch, readiness->state, effects)) {
    case ConditionGate::Decision::kClose:
      readiness->state = Readiness::State::kClose;
      if (traits_.batches_calls) DropBatch(effects);
      return false;
    case ConditionGate::Decision::kHold:
      if (!traits_.overlaps || CallsInFlight() == 0) {
        PassBound(readiness->timestamp, effects);
      }
      return true;
    case ConditionGate::Decision::kPass:
      if (!is_batch) return false;
      Dispatch(std::exchange(batch_, nullptr), effects);
      return true;
  }
  return false;
}

void Node::DropBatch(Effects* effects) {
  if (batch_ == nullptr) return;
  const Invocation& batch = *std::exchange(batch_, nullptr);
  CountUnprocessed(batch, 0, DropCause::kAtClose, effects->trace);
  for (const InputSet& set : batch.sets) {
    for (InputStream& input : set.context->Inputs()) {
      effects->trash.push_back(input.Value());
      input.Clear();
    }
  }
}

// --- Asking

void Node::AskForEnd(Effects* effects) {
  if (state_ != NodeState::kOpen || gate_->is_over() || !gate_->is_at_rest() ||
      ArrivedWhileBusy()) {
    return;
  }
  gate_->Ask(effects);
}

void Node::AskForSource(Effects* effects) {
  MutexLock lock(&mutex_);
  if (state_ == NodeState::kOpen) gate_->Ask(effects);
}

void Node::ConditionChanged(Effects* effects) {
  MutexLock lock(&mutex_);
  if (state_ != NodeState::kOpen || conditions() == nullptr) return;
  if (!gate_->is_at_rest()) return gate_->Ask(effects);
  // A source that is not held will be called, and its conditions are asked
  // before that.
  if (!traits_.is_source) AskForEnd(effects);
}

NodeFacts* Node::BeginAsk(std::int64_t now_ns) {
  MutexLock lock(&mutex_);
  NodeFacts* const facts =
      gate_->BeginAsk(state_ == NodeState::kOpen, now_ns, inputs_.queues());
  if (facts == nullptr) return nullptr;
  facts->has_input_set = HasInputSet();
  for (int port = 0; port < inputs_.size(); ++port) {
    NodeFacts::Input& input = gate_->input_facts(port);
    const PacketTimes* const times = inputs_.TimesOfFront(port);
    input.front_acquisition_ns.reset();
    if (times != nullptr) input.front_acquisition_ns = times->acquisition_ns;
  }
  return facts;
}

void Node::FinishAsk(const ConditionResult& result, bool is_dispatched,
                     Effects* effects) {
  MutexLock lock(&mutex_);
  switch (gate_->FinishAsk(result, is_dispatched, state_ == NodeState::kOpen,
                           effects)) {
    case ConditionGate::Answer::kNothing:
      return;
    case ConditionGate::Answer::kStart:
      return StartDispatched(effects);
    case ConditionGate::Answer::kClose:
      return CloseAtGate(effects);
  }
}

void Node::StartDispatched(Effects* effects) {
  if (traits_.is_source) return gate_->LetSourceRun(effects);
  gate_->GivePermit();
  Schedule(effects);
  // A policy that drops packets may not be ready any more.
  gate_->TakePermitBack(effects);
}

void Node::CloseAtGate(Effects* effects) {
  if (!traits_.is_source) return Schedule(effects);
  effects->ready.push_back(BeginClose());
}

void Node::AbandonAsk(Effects* effects) {
  MutexLock lock(&mutex_);
  gate_->AbandonAsk(state_ == NodeState::kOpen, effects);
}

// --- Holds and times

void Node::HoldBatch(std::int64_t target_ns, Effects* effects) {
  MutexLock lock(&mutex_);
  // The call of the batch may be ready already, or conditions may hold the
  // batch. Conditions that are being asked may still find it incomplete.
  if (state_ != NodeState::kOpen || batch_ == nullptr) return;
  gate_->HoldBatch(target_ns, effects);
}

void Node::ReleaseSource(Effects* effects) {
  MutexLock lock(&mutex_);
  gate_->ReleaseSource(state_ == NodeState::kOpen, effects);
}

ConditionResult Node::HeldBy() const {
  MutexLock lock(&mutex_);
  if (gate_ == nullptr || state_ != NodeState::kOpen) return {};
  return gate_->HeldBy();
}

bool Node::WaitsForConditions() const {
  MutexLock lock(&mutex_);
  if (conditions() == nullptr || state_ != NodeState::kOpen) return false;
  return gate_->HeldBy().state != ConditionState::kReady ||
         conditions()->WaitForPackets(inputs_.queues());
}

bool Node::HoldIsDue(std::int64_t now_ns) const {
  MutexLock lock(&mutex_);
  return gate_ != nullptr && state_ == NodeState::kOpen &&
         gate_->HoldIsDue(now_ns);
}

std::int64_t Node::NextTarget() const {
  MutexLock lock(&mutex_);
  if (gate_ == nullptr || state_ != NodeState::kOpen) {
    return ConditionResult::kNoTarget;
  }
  return gate_->NextTarget();
}

void Node::TimeHasCome(std::int64_t now_ns, Effects* effects) {
  MutexLock lock(&mutex_);
  if (state_ != NodeState::kOpen) return;
  if (gate_->waits_for_inputs()) {
    InputTimeIsUp(now_ns, effects);
    // If the node waits for two times, only the earlier one had a timer.
    if (!gate_->HoldIsDue(now_ns)) return gate_->SetTimer(effects);
  }
  if (!gate_->HoldIsDue(now_ns)) return;
  const bool has_batch = batch_ != nullptr && traits_.batches_calls;
  gate_->EndHoldTime(has_batch);
  // Conditions that are being asked do not know that the batch is due.
  if (!gate_->is_at_rest()) return gate_->Ask(effects);
  if (has_batch) Schedule(effects);
}

void Node::BeginInputWait(std::int64_t now_ns, Effects* effects) {
  MutexLock lock(&mutex_);
  if (state_ != NodeState::kOpen) return;
  gate_->BeginInputWait(now_ns, inputs_.Evaluate().state, inputs_.queues(),
                        effects);
}

void Node::InputTimeIsUp(std::int64_t now_ns, Effects* effects) {
  if (!gate_->InputWaitIsUp(now_ns)) return;
  gate_->EndInputWait(now_ns, inputs_.Evaluate().state, inputs_.queues(),
                      effects);
  // Conditions that are being asked do not know of the input set.
  const bool is_asking = !gate_->is_at_rest();
  Schedule(effects);
  if (is_asking) gate_->Ask(effects);
}

// --- Calls

absl::Status Node::CallConditioned(Invocation* invocation,
                                   CalculatorContext* context) {
  NodeConditions& conditions = *this->conditions();
  SYNCLINE_RETURN_IF_ERROR(conditions.BeforeExecute());
  const absl::Status status = CallMeasured(invocation, context);
  const absl::Status noted = conditions.OnExecute(context->Clock()->NowNs());
  return status.ok() ? noted : status;
}

}  // namespace syncline
