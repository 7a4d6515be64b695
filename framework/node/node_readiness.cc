// Which call of a node is ready: none yet, Process or Close.

#include <algorithm>
#include <utility>

#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "framework/base/mutex.h"
#include "framework/calculator/context.h"
#include "framework/node/effects.h"
#include "framework/node/invocation.h"
#include "framework/node/node.h"
#include "framework/node/node_state.h"
#include "framework/node/overlapping_calls.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/input_policy.h"

namespace syncline {

bool Node::SettleSilentAtEnd(Effects* effects) {
  MutexLock lock(&mutex_);
  if (state_ != NodeState::kOpen || !inputs_.SettleSilentAtEnd()) return false;
  Schedule(effects);
  return true;
}

bool Node::ArrivedWhileBusy() {
  if (traits_.overlaps) return overlapping_->IsFull();
  return call_.Arrived();
}

void Node::Schedule(Effects* effects) {
  while (!ArrivedWhileBusy()) {
    Readiness readiness = inputs_.Evaluate();
    if (ABSL_PREDICT_FALSE(traits_.has_gate) &&
        IsHeldAtGate(&readiness, effects))
      return;
    switch (readiness.state) {
      case Readiness::State::kWait:
        // The call will follow soon, since the rest of the input set usually
        // does.
        if (traits_.fetches_ahead) FetchCall();
        if (!traits_.overlaps || overlapping_->in_flight() == 0) {
          PassBound(readiness.timestamp, effects);
        }
        if (traits_.starts_directly) call_.Offer();
        return;
      case Readiness::State::kProcess:
        StartProcess(readiness.timestamp, effects);
        if (batch_size_ == 1 && !traits_.overlaps) return;
        break;
      case Readiness::State::kClose:
        if (traits_.overlaps && overlapping_->in_flight() > 0) return;
        if (batch_ != nullptr) {
          return Dispatch(std::exchange(batch_, nullptr), effects);
        }
        if (const absl::Status error = inputs_.PolicyError(); !error.ok()) {
          effects->errors.push_back(error);
        }
        effects->ready.push_back(BeginClose());
        return;
    }
  }
}

Invocation* Node::BeginClose() {
  ChangeState(NodeState::kOpen, NodeState::kClosing, &state_);
  Invocation* const invocation = first_invocation();
  invocation->kind = Invocation::Kind::kClose;
  invocation->num_sets = 1;
  return invocation;
}

void Node::StartProcess(Timestamp timestamp, Effects* effects) {
  if (ABSL_PREDICT_FALSE(batch_size_ > 1 &&
                         !inputs_.takes_when_call_starts())) {
    return AddToBatch(timestamp, effects);
  }
  Invocation* const invocation = NextInvocation();
  InputSet& set = invocation->sets[0];
  if (ABSL_PREDICT_FALSE(inputs_.takes_when_call_starts())) {
    set.timestamp = timestamp;
    invocation->takes_when_call_starts = true;
    inputs_.NoteTaskMade();
  } else {
    TakeSet(timestamp, &set, effects);
  }
  Dispatch(invocation, effects);
}

void Node::AddToBatch(Timestamp timestamp, Effects* effects) {
  if (batch_ == nullptr) {
    batch_ = NextInvocation();
    batch_->num_sets = 0;
    if (traits_.has_gate && traits_.batches_calls &&
        plan_.batch.max_delay_ns > 0) {
      effects->gate_facts.push_back(
          {Effects::GateFact::Kind::kBatchBegun, plan_.id});
    }
  }
  TakeSet(timestamp, &batch_->sets[batch_->num_sets++], effects);
  if (batch_->num_sets < static_cast<int>(batch_->sets.size())) return;
  // The gate decides first.
  if (traits_.has_gate && traits_.batches_calls) return;
  Dispatch(std::exchange(batch_, nullptr), effects);
}

void Node::Dispatch(Invocation* invocation, Effects* effects) {
  if (traits_.overlaps) {
    overlapping_->Begin(invocation);
  } else {
    call_.Begin(LooksAgainAfter(*invocation));
    if (traits_.fetches_ahead) row_.FetchReaders();
  }
  effects->ready.push_back(invocation);
}

bool Node::LooksAgainAfter(const Invocation& invocation) {
  // After a batch the node is looked at again in any case: Schedule goes on
  // while the call of the node is ready, and before Close HasMoreAfter is true.
  if (inputs_.takes_when_call_starts() || traits_.has_gate) return true;
  return inputs_.HasMoreAfter(invocation.sets[0].timestamp,
                              outputs_.has_offset());
}

void Node::TakeInputs(Invocation* invocation, Effects* effects) {
  invocation->takes_when_call_starts = false;
  MutexLock lock(&mutex_);
  TakeSet(invocation->sets[0].timestamp, &invocation->sets[0], effects);
}

void Node::PassBound(Timestamp bound, Effects* effects) {
  if (!outputs_.has_offset()) return;
  // Nothing goes past what waits in a batch.
  if (batch_ != nullptr) bound = std::min(bound, batch_->sets[0].timestamp);
  if (!inputs_.TakeBoundToPass(bound)) return;
  outputs_.PassBound(bound, [&](int stream, Timestamp passed) {
    effects->bounds.push_back({stream, passed});
  });
}

}  // namespace syncline
