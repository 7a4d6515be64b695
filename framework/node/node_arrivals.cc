// What arrives at a node: into its queues, or, where nothing waits, into the
// call at once.

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "framework/base/mutex.h"
#include "framework/calculator/context.h"
#include "framework/calculator/packet_times.h"
#include "framework/node/effects.h"
#include "framework/node/invocation.h"
#include "framework/node/node.h"
#include "framework/node/node_state.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/input_policy.h"
#include "framework/stream/queue_limits.h"
#include "glog/logging.h"

namespace syncline {

ABSL_ATTRIBUTE_ALWAYS_INLINE inline void Node::LookAtJoin(Effects* effects) {
  if (call_.Arrived()) return;
  const Readiness readiness = inputs_.Evaluate();
  // A packet waits, so there is no end yet.
  if (readiness.state == Readiness::State::kWait) {
    if (ABSL_PREDICT_FALSE(traits_.fetches_ahead)) FetchCall();
    if (outputs_.has_offset()) PassBound(readiness.timestamp, effects);
    return;
  }
  StartJoin(readiness.timestamp, effects);
}

ABSL_ATTRIBUTE_ALWAYS_INLINE inline void Node::StartFilled(Timestamp timestamp,
                                                           Effects* effects) {
  call_.Begin(inputs_.HasMoreAfter(timestamp, outputs_.has_offset()));
  if (ABSL_PREDICT_FALSE(traits_.fetches_ahead)) row_.FetchReaders();
  effects->ready.push_back(first_invocation());
}

void Node::StartJoin(Timestamp timestamp, Effects* effects) {
  TakeSet(timestamp, first_.sets.data(), effects);
  StartFilled(timestamp, effects);
}

void Node::Deliver(int port, absl::Span<Packet> packets, bool may_move,
                   Timestamp bound, Effects* effects) {
  if (ABSL_PREDICT_FALSE(traits_.delivers_by_rules)) {
    return DeliverByRules(port, packets, may_move, bound, /*times=*/{},
                          effects);
  }
  Invocation* const started = StartDirectly(packets, may_move, bound);
  if (started != nullptr) return effects->ready.push_back(started);
  MutexLock lock(&mutex_);
  if (packets.size() == 1 &&
      inputs_.CanAddFirst(port, packets[0].Timestamp())) {
    if (may_move) {
      inputs_.AddFirst(port, std::move(packets[0]), bound, effects);
    } else {
      inputs_.AddFirst(port, Packet(packets[0]), bound, effects);
    }
    if (state_ != NodeState::kOpen) return;
    if (ABSL_PREDICT_FALSE(!traits_.joins_plainly)) return Schedule(effects);
    return LookAtJoin(effects);
  }
  if (inputs_.Add(port, packets, may_move, bound, /*sizes=*/{}, effects)) {
    ScheduleIfOpen(effects);
  }
}

void Node::DeliverTogether(absl::Span<const Arrival> arrivals,
                           Effects* effects) {
  DCHECK(traits_.joins_plainly) << plan_.name;
  MutexLock lock(&mutex_);
  if (ABSL_PREDICT_FALSE(traits_.fetches_ahead)) FetchCall();
  if (state_ == NodeState::kOpen && inputs_.CanPassSet(arrivals) &&
      !call_.Arrived()) {
    InputSet& set = *first_.sets.data();
    set.timestamp = inputs_.PassSet(arrivals, &set.context->Inputs(), effects);
    return StartFilled(set.timestamp, effects);
  }
  bool has_packet = false;
  bool has_changed = false;
  for (const Arrival& arrival : arrivals) {
    if (ABSL_PREDICT_TRUE(arrival.packets.size() == 1 &&
                          inputs_.CanAddFirst(
                              arrival.port, arrival.packets[0].Timestamp()))) {
      inputs_.AddFirst(arrival.port, std::move(arrival.packets[0]),
                       arrival.bound, effects);
      has_packet = true;
    } else if (inputs_.Add(arrival.port, arrival.packets, /*may_move=*/true,
                           arrival.bound, /*sizes=*/{}, effects)) {
      has_changed = true;
    }
  }
  if (state_ != NodeState::kOpen) return;
  if (has_packet) return LookAtJoin(effects);
  if (has_changed) Schedule(effects);
}

void Node::DeliverTimed(int port, absl::Span<Packet> packets, bool may_move,
                        Timestamp bound, absl::Span<const PacketTimes> times,
                        Effects* effects) {
  if (!plan_.inputs[port].message_times) {
    return Deliver(port, packets, may_move, bound, effects);
  }
  DeliverByRules(port, packets, may_move, bound, times, effects);
}

void Node::DeliverByRules(int port, absl::Span<Packet> packets, bool may_move,
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
    packets = {};  // only the bound is still to be added
  }
  if (inputs_.Add(port, packets, may_move, bound, sizes, effects)) {
    ScheduleIfOpen(effects);
  }
  if (inputs_.SettleSilent(port, bound, effects)) ScheduleIfOpen(effects);
  if (traits_.has_gate) {
    gate_->NoteArrivals(port, inputs_.queue(port), now_ns, effects);
  }
}

}  // namespace syncline
