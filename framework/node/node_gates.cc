// What the gate of a node holds back, and how it is asked. See node_gate.h.

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "framework/base/graph_clock.h"
#include "framework/base/mutex.h"
#include "framework/base/status_macros.h"
#include "framework/calculator/context.h"
#include "framework/calculator/packet_times.h"
#include "framework/condition/condition.h"
#include "framework/condition/condition_result.h"
#include "framework/node/invocation.h"
#include "framework/node/node.h"
#include "framework/node/node_gate.h"
#include "framework/node/node_state.h"
#include "framework/node/turn.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/input_policy.h"
#include "framework/stream/drop_cause.h"
#include "framework/stream/input_queue.h"

namespace syncline {

using Fact = Turn::GateFact;

void Node::SetGate(std::unique_ptr<NodeGate> gate) {
  MutexLock lock(&mutex_);
  gate_ = std::move(gate);
  traits_.has_gate = true;
  traits_.calls_unusually = true;
  // Every arrival may change what a condition says.
  traits_.delivers_unusually = true;
  gate_->inputs.resize(plan_.inputs.size());
  gate_->outputs.resize(plan_.outputs.size());
  gate_->num_arrived.resize(plan_.inputs.size());
  gate_->facts.inputs = gate_->inputs;
  gate_->facts.outputs = gate_->outputs;
  conditions_ = gate_->conditions.get();
  inputs_.RememberReadiness();
  gate_->timeout = inputs_.timeout();
  if (gate_->timeout != nullptr && gate_->timeout->needs_arrivals()) {
    gate_->arrivals.resize(plan_.inputs.size());
  }
  if (conditions_ == nullptr) return;
  gate_->results.resize(conditions_->made().objects.size());
  gate_->results_row = gate_->results.data();
  if (!conditions_->made().watched_arrivals.empty()) {
    gate_->arrivals.resize(plan_.inputs.size());
  }
}

void Node::WatchRoom(int port) {
  MutexLock lock(&mutex_);
  inputs_.WatchRoom(port);
}

std::int64_t Node::Room(int port) const {
  MutexLock lock(&mutex_);
  return inputs_.Room(port);
}

// --- What arrives

std::int64_t Node::ArrivalTime() const {
  return gate_->arrivals.empty() ? 0 : gate_->clock->NowNs();
}

void Node::NoteArrivals(int port, std::int64_t now_ns) {
  if (gate_->arrivals.empty()) return;
  const InputQueue& queue = inputs_.queue(port);
  std::deque<std::int64_t>& arrivals = gate_->arrivals[port];
  std::int64_t& num_arrived = gate_->num_arrived[port];
  // Each that came, though others may have left meanwhile, or been dropped.
  for (; num_arrived < queue.added(); ++num_arrived) arrivals.push_back(now_ns);
  // Packets leave at the front.
  const auto queued = static_cast<size_t>(queue.size());
  while (arrivals.size() > queued) arrivals.pop_front();
}

// --- At the gate

bool Node::BatchIsComplete(const Readiness& readiness) const {
  return batch_ != nullptr &&
         (batch_->num_sets == static_cast<int>(batch_->sets.size()) ||
          gate_->batch_is_due || readiness.state == Readiness::State::kClose);
}

bool Node::HasInputSet() const {
  if (traits_.is_source) return true;
  const Readiness readiness = inputs_.Evaluate();
  return traits_.batches_calls ? BatchIsComplete(readiness)
                               : readiness.state == Readiness::State::kProcess;
}

bool Node::IsHeldAtGate(Readiness* readiness, Turn* turn) {
  NodeGate& gate = *gate_;
  if (gate.is_over) {
    readiness->state = Readiness::State::kClose;
    StopInputWait(turn);
    if (traits_.batches_calls) DropBatch(turn);
    return false;
  }
  const bool is_batch = traits_.batches_calls && BatchIsComplete(*readiness);
  const bool is_set = !traits_.batches_calls && conditions_ != nullptr &&
                      readiness->state == Readiness::State::kProcess;
  if (gate.timeout != nullptr) {
    if (!is_batch && readiness->state == Readiness::State::kWait) {
      WaitForInputs(turn);
    } else {
      StopInputWait(turn);
    }
  }
  if (!is_batch && !is_set) {
    // What was held may be gone, and with it the last that the node waits for.
    if (readiness->state == Readiness::State::kClose) StopHold(turn);
    return false;
  }
  if (conditions_ != nullptr && !std::exchange(gate.has_permit, false)) {
    // News ask again by themselves.
    if (gate.state == GateState::kIdle) Ask(turn);
    if (!traits_.overlaps || CallsInFlight() == 0)
      PassBound(readiness->timestamp, turn);
    return true;
  }
  StopHold(turn);
  if (!is_batch) return false;
  gate.batch_is_due = false;
  Dispatch(std::exchange(batch_, nullptr), turn);
  return true;
}

void Node::DropBatch(Turn* turn) {
  if (batch_ == nullptr) return;
  const Invocation& batch = *std::exchange(batch_, nullptr);
  CountUnprocessed(batch, 0, DropCause::kAtClose);
  for (const InputSet& set : batch.sets) {
    for (InputStream& input : set.context->Inputs()) {
      turn->trash.push_back(input.Value());
      input.Clear();
    }
  }
}

void Node::Ask(Turn* turn) {
  if (gate_->state == GateState::kAskingAgain) return;
  if (gate_->state == GateState::kAsking) {
    return ChangeState(GateState::kAskingAgain, &gate_->state);
  }
  ChangeState(GateState::kAsking, &gate_->state);
  turn->gate_facts.push_back({Fact::Kind::kAsk, this});
}

void Node::AskForEnd(Turn* turn) {
  if (state_ != NodeState::kOpen || gate_->is_over ||
      gate_->state != GateState::kIdle || NoteNewsWhileBusy()) {
    return;
  }
  Ask(turn);
}

void Node::AskForSource(Turn* turn) {
  MutexLock lock(&mutex_);
  if (state_ == NodeState::kOpen) Ask(turn);
}

void Node::ConditionChanged(Turn* turn) {
  MutexLock lock(&mutex_);
  if (state_ != NodeState::kOpen || conditions_ == nullptr) return;
  // A source that is not held is about to be called, and asked before that.
  if (traits_.is_source && gate_->state == GateState::kIdle) return;
  if (gate_->state == GateState::kIdle) return AskForEnd(turn);
  Ask(turn);
}

void Node::TimeHasCome(std::int64_t now_ns, Turn* turn) {
  MutexLock lock(&mutex_);
  if (state_ != NodeState::kOpen) return;
  if (gate_->timeout != nullptr) {
    InputTimeIsUp(now_ns, turn);
    // Of two times, only the earlier one had a timer.
    if (gate_->target_ns > now_ns) return SetTimer(turn);
  }
  if (gate_->target_ns > now_ns) return;
  gate_->target_ns = ConditionResult::kNoTarget;
  const bool has_batch = batch_ != nullptr && traits_.batches_calls;
  if (has_batch) gate_->batch_is_due = true;
  // Conditions that are being asked do not know of the batch.
  if (gate_->state != GateState::kIdle) return Ask(turn);
  if (has_batch) Schedule(turn);
}

void Node::HoldBatch(std::int64_t target_ns, Turn* turn) {
  MutexLock lock(&mutex_);
  // It may be on its way already, or held by conditions. Those that are only
  // being asked may find it incomplete.
  if (state_ != NodeState::kOpen || batch_ == nullptr ||
      gate_->state == GateState::kHeld) {
    return;
  }
  BeginHold(ConditionResult::WaitUntil(target_ns, "more input sets"), turn);
}

// --- Holds

void Node::BeginHold(const ConditionResult& by, Turn* turn) {
  NodeGate& gate = *gate_;
  // Where time is simulated, an idle run decides what comes next.
  const bool is_counted =
      by.holds_time || (gate.time_passes_by_itself &&
                        (by.state == ConditionState::kWaitEvent ||
                         by.target_ns != ConditionResult::kNoTarget));
  gate.holds->Set(is_counted, &gate.is_counted);
  gate.target_ns = by.target_ns;
  SetTimer(turn);
}

void Node::StopHold(Turn* turn) {
  gate_->target_ns = ConditionResult::kNoTarget;
  if (gate_->timeout != nullptr) SetTimer(turn);
  gate_->holds->Set(false, &gate_->is_counted);
}

void Node::ReleaseSource(Turn* turn) {
  MutexLock lock(&mutex_);
  StopHold(turn);
  if (state_ != NodeState::kOpen || gate_->state != GateState::kHeld) return;
  ChangeState(GateState::kIdle, &gate_->state);
  turn->gate_facts.push_back({Fact::Kind::kSourceMayRun, this});
}

ConditionResult Node::HeldBy() const {
  MutexLock lock(&mutex_);
  if (gate_ == nullptr || state_ != NodeState::kOpen) return {};
  if (gate_->state != GateState::kHeld) {
    if (gate_->target_ns != ConditionResult::kNoTarget) {
      return ConditionResult::WaitUntil(gate_->target_ns, "a batch");
    }
    const InputWait& wait = gate_->input_wait;
    return wait.has_packets && wait.target_ns != ConditionResult::kNoTarget
               ? ConditionResult::WaitUntil(wait.target_ns, "late inputs")
               : ConditionResult::Ready();
  }
  ConditionResult by = gate_->held_by;
  by.target_ns = gate_->target_ns;
  return by;
}

// --- Asking

NodeFacts* Node::BeginAsk(std::int64_t now_ns) {
  MutexLock lock(&mutex_);
  NodeGate& gate = *gate_;
  if (state_ != NodeState::kOpen || gate.is_over) {
    ChangeState(GateState::kIdle, &gate.state);
    return nullptr;
  }
  // News until now are among the facts.
  if (gate.state == GateState::kAskingAgain) {
    ChangeState(GateState::kAsking, &gate.state);
  }
  gate.facts.now_ns = now_ns;
  gate.facts.has_input_set = HasInputSet();
  TrimArrivals();
  for (int port = 0; port < inputs_.size(); ++port) {
    const InputQueue& queue = inputs_.queue(port);
    NodeFacts::Input& input = gate.inputs[port];
    input.queued = queue.size();
    input.is_done = queue.bound() >= Timestamp::OneOverPostStream();
    input.front_arrival_ns = -1;
    const PacketTimes* const times = inputs_.TimesOfFront(port);
    input.front_acquisition_ns.reset();
    if (times != nullptr) input.front_acquisition_ns = times->acquisition_ns;
    if (gate.arrivals.empty() || queue.empty()) continue;
    input.front_arrival_ns = gate.arrivals[port].front();
  }
  for (const int port : conditions_->made().watched_fronts) {
    const InputQueue& queue = inputs_.queue(port);
    gate.inputs[port].front = queue.empty() ? Packet() : queue.front();
  }
  return &gate.facts;
}

void Node::FinishAsk(const ConditionResult& result, bool is_dispatched,
                     Turn* turn) {
  MutexLock lock(&mutex_);
  NodeGate& gate = *gate_;
  for (const int port : conditions_->made().watched_fronts) {
    Packet& front = gate.inputs[port].front;
    turn->trash.push_back(std::move(front));
    front = Packet();
  }
  gate.results = conditions_->results();
  gate.was_asked = true;
  if (state_ != NodeState::kOpen && is_dispatched) {
    turn->gate_facts.push_back({Fact::Kind::kUndo, this});
    return;
  }
  const bool has_news = gate.state == GateState::kAskingAgain;
  if (state_ == NodeState::kOpen && !is_dispatched && !has_news &&
      gate.facts.has_input_set && result.state != ConditionState::kReady &&
      result.state != ConditionState::kNever) {
    ChangeState(GateState::kHeld, &gate.state);
    gate.held_by = result;
    return BeginHold(result, turn);
  }
  ChangeState(GateState::kIdle, &gate.state);
  if (state_ != NodeState::kOpen) return;
  // What was held is gone: its policy or a short queue has dropped it. The time
  // of a batch that is not complete is not the conditions'.
  if (!gate.facts.has_input_set && !traits_.batches_calls) StopHold(turn);
  if (is_dispatched) return StartDispatched(turn);
  if (result.state == ConditionState::kNever) return CloseAtGate(turn);
  if (has_news) Ask(turn);
}

void Node::StartDispatched(Turn* turn) {
  if (traits_.is_source) {
    StopHold(turn);
    turn->gate_facts.push_back({Fact::Kind::kSourceMayRun, this});
    return;
  }
  gate_->has_permit = true;
  Schedule(turn);
  // A policy that drops packets may have changed its mind.
  if (!std::exchange(gate_->has_permit, false)) return;
  ChangeState(GateState::kAsking, &gate_->state);
  turn->gate_facts.push_back({Fact::Kind::kUndo, this});
}

void Node::AbandonAsk(Turn* turn) {
  MutexLock lock(&mutex_);
  const bool has_news = gate_->state == GateState::kAskingAgain;
  ChangeState(GateState::kIdle, &gate_->state);
  // A source waits for room from here on, no longer for a time or an event; of
  // others, what was held is gone.
  if (!traits_.batches_calls) StopHold(turn);
  if (has_news && state_ == NodeState::kOpen) Ask(turn);
}

void Node::CloseAtGate(Turn* turn) {
  gate_->is_over = true;
  StopInputWait(turn);
  StopHold(turn);
  if (!traits_.is_source) return Schedule(turn);
  ChangeState(NodeState::kOpen, NodeState::kClosing, &state_);
  turn->ready.push_back(PrepareClose());
}

// --- Calls

absl::Status Node::CallConditioned(Invocation* invocation,
                                   CalculatorContext* context) {
  SYNCLINE_RETURN_IF_ERROR(conditions_->BeforeExecute());
  const absl::Status status = CallMeasured(invocation, context);
  const absl::Status noted = conditions_->OnExecute(context->Clock()->NowNs());
  return status.ok() ? noted : status;
}

}  // namespace syncline
