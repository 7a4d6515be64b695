// What arrives at a node, and which call is next by it: none yet, Process or
// Close.

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/base/optimization.h"
#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "framework/base/mutex.h"
#include "framework/calculator/context.h"
#include "framework/calculator/packet_times.h"
#include "framework/node/effects.h"
#include "framework/node/invocation.h"
#include "framework/node/node.h"
#include "framework/node/node_state.h"
#include "framework/node/overlapping_calls.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/input_policy.h"
#include "framework/stream/queue_limits.h"

namespace syncline {

// --- What arrives

void Node::Deliver(int port, absl::Span<Packet> packets, bool may_move,
                   Timestamp bound, Effects* effects) {
  if (ABSL_PREDICT_FALSE(traits_.delivers_unusually)) {
    return DeliverUnusual(port, packets, may_move, bound, /*times=*/{},
                          effects);
  }
  MutexLock lock(&mutex_);
  if (packets.size() == 1) {
    const Timestamp timestamp = packets[0].Timestamp();
    if (inputs_.CanPass(timestamp) && state_ == NodeState::kOpen &&
        HasRoomForCall()) {
      if (may_move) return StartWith(std::move(packets[0]), bound, effects);
      return StartWith(Packet(packets[0]), bound, effects);
    }
    if (inputs_.CanAddFirst(port, timestamp)) {
      if (may_move)
        return AddToJoin(port, std::move(packets[0]), bound, effects);
      return AddToJoin(port, Packet(packets[0]), bound, effects);
    }
  }
  if (inputs_.Add(port, packets, may_move, bound, /*sizes=*/{}, effects)) {
    ScheduleIfOpen(effects);
  }
}

void Node::AddToJoin(int port, Packet&& packet, Timestamp bound,
                     Effects* effects) {
  inputs_.AddFirst(port, std::move(packet), bound, effects);
  ScheduleIfOpen(effects);
}

void Node::DeliverTimed(int port, absl::Span<Packet> packets, bool may_move,
                        Timestamp bound, absl::Span<const PacketTimes> times,
                        Effects* effects) {
  if (!plan_.inputs[port].message_times) {
    return Deliver(port, packets, may_move, bound, effects);
  }
  DeliverUnusual(port, packets, may_move, bound, times, effects);
}

void Node::DeliverUnusual(int port, absl::Span<Packet> packets, bool may_move,
                          Timestamp bound, absl::Span<const PacketTimes> times,
                          Effects* effects) {
  const std::int64_t now_ns = traits_.has_gate ? ArrivalTime() : 0;
  absl::InlinedVector<std::int64_t, 4> sizes;
  // Without the lock: this may run code of the user's.
  if (traits_.counts_bytes) {
    for (const Packet& packet : packets) sizes.push_back(CountedBytes(packet));
  }
  MutexLock lock(&mutex_);
  if (inputs_.AddsOneByOne(port)) {
    const absl::Span<const std::int64_t> all_sizes = sizes;
    for (size_t i = 0; i < packets.size(); ++i) {
      // Sizes and times may be empty; then each part of them is empty, too.
      inputs_.AddOne(port, packets.subspan(i, 1), may_move,
                     all_sizes.subspan(std::min(i, all_sizes.size()), 1),
                     times.subspan(std::min(i, times.size()), 1), effects);
      ScheduleIfOpen(effects);
    }
    packets = {};
    sizes.clear();
  }
  if (inputs_.Add(port, packets, may_move, bound, sizes, effects)) {
    ScheduleIfOpen(effects);
  }
  if (inputs_.SettleIdle(port, bound, effects)) ScheduleIfOpen(effects);
  if (traits_.has_gate) {
    gate_->NoteArrivals(port, inputs_.queue(port), now_ns, effects);
  }
}

bool Node::SettleIdleAtEnd(Effects* effects) {
  MutexLock lock(&mutex_);
  if (state_ != NodeState::kOpen || !inputs_.SettleIdleAtEnd()) return false;
  Schedule(effects);
  return true;
}

void Node::StartWith(Packet&& packet, Timestamp bound, Effects* effects) {
  Invocation* const invocation = first_invocation();
  InputSet& set = *invocation->sets.data();
  set.timestamp = packet.Timestamp();
  const bool has_news =
      inputs_.Pass(std::move(packet), bound, set.context->Inputs().begin());
  invocation->num_sets = 1;
  invocation->kind = Invocation::Kind::kProcess;
  call_.store(has_news ? CallState::kBusyWithNews : CallState::kBusy,
              std::memory_order_relaxed);
  if (ABSL_PREDICT_FALSE(traits_.fetches_ahead)) {
    // No packet had to wait, so the lines of the call are not fetched yet.
    FetchCall();
    row_.FetchReaders();
  }
  effects->ready.push_back(invocation);
}

// --- Readiness

bool Node::NoteNewsWhileBusy() {
  if (traits_.overlaps) return overlapping_->IsFull();
  CallState seen = call_.load(std::memory_order_acquire);
  // The exchange fails if Finish came first.
  while (seen == CallState::kBusy &&
         !call_.compare_exchange_weak(seen, CallState::kBusyWithNews,
                                      std::memory_order_acquire)) {
  }
  return seen != CallState::kIdle;
}

int Node::CallsInFlight() const {
  if (traits_.overlaps) return overlapping_->in_flight();
  return call_.load(std::memory_order_relaxed) == CallState::kIdle ? 0 : 1;
}

void Node::Schedule(Effects* effects) {
  while (!NoteNewsWhileBusy()) {
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
  invocation->num_sets = 1;
  if (ABSL_PREDICT_FALSE(inputs_.takes_when_call_starts())) {
    set.timestamp = timestamp;
    invocation->takes_when_call_starts = true;
    inputs_.ForgetReadiness();
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
          {Effects::GateFact::Kind::kBatchBegun, this});
    }
  }
  TakeSet(timestamp, &batch_->sets[batch_->num_sets++], effects);
  if (batch_->num_sets < static_cast<int>(batch_->sets.size())) return;
  // The gate decides first.
  if (traits_.has_gate && traits_.batches_calls) return;
  Dispatch(std::exchange(batch_, nullptr), effects);
}

void Node::Dispatch(Invocation* invocation, Effects* effects) {
  invocation->kind = Invocation::Kind::kProcess;
  if (traits_.overlaps) {
    overlapping_->Begin(invocation);
  } else {
    call_.store(
        HasNewsAfter(*invocation) ? CallState::kBusyWithNews : CallState::kBusy,
        std::memory_order_relaxed);
    if (traits_.fetches_ahead) row_.FetchReaders();
  }
  effects->ready.push_back(invocation);
}

bool Node::HasNewsAfter(const Invocation& invocation) {
  if (inputs_.takes_when_call_starts() || batch_size_ > 1 || traits_.has_gate)
    return true;
  return inputs_.HasMoreAfter(invocation.sets[0].timestamp,
                              outputs_.has_offset());
}

void Node::TakeSet(Timestamp timestamp, InputSet* set, Effects* effects) {
  set->timestamp = inputs_.Take(timestamp, &set->context->Inputs(), effects);
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
