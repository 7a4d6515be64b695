#include "framework/node/condition_gate.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "framework/condition/condition.h"
#include "framework/condition/condition_result.h"
#include "framework/node/effects.h"
#include "framework/node/node_snapshot.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/policy/input_policy.h"
#include "framework/policy/timeout_policy.h"
#include "framework/stream/input_queue.h"
#include "glog/logging.h"

namespace syncline {

using Kind = Effects::GateFact::Kind;

absl::string_view GateStateName(GateState state) {
  switch (state) {
    case GateState::kAtRest:
      return "at rest";
    case GateState::kAsking:
      return "asking";
    case GateState::kAskingAgain:
      return "asking again";
    case GateState::kHeld:
      return "held";
  }
  return "?";
}

void ChangeState(GateState to, GateState* state) {
  DCHECK(IsLegalTransition(*state, to))
      << GateStateName(*state) << " -> " << GateStateName(to);
  *state = to;
}

ConditionGate::ConditionGate(Setup setup, const PlanNode& plan,
                             TimeoutPolicy* timeout)
    : setup_(std::move(setup)),
      node_id_(plan.id),
      gathers_batches_(plan.batch.max_size > 1) {
  input_wait_.SetPolicy(timeout);
  asked_.inputs.resize(plan.inputs.size());
  asked_.outputs.resize(plan.outputs.size());
  asked_.facts.inputs = asked_.inputs;
  asked_.facts.outputs = asked_.outputs;
  bool keeps_arrivals = input_wait_.needs_arrivals();
  if (conditions() != nullptr) {
    keeps_arrivals |= !conditions()->made().watched_arrivals.empty();
  }
  if (keeps_arrivals) arrivals_.Keep(plan.inputs.size());
}

// --- Arrivals, and what is ready

void ConditionGate::NoteArrivals(int port, const InputQueue& queue,
                                 std::int64_t now_ns, Effects* effects) {
  if (arrivals_.are_kept()) arrivals_.Note(port, queue, now_ns);
  if (!is_at_rest()) Ask(effects);
}

ConditionGate::Decision ConditionGate::Look(bool is_batch,
                                            Readiness::State state,
                                            Effects* effects) {
  if (is_over_) return Decision::kClose;
  if (waits_for_inputs()) {
    if (is_batch || state != Readiness::State::kWait) {
      StopInputWait(effects);
    } else if (input_wait_.Want()) {
      Tell(Kind::kInputWaitBegun, effects);
    }
  }
  const bool is_set = !gathers_batches_ && conditions() != nullptr &&
                      state == Readiness::State::kProcess;
  if (!is_batch && !is_set) {
    // The input set that was held may have been dropped, and it was the last
    // thing that the node waited for.
    if (state == Readiness::State::kClose) StopHold(effects);
    return Decision::kPass;
  }
  if (conditions() != nullptr && !std::exchange(has_permit_, false)) {
    // In other states the conditions are asked again anyway, because every
    // change is reported to the gate.
    if (is_at_rest()) Ask(effects);
    return Decision::kHold;
  }
  StopHold(effects);
  if (is_batch) batch_is_due_ = false;
  return Decision::kPass;
}

// --- Asking

void ConditionGate::Ask(Effects* effects) {
  if (state_ == GateState::kAskingAgain) return;
  if (state_ == GateState::kAsking) {
    return ChangeState(GateState::kAskingAgain, &state_);
  }
  ChangeState(GateState::kAsking, &state_);
  Tell(Kind::kAsk, effects);
}

NodeFacts* ConditionGate::BeginAsk(bool is_open, std::int64_t now_ns,
                                   absl::Span<const InputQueue> queues) {
  if (!is_asking()) return nullptr;
  if (!is_open || is_over_) {
    ChangeState(GateState::kAtRest, &state_);
    return nullptr;
  }
  // The facts include all news until now.
  if (state_ == GateState::kAskingAgain) {
    ChangeState(GateState::kAsking, &state_);
  }
  asked_.facts.now_ns = now_ns;
  arrivals_.Trim(queues);
  for (size_t port = 0; port < queues.size(); ++port) {
    const InputQueue& queue = queues[port];
    NodeFacts::Input& input = asked_.inputs[port];
    input.queued = queue.size();
    input.is_done = queue.bound() >= Timestamp::OneOverPostStream();
    input.front_arrival_ns = arrivals_.are_kept() && !queue.empty()
                                 ? arrivals_.times()[port].front()
                                 : -1;
  }
  for (const int port : conditions()->made().watched_fronts) {
    const InputQueue& queue = queues[port];
    asked_.inputs[port].front = queue.empty() ? Packet() : queue.front();
  }
  return &asked_.facts;
}

ConditionGate::Answer ConditionGate::FinishAsk(const ConditionResult& result,
                                               bool is_dispatched, bool is_open,
                                               Effects* effects) {
  for (const int port : conditions()->made().watched_fronts) {
    Packet& front = asked_.inputs[port].front;
    effects->trash.push_back(std::move(front));
    front = Packet();
  }
  const std::vector<ConditionResult>& results = conditions()->results();
  answers_.assign(results.begin(), results.end());
  if (!is_open && is_dispatched) {
    Tell(Kind::kUndo, effects);
    return Answer::kNothing;
  }
  const bool has_news = state_ == GateState::kAskingAgain;
  if (is_open && !is_dispatched && !has_news && asked_.facts.has_input_set &&
      result.state != ConditionState::kReady &&
      result.state != ConditionState::kNever) {
    ChangeState(GateState::kHeld, &state_);
    held_by_ = result;
    BeginHold(result, effects);
    return Answer::kNothing;
  }
  ChangeState(GateState::kAtRest, &state_);
  if (!is_open) return Answer::kNothing;
  // The input set that was held is gone: the policy or a short queue has
  // dropped it. At a node with batches, the hold may be for a batch that is not
  // full. This hold stays.
  if (!asked_.facts.has_input_set && !gathers_batches_) StopHold(effects);
  if (is_dispatched) return Answer::kStart;
  if (result.state == ConditionState::kNever) {
    is_over_ = true;
    StopInputWait(effects);
    StopHold(effects);
    return Answer::kClose;
  }
  if (has_news) Ask(effects);
  return Answer::kNothing;
}

void ConditionGate::AbandonAsk(bool is_open, Effects* effects) {
  if (!is_asking()) return;
  const bool has_news = state_ == GateState::kAskingAgain;
  ChangeState(GateState::kAtRest, &state_);
  // A source waits for room from now on, and no longer for a time or an event.
  // At another node, the input set that was held is gone.
  if (!gathers_batches_) StopHold(effects);
  if (has_news && is_open) Ask(effects);
}

void ConditionGate::LetSourceRun(Effects* effects) {
  StopHold(effects);
  Tell(Kind::kSourceMayRun, effects);
}

void ConditionGate::TakePermitBack(Effects* effects) {
  if (!std::exchange(has_permit_, false)) return;
  ChangeState(GateState::kAsking, &state_);
  Tell(Kind::kUndo, effects);
}

// --- Holds

void ConditionGate::HoldBatch(std::int64_t target_ns, Effects* effects) {
  if (is_held()) return;
  BeginHold(ConditionResult::WaitUntil(target_ns, "more input sets"), effects);
}

void ConditionGate::BeginHold(const ConditionResult& by, Effects* effects) {
  // A simulated clock moves only when the run is idle, so the hold must not
  // keep the run busy.
  const bool is_counted =
      by.holds_time || (setup_.time_passes_by_itself &&
                        (by.state == ConditionState::kWaitEvent ||
                         by.target_ns != ConditionResult::kNoTarget));
  setup_.holds->Set(is_counted, &hold_is_counted_);
  target_ns_ = by.target_ns;
  SetTimer(effects);
}

void ConditionGate::StopHold(Effects* effects) {
  target_ns_ = ConditionResult::kNoTarget;
  if (waits_for_inputs()) SetTimer(effects);
  setup_.holds->Set(false, &hold_is_counted_);
}

void ConditionGate::EndHoldTime(bool has_batch) {
  target_ns_ = ConditionResult::kNoTarget;
  if (has_batch) batch_is_due_ = true;
}

void ConditionGate::ReleaseSource(bool is_open, Effects* effects) {
  StopHold(effects);
  if (!is_open || !is_held()) return;
  ChangeState(GateState::kAtRest, &state_);
  Tell(Kind::kSourceMayRun, effects);
}

ConditionResult ConditionGate::HeldBy() const {
  if (is_held()) {
    ConditionResult by = held_by_;
    by.target_ns = target_ns_;
    return by;
  }
  if (target_ns_ != ConditionResult::kNoTarget) {
    return ConditionResult::WaitUntil(target_ns_, "a batch");
  }
  return input_wait_.has_packets() &&
                 input_wait_.target_ns() != ConditionResult::kNoTarget
             ? ConditionResult::WaitUntil(input_wait_.target_ns(),
                                          "late inputs")
             : ConditionResult::Ready();
}

void ConditionGate::SetTimer(Effects* effects) {
  const std::int64_t target_ns = NextTarget();
  if (target_ns == ConditionResult::kNoTarget) return;
  effects->gate_facts.push_back(
      {.kind = Kind::kTimer, .node = node_id_, .target_ns = target_ns});
}

// --- The wait for inputs

void ConditionGate::BeginInputWait(std::int64_t now_ns, Readiness::State state,
                                   absl::Span<const InputQueue> queues,
                                   Effects* effects) {
  if (!input_wait_.is_wanted()) return;
  // A call is ready. After it the node looks again whether it has to wait.
  if (state != Readiness::State::kWait) return StopInputWait(effects);
  arrivals_.Trim(queues);
  if (!input_wait_.Begin(now_ns, arrivals_.times()))
    return StopInputWait(effects);
  if (input_wait_.has_packets() && setup_.time_passes_by_itself) {
    setup_.holds->Set(true, &wait_is_counted_);
  }
  SetTimer(effects);
}

void ConditionGate::StopInputWait(Effects* effects) {
  setup_.holds->Set(false, &wait_is_counted_);
  if (input_wait_.Stop()) SetTimer(effects);
}

void ConditionGate::EndInputWait(std::int64_t now_ns, Readiness::State state,
                                 absl::Span<const InputQueue> queues,
                                 Effects* effects) {
  StopInputWait(effects);
  if (state != Readiness::State::kWait) return;
  arrivals_.Trim(queues);
  input_wait_.TimeIsUp(now_ns, arrivals_.times());
}

// --- Looking in

void ConditionGate::AddTo(NodeSnapshot* snapshot) const {
  snapshot->conditions.assign(answers_.begin(), answers_.end());
  snapshot->is_held = is_held();
  snapshot->input_wait.until_ns = input_wait_.target_ns();
  snapshot->input_wait.has_packets = input_wait_.has_packets();
}

}  // namespace syncline
