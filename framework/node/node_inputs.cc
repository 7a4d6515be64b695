// What arrives at a node, and the calls that become ready by it.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/base/optimization.h"
#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "framework/base/mutex.h"
#include "framework/base/status_text.h"
#include "framework/calculator/context.h"
#include "framework/calculator/input_stream.h"
#include "framework/calculator/packet_times.h"
#include "framework/node/invocation.h"
#include "framework/node/node.h"
#include "framework/node/node_state.h"
#include "framework/node/overlapping_calls.h"
#include "framework/node/turn.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/input_policy.h"
#include "framework/policy/single_input.h"
#include "framework/policy/sync_set.h"
#include "framework/stream/drop_cause.h"
#include "framework/stream/idle_after.h"
#include "framework/stream/input_queue.h"
#include "framework/stream/queue_watch.h"
#include "framework/stream/timestamp_bound.h"

namespace syncline {

// --- What arrives

void Node::Deliver(int port, absl::Span<Packet> packets, bool may_move,
                   Timestamp bound, Turn* turn) {
  if (ABSL_PREDICT_FALSE(delivers_unusually_)) {
    return DeliverUnusual(port, packets, may_move, bound, /*times=*/{}, turn);
  }
  MutexLock lock(&mutex_);
  InputQueue& queue = queues_.data()[port];
  if (rule_ == InputRule::kOneInput && packets.size() == 1 &&
      queue.CanPass(packets[0].Timestamp()) && state_ == NodeState::kOpen &&
      HasRoomForCall()) {
    if (may_move) return StartWith(std::move(packets[0]), bound, turn);
    return StartWith(Packet(packets[0]), bound, turn);
  }
  if (rule_ == InputRule::kAllInputs && packets.size() == 1 &&
      queue.CanPass(packets[0].Timestamp())) {
    if (may_move) return AddToJoin(port, std::move(packets[0]), bound, turn);
    return AddToJoin(port, Packet(packets[0]), bound, turn);
  }
  AddToQueue(port, packets, may_move, bound, /*sizes=*/{}, turn);
}

void Node::DeliverTimed(int port, absl::Span<Packet> packets, bool may_move,
                        Timestamp bound, absl::Span<const PacketTimes> times,
                        Turn* turn) {
  if (!plan_.inputs[port].message_times) {
    return Deliver(port, packets, may_move, bound, turn);
  }
  DeliverUnusual(port, packets, may_move, bound, times, turn);
}

void Node::DeliverUnusual(int port, absl::Span<Packet> packets, bool may_move,
                          Timestamp bound, absl::Span<const PacketTimes> times,
                          Turn* turn) {
  const std::int64_t now_ns = has_gate_ ? ArrivalTime() : 0;
  absl::InlinedVector<std::int64_t, 4> sizes;
  // Without the lock: this may run code of the user's.
  if (counts_bytes_) {
    for (const Packet& packet : packets) sizes.push_back(CountedBytes(packet));
  }
  MutexLock lock(&mutex_);
  if (IsBounded(port) || IsTimed(port)) {
    AddOneByOne(port, packets, may_move, bound, sizes, times, turn);
  } else {
    AddToQueue(port, packets, may_move, bound, sizes, turn);
  }
  SettleIdle(port, bound, turn);
  if (!has_gate_) return;
  NoteArrivals(port, now_ns);
  if (gate_->state != GateState::kIdle) Ask(turn);
}

void Node::SettleIdle(int port, Timestamp bound, Turn* turn) {
  if (unusual_ == nullptr) return;
  bool changed = false;
  for (UnusualInputs::IdleStream& idle : unusual_->idle_streams) {
    if (idle.after_port != port) continue;
    const Timestamp settled = IdleBound(bound, idle.gap);
    InputQueue& queue = queues_[idle.port];
    if (settled == Timestamp::Unset() || !queue.RaiseBound(settled)) continue;
    idle.settled = settled;
    if (!queue.empty() && !sees_every_bound_) continue;
    NotePolicyChange(idle.port);
    changed = true;
  }
  if (!changed) return;
  if (drops_packets_) NoteQueues(turn);
  if (state_ == NodeState::kOpen) Schedule(turn);
}

bool Node::SettleIdleAtEnd(Turn* turn) {
  MutexLock lock(&mutex_);
  if (unusual_ == nullptr || state_ != NodeState::kOpen) return false;
  Timestamp earliest = Timestamp::Done();
  for (const InputQueue& queue : queues_) {
    if (!queue.empty())
      earliest = std::min(earliest, queue.front().Timestamp());
  }
  if (earliest == Timestamp::Done()) return false;
  // Only so far: what the next call makes may yet be in time for the one after.
  const Timestamp settled = earliest.NextAllowedInStream();
  bool changed = false;
  for (UnusualInputs::IdleStream& idle : unusual_->idle_streams) {
    InputQueue& queue = queues_[idle.port];
    if (!queue.empty() || !queue.RaiseBound(settled)) continue;
    idle.settled = settled;
    NotePolicyChange(idle.port);
    changed = true;
  }
  if (changed) Schedule(turn);
  return changed;
}

void Node::NoteRefused(int port, Timestamp timestamp, Turn* turn) {
  const bool is_late =
      (gate_ != nullptr && gate_->timeout != nullptr &&
       gate_->timeout->IsLate(port, timestamp)) ||
      (unusual_ != nullptr && unusual_->IsLate(port, timestamp));
  queues_[port].NoteDropped(is_late ? DropCause::kLate : DropCause::kGoesBack);
  if (!is_late) turn->errors.push_back(GoesBackError(port, timestamp));
}

void Node::AddOneByOne(int port, absl::Span<Packet> packets, bool may_move,
                       Timestamp bound, absl::Span<const std::int64_t> sizes,
                       absl::Span<const PacketTimes> times, Turn* turn) {
  // One after the other, as if each came alone: the first of them may start a
  // call, and then waits no more.
  for (size_t i = 0; i < packets.size(); ++i) {
    const Timestamp timestamp = packets[i].Timestamp();
    if (!IsBounded(port) || MakeRoom(port, timestamp, turn)) {
      if (!times.empty()) unusual_->timed_queues[port].arriving = times[i];
      AddToQueue(port, packets.subspan(i, 1), may_move, Timestamp::Unset(),
                 sizes.empty() ? sizes : sizes.subspan(i, 1), turn);
      if (!times.empty()) {
        unusual_->timed_queues[port].notes.NoteAdded(queues_[port], times[i]);
      }
    } else if (!queues_[port].ignores_time()) {
      // As if it had come: others need not wait for it.
      AddToQueue(port, {}, may_move, timestamp.NextAllowedInStream(), {}, turn);
    }
    // What was dropped may have been all that others had to wait for.
    if (state_ == NodeState::kOpen) Schedule(turn);
  }
  AddToQueue(port, {}, may_move, bound, {}, turn);
}

bool Node::MakeRoom(int port, Timestamp timestamp, Turn* turn) {
  InputQueue& queue = queues_[port];
  UnusualInputs::BoundedQueue& bounded = unusual_->bounded_queues[port];
  // What will not be queued takes no room.
  if (queue.size() < bounded.capacity || !queue.Accepts(timestamp)) return true;
  if (bounded.policy == InputStreamInfo::POP) {
    queue.DropFront(DropCause::kQueueFull);
    NotePolicyChange(port);
    return true;
  }
  queue.NoteDropped(DropCause::kQueueFull);
  if (bounded.policy == InputStreamInfo::FAULT &&
      !std::exchange(bounded.has_failed, true)) {
    turn->errors.push_back(QueueFullError(port, timestamp));
  }
  return false;
}

absl::Status Node::QueueFullError(int port, Timestamp received) const {
  return absl::ResourceExhaustedError(absl::StrCat(
      "The input queue of stream \"",
      plan_.contract->Inputs().layout().Names()[port], "\" at node ",
      NodeText(*plan_.contract), " has no room for the packet at ",
      received.DebugString(),
      ": its max_queue_size: ", unusual_->bounded_queues[port].capacity,
      " is used up, from ", queues_[port].front().Timestamp().DebugString(),
      " on. With queue_policy: FAULT that ends the run; POP or REJECT would "
      "drop a packet instead, and BLOCK would make sources wait."));
}

void Node::AddToQueue(int port, absl::Span<Packet> packets, bool may_move,
                      Timestamp bound, absl::Span<const std::int64_t> sizes,
                      Turn* turn) {
  InputQueue& queue = queues_[port];
  bool changed = false;
  for (size_t i = 0; i < packets.size(); ++i) {
    Packet& packet = packets[i];
    const bool was_empty = queue.empty();
    const Timestamp timestamp = packet.Timestamp();
    // No value goes here, as it may run any code then: what nobody takes, also
    // for want of memory, is still the sender's.
    Packet copy;
    if (!may_move) copy = packet;
    Packet& given = may_move ? packet : copy;
    const InputQueue::Added added = queue.Add(std::move(given));
    if (ABSL_PREDICT_FALSE(added != InputQueue::Added::kOk)) {
      turn->trash.push_back(std::move(given));
      if (added == InputQueue::Added::kGoesBack) {
        NoteRefused(port, timestamp, turn);
      }
      continue;
    }
    if (ABSL_PREDICT_FALSE(!sizes.empty()) && watches_[port].counts_bytes()) {
      watches_[port].NoteAdded(sizes[i]);
    }
    if (was_empty || sees_every_packet_) {
      NotePolicyChange(port);
      changed = true;
    }
  }
  if (queue.RaiseBound(bound) && (queue.empty() || sees_every_bound_)) {
    NotePolicyChange(port);
    changed = true;
  }
  if (ABSL_PREDICT_FALSE(drops_packets_ || counts_bytes_)) {
    NoteWatched(port, turn);
  } else {
    NoteQueue(port, turn);
  }
  if (changed && state_ == NodeState::kOpen) Schedule(turn);
}

void Node::AddToJoin(int port, Packet&& packet, Timestamp bound, Turn* turn) {
  InputQueue& queue = queues_.data()[port];
  const Timestamp timestamp = packet.Timestamp();
  queue.AddFirst(std::move(packet), timestamp);
  queue.RaiseBound(bound);
  all_inputs_.OnFirstPacket(port, timestamp);
  NoteQueue(port, turn);
  if (state_ == NodeState::kOpen) Schedule(turn);
}

void Node::StartWith(Packet&& packet, Timestamp bound, Turn* turn) {
  InputQueue& queue = queues_.data()[0];
  const Timestamp timestamp = packet.Timestamp();
  queue.Pass(timestamp);
  const Timestamp after = queue.bound();
  queue.RaiseBound(bound);
  Invocation* const invocation = first_invocation();
  InputSet& set = *invocation->sets.data();
  set.timestamp = timestamp;
  set.context->Inputs().begin()->Fill(std::move(packet), queue.Done());
  invocation->num_sets = 1;
  invocation->kind = Invocation::Kind::kProcess;
  // As HasNewsAfter.
  const bool has_news =
      queue.bound() > after || after >= Timestamp::OneOverPostStream();
  call_.store(has_news ? CallState::kBusyWithNews : CallState::kBusy,
              std::memory_order_relaxed);
  if (ABSL_PREDICT_FALSE(fetches_ahead_)) {
    // There was no wait in which to fetch it.
    FetchCall();
    row_.FetchReaders();
  }
  turn->ready.push_back(invocation);
}

absl::Status Node::GoesBackError(int port, Timestamp received) const {
  return absl::InvalidArgumentError(absl::StrCat(
      "Packet timestamp mismatch on a calculator receiving from stream \"",
      plan_.contract->Inputs().layout().Names()[port], "\": node ",
      NodeText(*plan_.contract),
      " is past that time already. Current minimum expected timestamp is ",
      queues_[port].bound().DebugString(), " but received ",
      received.DebugString(),
      ". If packets at one timestamp need not meet, "
      "ImmediateInputStreamHandler takes each as it comes."));
}

void Node::LookAtQueue(int port, Turn* turn) {
  const std::int64_t size = watches_[port].Look(&queues_[port]);
  if (watches_[port].TakeByteGrowth(queues_[port])) NoteLong(port, turn);
  if (size == 0) return;
  turn->full_edges.push_back({.stream = plan_.inputs[port].stream,
                              .change = 0,
                              .is_node = true,
                              .node = plan_.id,
                              .size = size});
}

void Node::NoteWatched(int port, Turn* turn) {
  if (drops_packets_) return NoteQueues(turn);
  LookAtQueue(port, turn);
  NoteQueue(port, turn);
}

void Node::NoteFacts(int port, Turn* turn) {
  InputQueue& queue = queues_[port];
  if (ABSL_PREDICT_FALSE(watches_ != nullptr)) LookAtQueue(port, turn);
  const int edge = queue.TakeFullEdge();
  if (ABSL_PREDICT_FALSE(edge != 0)) {
    full_queues_ += edge;
    turn->full_edges.push_back({plan_.inputs[port].stream, edge, true});
    if (edge < 0) queue.ForgetGrowth();
    // Packets may become larger in the course of a run.
    constexpr std::int64_t kSeldom = 1024;
    if (edge > 0 && queue.added() % kSeldom == 0) queue.ForgetLooks();
  }
  if (queue.TakeLook(QueueMarks::kLong)) {
    NoteLong(port, turn);
    turn->full_edges.back().is_short = true;
  }
  NoteLength(port, turn);
  queue.MoveTrashTo(&turn->trash);
}

void Node::NoteLength(int port, Turn* turn) {
  InputQueue& queue = queues_[port];
  const std::int64_t size = queue.size();
  if (marks_.error_size > 0 && size >= marks_.error_size) {
    return NoteLong(port, turn);
  }
  const int limit =
      watches_ == nullptr ? queue.limit() : watches_[port].limit().packets;
  // What is within its limit holds its sources back.
  if (limit != InputQueue::kNoLimit && size <= limit) return;
  const bool is_marked = marks_.warning_size > 0 && size >= marks_.warning_size;
  const bool is_long = size >= QueueMarks::kLong && size / 2 >= limit;
  if ((is_marked || is_long) && queue.TakeGrowth()) NoteLong(port, turn);
}

void Node::NoteLong(int port, Turn* turn) {
  turn->full_edges.push_back({.stream = plan_.inputs[port].stream,
                              .change = 0,
                              .is_node = true,
                              .node = plan_.id,
                              .size = queues_[port].size(),
                              .long_port = port});
}

void Node::NoteQueues(Turn* turn) {
  const int size = static_cast<int>(queues_.size());
  for (int port = 0; port < size; ++port) {
    if (ABSL_PREDICT_FALSE(watches_ != nullptr)) LookAtQueue(port, turn);
    NoteQueue(port, turn);
  }
  if (drops_packets_) NoteMatches(turn);
}

void Node::NoteMatches(Turn* turn) {
  for (absl::optional<MatchReport> report = policy_->TakeReport();
       report.has_value(); report = policy_->TakeReport()) {
    turn->full_edges.push_back({.stream = plan_.inputs[report->port].stream,
                                .change = 0,
                                .is_node = true,
                                .node = plan_.id,
                                .size = report->total,
                                .matched = report->matched});
  }
}

// --- Readiness

bool Node::NoteNewsWhileBusy() {
  if (overlaps_) return overlapping_->IsFull();
  CallState seen = call_.load(std::memory_order_acquire);
  // If this fails, Finish came first.
  while (seen == CallState::kBusy &&
         !call_.compare_exchange_weak(seen, CallState::kBusyWithNews,
                                      std::memory_order_acquire)) {
  }
  return seen != CallState::kIdle;
}

int Node::CallsInFlight() const {
  if (overlaps_) return overlapping_->in_flight();
  return call_.load(std::memory_order_relaxed) == CallState::kIdle ? 0 : 1;
}

void Node::Schedule(Turn* turn) {
  while (!NoteNewsWhileBusy()) {
    Readiness readiness = Evaluate();
    if (ABSL_PREDICT_FALSE(has_gate_) && IsHeldAtGate(&readiness, turn)) return;
    switch (readiness.state) {
      case Readiness::State::kWait:
        // The rest of the input set is not far, usually.
        if (fetches_ahead_) FetchCall();
        if (!overlaps_ || overlapping_->in_flight() == 0) {
          PassBound(readiness.timestamp, turn);
        }
        return;
      case Readiness::State::kProcess:
        StartProcess(readiness.timestamp, turn);
        if (batch_size_ == 1 && !overlaps_) return;
        break;
      case Readiness::State::kClose:
        if (overlaps_ && overlapping_->in_flight() > 0) return;
        if (batch_ != nullptr) {
          return Dispatch(std::exchange(batch_, nullptr), turn);
        }
        NotePolicyError(turn);
        ChangeState(NodeState::kOpen, NodeState::kClosing, &state_);
        turn->ready.push_back(PrepareClose());
        return;
    }
  }
}

Invocation* Node::PrepareClose() {
  Invocation* const invocation = first_invocation();
  invocation->kind = Invocation::Kind::kClose;
  invocation->num_sets = 1;
  return invocation;
}

void Node::NotePolicyError(Turn* turn) {
  if (policy_ == nullptr) return;
  const absl::Status status = policy_->status();
  if (ABSL_PREDICT_TRUE(status.ok())) return;
  turn->errors.push_back(
      PrefixStatus(absl::StrCat("Input stream handler of node ",
                                NodeText(*plan_.contract), ": "),
                   status));
}

void Node::StartProcess(Timestamp timestamp, Turn* turn) {
  if (ABSL_PREDICT_FALSE(batch_size_ > 1 && !takes_late_))
    return AddToBatch(timestamp, turn);
  Invocation* const invocation = NextInvocation();
  InputSet& set = invocation->sets[0];
  invocation->num_sets = 1;
  if (ABSL_PREDICT_FALSE(takes_late_)) {
    set.timestamp = timestamp;
    invocation->takes_late = true;
    if (gate_ != nullptr) gate_->late.reset();
  } else {
    TakeSet(timestamp, &set, turn);
  }
  Dispatch(invocation, turn);
}

void Node::AddToBatch(Timestamp timestamp, Turn* turn) {
  if (batch_ == nullptr) {
    batch_ = NextInvocation();
    batch_->num_sets = 0;
    if (has_gate_ && batches_calls_ && plan_.max_batch_delay_ns > 0) {
      turn->gate_facts.push_back({Turn::GateFact::Kind::kBatchBegun, this});
    }
  }
  TakeSet(timestamp, &batch_->sets[batch_->num_sets++], turn);
  if (batch_->num_sets < static_cast<int>(batch_->sets.size())) return;
  // The gate comes first.
  if (has_gate_ && batches_calls_) return;
  Dispatch(std::exchange(batch_, nullptr), turn);
}

void Node::Dispatch(Invocation* invocation, Turn* turn) {
  invocation->kind = Invocation::Kind::kProcess;
  if (overlaps_) {
    overlapping_->Begin(invocation);
  } else {
    call_.store(
        HasNewsAfter(*invocation) ? CallState::kBusyWithNews : CallState::kBusy,
        std::memory_order_relaxed);
    if (fetches_ahead_) row_.FetchReaders();
  }
  turn->ready.push_back(invocation);
}

bool Node::HasNewsAfter(const Invocation& invocation) {
  if (takes_late_ || batch_size_ > 1 || has_gate_) return true;
  const Readiness next = Evaluate();
  if (next.state != Readiness::State::kWait) return true;
  // The call itself takes the bound this far; what is beyond is passed on.
  const Timestamp timestamp = invocation.sets[0].timestamp;
  if (!timestamp.IsAllowedInStream()) return true;
  const Timestamp bound = BoundByOffset(timestamp, TimestampDiff(0));
  passed_bound_ = std::max(passed_bound_, bound);
  return outputs_.has_offset() && next.timestamp > bound;
}

void Node::TakeSet(Timestamp timestamp, InputSet* set, Turn* turn) {
  InputStreamSet& inputs = set->context->Inputs();
  set->timestamp = timestamp;
  switch (rule_) {
    case InputRule::kOneInput:
      TakeSingleInput(&queues_[0], inputs.begin());
      break;
    case InputRule::kAllInputs:
      all_inputs_.Take(timestamp, &inputs);
      break;
    case InputRule::kPolicy:
      set->timestamp = policy_->Take(timestamp, &inputs);
  }
  if (ABSL_PREDICT_FALSE(shows_times_)) ShowTimes(&inputs);
  if (ABSL_PREDICT_FALSE(full_queues_ > 0 || drops_packets_)) {
    NoteQueues(turn);
  }
  if (ABSL_PREDICT_FALSE(watches_rooms_)) NoteRooms(turn);
}

void Node::ShowTimes(InputStreamSet* inputs) {
  std::vector<UnusualInputs::TimedQueue>& timed_queues = unusual_->timed_queues;
  for (size_t port = 0; port < timed_queues.size(); ++port) {
    UnusualInputs::TimedQueue& timed = timed_queues[port];
    if (!timed.is_timed) continue;
    const InputQueue& queue = queues_[port];
    InputStream& input = inputs->begin()[port];
    if (input.IsEmpty()) {
      input.SetMessageTimes(PacketTimes());
      continue;
    }
    timed.notes.NoteAdded(queue, timed.arriving);
    // What is shown left the queue last.
    input.SetMessageTimes(timed.notes.OfLastGone(queue));
  }
}

void Node::TakeInputs(Invocation* invocation, Turn* turn) {
  invocation->takes_late = false;
  MutexLock lock(&mutex_);
  TakeSet(invocation->sets[0].timestamp, &invocation->sets[0], turn);
}

void Node::PassBound(Timestamp bound, Turn* turn) {
  if (!outputs_.has_offset()) return;
  // Nothing goes past what waits in a batch.
  if (batch_ != nullptr) bound = std::min(bound, batch_->sets[0].timestamp);
  if (bound <= passed_bound_) return;
  passed_bound_ = bound;
  outputs_.PassBound(bound, [&](int stream, Timestamp passed) {
    turn->bounds.push_back({stream, passed});
  });
}

}  // namespace syncline
