// Functions of NodeInputs about the limits of its queues: which packet a full
// queue drops if it does not hold its sources back; what the run is told about
// queues; how many packets and bytes wait in them.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "absl/base/optimization.h"
#include "absl/types/optional.h"
#include "framework/config/calculator.pb.h"
#include "framework/node/effects.h"
#include "framework/node/input_features.h"
#include "framework/node/node_inputs.h"
#include "framework/node/node_snapshot.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/input_policy.h"
#include "framework/stream/drop_cause.h"
#include "framework/stream/input_queue.h"
#include "framework/stream/queue_limits.h"
#include "framework/trace/trace_event.h"
#include "framework/trace/trace_lane.h"

namespace syncline {

// --- What a full queue that never waits drops

bool NodeInputs::MakeRoom(int port, Timestamp timestamp, Effects* effects) {
  InputQueue& queue = queues_[port];
  InputFeatures::BoundedQueue& bounded = features_->bounded_queues[port];
  // A packet that the queue will refuse needs no room.
  if (queue.size() < bounded.capacity || !queue.Accepts(timestamp)) return true;
  if (bounded.policy == InputStreamInfo::POP) {
    queue.DropFront(DropCause::kQueueFull);
    NotePolicyChange(port);
    return true;
  }
  queue.NoteDropped(DropCause::kQueueFull);
  TraceDrop(port, timestamp, DropCause::kQueueFull, effects->trace);
  if (bounded.policy == InputStreamInfo::FAULT &&
      !std::exchange(bounded.has_failed, true)) {
    effects->errors.push_back(QueueFullError(port, timestamp));
  }
  return false;
}

// --- What others are told

void NodeInputs::LookAtQueue(int port, Effects* effects) {
  const std::int64_t size = watches_[port].Look(&queues_[port]);
  if (watches_[port].TakeByteGrowth(queues_[port])) NoteLong(port, effects);
  if (size == 0) return;
  effects->queue_facts.push_back({.stream = plan_->inputs[port].stream,
                                  .change = 0,
                                  .node = plan_->id,
                                  .size = size});
}

void NodeInputs::NoteWatched(int port, Effects* effects) {
  if (traits_.drops_packets) return NoteQueues(effects);
  LookAtQueue(port, effects);
  NoteQueue(port, effects);
}

void NodeInputs::NoteFacts(int port, Effects* effects) {
  InputQueue& queue = queues_[port];
  if (ABSL_PREDICT_FALSE(watches_ != nullptr)) LookAtQueue(port, effects);
  const int change = queue.TakeFullChange();
  if (ABSL_PREDICT_FALSE(change != 0)) {
    full_queues_ += change;
    effects->queue_facts.push_back({.stream = plan_->inputs[port].stream,
                                    .change = change,
                                    .node = plan_->id});
    constexpr std::int64_t kSeldom = 1024;
    if (!queue.Full()) {
      queue.ForgetGrowth();
    } else if (queue.added() % kSeldom == 0) {
      // Packets may become larger in the course of a run.
      queue.ForgetLooks();
    }
  }
  if (queue.TakeLook(QueueMarks::kLong)) {
    NoteLong(port, effects);
    effects->queue_facts.back().is_short = true;
  }
  NoteLength(port, effects);
  if (ABSL_PREDICT_FALSE(queue.has_trash())) {
    MoveTrash(port, &effects->trash, effects->trace);
  }
}

void NodeInputs::MoveTrash(int port, std::vector<Packet>* trash,
                           TraceLane* lane) {
  if (ABSL_PREDICT_FALSE(lane != nullptr)) {
    for (const InputQueue::DropNote& note : queues_[port].drop_notes()) {
      TraceDrop(port, note.timestamp, note.cause, lane);
    }
  }
  queues_[port].MoveTrashTo(trash);
}

void NodeInputs::TraceDrop(int port, Timestamp timestamp, DropCause cause,
                           TraceLane* lane) const {
  if (ABSL_PREDICT_TRUE(lane == nullptr)) return;
  // Without a look at the clock, which may be anybody's: the node's lock is
  // held.
  lane->Note(TraceKind::kDropped, plan_->inputs[port].stream, timestamp.Value(),
             static_cast<std::uint32_t>(plan_->id) |
                 static_cast<std::uint32_t>(cause) << TraceEvent::kIdBits);
}

void NodeInputs::NoteLength(int port, Effects* effects) {
  InputQueue& queue = queues_[port];
  const std::int64_t size = queue.size();
  if (error_size_ > 0 && size >= error_size_) {
    return NoteLong(port, effects);
  }
  const int limit = Limit(port);
  // A queue within its limit will hold sources back in time.
  if (limit != InputQueue::kNoLimit && size <= limit) return;
  const bool is_marked = warning_size_ > 0 && size >= warning_size_;
  const bool is_long = size >= QueueMarks::kLong && size / 2 >= limit;
  if ((is_marked || is_long) && queue.TakeGrowth()) NoteLong(port, effects);
}

void NodeInputs::NoteLong(int port, Effects* effects) {
  effects->queue_facts.push_back({.stream = plan_->inputs[port].stream,
                                  .change = 0,
                                  .node = plan_->id,
                                  .size = queues_[port].size(),
                                  .long_port = port});
}

void NodeInputs::NoteQueues(Effects* effects) {
  for (int port = 0; port < size(); ++port) {
    if (ABSL_PREDICT_FALSE(watches_ != nullptr)) LookAtQueue(port, effects);
    NoteQueue(port, effects);
  }
  if (traits_.drops_packets) NoteMatches(effects);
}

void NodeInputs::NoteMatches(Effects* effects) {
  for (absl::optional<MatchReport> report = policy_->TakeReport();
       report.has_value(); report = policy_->TakeReport()) {
    effects->queue_facts.push_back(
        {.stream = plan_->inputs[report->port].stream,
         .change = 0,
         .node = plan_->id,
         .size = report->total,
         .matched = report->matched});
  }
}

void NodeInputs::NoteRooms(Effects* effects) {
  for (int port = 0; port < size(); ++port) {
    if (features_->watched_rooms[port] == 0) continue;
    effects->gate_facts.push_back({.kind = Effects::GateFact::Kind::kRoom,
                                   .stream = plan_->inputs[port].stream});
  }
}

// --- Limits

std::int64_t NodeInputs::Room(int port) const {
  const InputQueue& queue = queues_[port];
  if (IsBounded(port)) {
    return std::max<std::int64_t>(
        0, features_->bounded_queues[port].capacity - queue.size());
  }
  if (Limit(port) == InputQueue::kNoLimit) {
    return std::numeric_limits<std::int64_t>::max();
  }
  return std::max<std::int64_t>(0, queue.limit() - queue.size());
}

bool NodeInputs::RaiseLimit(int port, int ceiling, Effects* effects) {
  InputQueue& queue = queues_[port];
  if (!queue.Full()) return true;
  if (watches_ != nullptr) {
    if (!watches_[port].Raise(ceiling, &queue)) return false;
  } else if (queue.size() >= ceiling) {
    return false;
  } else {
    queue.SetLimit(static_cast<int>(queue.size()) + 1);
  }
  NoteQueue(port, effects);
  return true;
}

bool NodeInputs::RaiseRoom(int port, std::int64_t room, int ceiling,
                           Effects* effects) {
  InputQueue& queue = queues_[port];
  const std::int64_t wanted = queue.size() + room;
  if (IsBounded(port) || queue.Full() || queue.limit() >= wanted ||
      wanted > ceiling) {
    return false;
  }
  if (watches_ != nullptr) {
    if (!watches_[port].RaisePackets(static_cast<int>(wanted), &queue)) {
      return false;
    }
  } else {
    queue.SetLimit(static_cast<int>(wanted));
  }
  effects->gate_facts.push_back({.kind = Effects::GateFact::Kind::kRoom,
                                 .stream = plan_->inputs[port].stream});
  return true;
}

// --- Looking in

bool NodeInputs::HasPackets() const {
  return std::any_of(queues_.begin(), queues_.end(),
                     [](const InputQueue& queue) { return !queue.empty(); });
}

QueueUse NodeInputs::Measure(int port, std::vector<Packet>* uncounted) const {
  const InputQueue& queue = queues_[port];
  QueueUse use = {.packets = queue.size()};
  if (watches_ != nullptr && watches_[port].counts_bytes()) {
    use.bytes = watches_[port].Count(queue);
    return use;
  }
  uncounted->reserve(static_cast<size_t>(queue.size()));
  for (std::int64_t i = 0; i < queue.size(); ++i) {
    uncounted->push_back(queue.at(i));
  }
  return use;
}

std::vector<NodeSnapshot::Input> NodeInputs::Snapshot() const {
  std::vector<NodeSnapshot::Input> inputs;
  for (int port = 0; port < size(); ++port) {
    const InputQueue& queue = queues_[port];
    NodeSnapshot::Input& input = inputs.emplace_back();
    input = {.queue_size = queue.size(),
             .packets_added = queue.added(),
             .drops = queue.drops(),
             .limit = queue.limit(),
             .is_full = queue.Full(),
             .bound = queue.bound(),
             .min_timestamp_or_bound = queue.MinTimestampOrBound()};
    if (IsBounded(port)) {
      // The watch of a bounded queue is only for its length.
      input.limit = features_->bounded_queues[port].capacity;
      input.is_full = false;
      continue;
    }
    if (watches_ == nullptr) continue;
    QueueWatch& watch = watches_[port];
    input.limit = watch.limit().packets;
    input.byte_limit = watch.limit().bytes;
    if (input.byte_limit != InputQueue::kNoLimit) {
      input.bytes = watch.Count(queue);
    }
  }
  return inputs;
}

}  // namespace syncline
