#include "framework/node/node.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "framework/base/mutex.h"
#include "framework/base/status_text.h"
#include "framework/calculator/context.h"
#include "framework/calculator/output_stream.h"
#include "framework/node/invocation.h"
#include "framework/node/node_state.h"
#include "framework/node/turn.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/scheduler/task.h"
#include "framework/stream/timestamp_bound.h"
#include "glog/logging.h"

namespace syncline {
namespace {

// Fetches `size` bytes at `start` into the cache, without waiting. Whether they
// exist makes no difference.
void FetchBytes(const void* start, size_t size) {
  constexpr size_t kCacheLine = 64;
  const char* const bytes = static_cast<const char*>(start);
  for (size_t at = 0; at < size; at += kCacheLine) {
    __builtin_prefetch(bytes + at, /*rw=*/1);
  }
}

}  // namespace

Node::Node(const PlanNode& plan, const InputPolicyKind& policy,
           const NodeSettings& settings)
    : is_source_(plan.is_source),
      has_output_side_packets_(!plan.output_side_packets.empty()),
      overlaps_(plan.max_in_flight > 1),
      num_outputs_(static_cast<int>(plan.outputs.size())),
      queues_(plan.inputs.size()),
      outputs_(std::make_unique<OutputState[]>(plan.outputs.size())),
      plan_(plan),
      headers_(plan.inputs.size()) {
  for (int port = 0; port < num_outputs_; ++port) {
    outputs_[port].stream = plan.outputs[port].stream;
  }
  for (size_t port = 0; port < queues_.size(); ++port) {
    queues_[port].SetLimit(settings.limits[port].packets);
    if (policy.ignores_time) queues_[port].IgnoreTime();
  }
  WatchQueues(settings);
  if (settings.times_calls) call_times_ = std::make_unique<CallTimes>();
  is_single_ = queues_.size() == 1 && policy.is_default &&
               !plan.process_timestamp_bounds;
  if (!queues_.empty()) {
    const PolicyPorts ports = {
        .queues = absl::MakeSpan(queues_),
        .layout = &plan.contract->Inputs().layout(),
        .options = plan.input_stream_handler_options,
        .process_timestamp_bounds = plan.process_timestamp_bounds};
    if (policy.is_default) {
      default_policy_.emplace(ports);
    } else {
      policy_ = policy.create(ports);
    }
    const InputPolicy& made =
        policy.is_default ? default_policy_.value() : *policy_;
    sees_every_packet_ = made.SeesEveryPacket();
    drops_packets_ = made.DropsPackets();
    if (drops_packets_) watches_queues_ = true;
    takes_late_ = made.TakesLate();
    batch_size_ = std::max(1, made.BatchSize());
    if (is_single_) default_policy_.reset();
  }
  if (overlaps_) {
    overlapping_ =
        std::make_unique<OverlappingCalls>(plan.max_in_flight, &first_);
  }
  first_.node = this;
  first_.priority = TaskPriority::ForOpen(plan.id);
}

Node::~Node() = default;

void Node::WatchQueues(const NodeSettings& settings) {
  MutexLock lock(&mutex_);
  for (size_t port = 0; port < queues_.size(); ++port) {
    const QueueLimit& limit = settings.limits[port];
    if (!QueueWatch::IsNeeded(limit, settings.queue_warning_size)) continue;
    if (watches_ == nullptr) {
      watches_ = std::make_unique<QueueWatch[]>(queues_.size());
      for (size_t i = 0; i < queues_.size(); ++i) {
        watches_[i] = QueueWatch(settings.limits[i],
                                 settings.queue_warning_size, &queues_[i]);
      }
    }
    if (limit.bytes != InputQueue::kNoLimit) watches_queues_ = true;
  }
}

void Node::FetchAhead(absl::Span<const Node* const> readers) {
  for (size_t i = 0; i < std::min(readers.size(), fetch_ahead_.size()); ++i) {
    fetch_ahead_[i] = readers[i];
  }
}

// --- Before Open

void Node::Start(int missing_side_packets, Turn* turn) {
  MutexLock lock(&mutex_);
  missing_to_open_ += missing_side_packets + 1;
  for (const PlanInput& input : plan_.inputs) {
    if (!input.back_edge) ++missing_to_open_;
  }
  OpenIfComplete(turn);
}

void Node::HeaderArrived(int port, const Packet& header, Turn* turn) {
  MutexLock lock(&mutex_);
  headers_[port] = header;
  if (!plan_.inputs[port].back_edge) OpenIfComplete(turn);
}

void Node::SidePacketArrived(Turn* turn) {
  MutexLock lock(&mutex_);
  OpenIfComplete(turn);
}

// Called for each thing that was missing.
void Node::OpenIfComplete(Turn* turn) {
  if (--missing_to_open_ > 0 || state_ != NodeState::kWaiting) return;
  ChangeState(NodeState::kWaiting, NodeState::kOpening, &state_);
  turn->ready.push_back(first_invocation());
}

// --- What arrives

void Node::Deliver(int port, absl::Span<Packet> packets, bool may_move,
                   Timestamp bound, Turn* turn) {
  MutexLock lock(&mutex_);
  InputQueue& queue = queues_[port];
  if (is_single_ && packets.size() == 1 &&
      queue.CanPass(packets[0].Timestamp()) && state_ == NodeState::kOpen &&
      HasRoomForCall()) {
    return StartWith(may_move ? std::move(packets[0]) : Packet(packets[0]),
                     bound, turn);
  }
  bool changed = false;
  for (Packet& packet : packets) {
    const bool was_empty = queue.empty();
    const Timestamp timestamp = packet.Timestamp();
    const InputQueue::Added added =
        queue.Add(may_move ? std::move(packet) : Packet(packet));
    if (ABSL_PREDICT_FALSE(added != InputQueue::Added::kOk)) {
      if (added == InputQueue::Added::kGoesBack) {
        turn->errors.push_back(GoesBackError(port, timestamp));
      }
      continue;
    }
    if (was_empty || sees_every_packet_) {
      NotePolicyChange(port);
      changed = true;
    }
  }
  if (queue.RaiseBound(bound) && queue.empty()) {
    NotePolicyChange(port);
    changed = true;
  }
  if (ABSL_PREDICT_FALSE(watches_queues_)) {
    NoteWatched(port, turn);
  } else {
    NoteQueue(port, turn);
  }
  if (changed && state_ == NodeState::kOpen) Schedule(turn);
}

void Node::StartWith(Packet packet, Timestamp bound, Turn* turn) {
  InputQueue& queue = queues_[0];
  const Timestamp timestamp = packet.Timestamp();
  queue.Pass(timestamp);
  queue.RaiseBound(bound);
  Invocation* const invocation = first_invocation();
  InputSet& set = invocation->sets[0];
  set.timestamp = timestamp;
  set.context->Inputs().begin()->Fill(std::move(packet), queue.Done());
  invocation->num_sets = 1;
  invocation->kind = Invocation::Kind::kProcess;
  // As HasNewsAfter.
  const Timestamp after = timestamp.NextAllowedInStream();
  const bool has_news =
      queue.bound() > after || after >= Timestamp::OneOverPostStream();
  call_.store(has_news ? CallState::kBusyWithNews : CallState::kBusy,
              std::memory_order_relaxed);
  if (ABSL_PREDICT_FALSE(fetch_ahead_[0] != nullptr)) Fetch();
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
  }
  if (ABSL_PREDICT_FALSE(queue.has_trash())) {
    for (Packet& packet : queue.TakeTrash()) {
      turn->trash.push_back(std::move(packet));
    }
  }
}

void Node::NoteQueues(Turn* turn) {
  const int size = static_cast<int>(queues_.size());
  for (int port = 0; port < size; ++port) {
    if (ABSL_PREDICT_FALSE(watches_ != nullptr)) LookAtQueue(port, turn);
    NoteQueue(port, turn);
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
    const Readiness readiness = Evaluate();
    switch (readiness.state) {
      case Readiness::State::kWait:
        if (fetch_ahead_[0] != nullptr) FetchBytes(input_streams_, 128);
        if (!overlaps_ || overlapping_->in_flight() == 0) {
          PassBound(readiness.timestamp, turn);
        }
        return;
      case Readiness::State::kProcess:
        StartProcess(readiness.timestamp, turn);
        if (batch_ == nullptr && !overlaps_) return;
        break;
      case Readiness::State::kClose:
        if (overlaps_ && overlapping_->in_flight() > 0) return;
        if (batch_ != nullptr) return Dispatch(batch_, turn);
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
  Invocation* invocation = batch_;
  if (invocation == nullptr) {
    invocation = NextInvocation();
    invocation->num_sets = 0;
  }
  InputSet& set = invocation->sets[invocation->num_sets++];
  if (ABSL_PREDICT_FALSE(takes_late_)) {
    set.timestamp = timestamp;
    invocation->takes_late = true;
    return Dispatch(invocation, turn);
  }
  TakeSet(timestamp, &set, turn);
  if (invocation->num_sets < static_cast<int>(invocation->sets.size())) {
    batch_ = invocation;
    return;
  }
  Dispatch(invocation, turn);
}

void Node::Dispatch(Invocation* invocation, Turn* turn) {
  batch_ = nullptr;
  invocation->kind = Invocation::Kind::kProcess;
  if (overlaps_) {
    overlapping_->Begin(invocation);
  } else {
    call_.store(
        HasNewsAfter(*invocation) ? CallState::kBusyWithNews : CallState::kBusy,
        std::memory_order_relaxed);
    if (fetch_ahead_[0] != nullptr) Fetch();
  }
  turn->ready.push_back(invocation);
}

void Node::Fetch() const {
  const CalculatorContext* const context = first_.sets[0].context.get();
  FetchBytes(context, sizeof(*context));
  FetchBytes(calculator_.get(), 1);
  FetchBytes(output_streams_, sizeof(OutputStream));
  FetchBytes(outputs_.get(), 1);
  // Of a reader, all that comes before `first_`: Deliver touches no more.
  const auto size = static_cast<size_t>(reinterpret_cast<const char*>(&first_) -
                                        reinterpret_cast<const char*>(this));
  for (const Node* const reader : fetch_ahead_) {
    if (reader == nullptr) break;
    FetchBytes(reader, size);
  }
}

bool Node::HasNewsAfter(const Invocation& invocation) {
  if (takes_late_ || batch_size_ > 1) return true;
  const Readiness next = Evaluate();
  if (next.state != Readiness::State::kWait) return true;
  // The call itself takes the bound this far; what is beyond is passed on.
  const Timestamp timestamp = invocation.sets[0].timestamp;
  if (!timestamp.IsAllowedInStream()) return true;
  const Timestamp bound = BoundByOffset(timestamp, TimestampDiff(0));
  passed_bound_ = std::max(passed_bound_, bound);
  return has_offset_ && next.timestamp > bound;
}

void Node::TakeSet(Timestamp timestamp, InputSet* set, Turn* turn) {
  InputStreamSet& inputs = set->context->Inputs();
  if (is_single_) {
    TakeSingleInput(&queues_[0], inputs.begin());
    set->timestamp = timestamp;
  } else if (default_policy_.has_value()) {
    set->timestamp = default_policy_->Take(timestamp, &inputs);
  } else {
    set->timestamp = policy_->Take(timestamp, &inputs);
  }
  if (ABSL_PREDICT_FALSE(full_queues_ > 0 || drops_packets_)) {
    NoteQueues(turn);
  }
}

void Node::TakeInputs(Invocation* invocation, Turn* turn) {
  invocation->takes_late = false;
  MutexLock lock(&mutex_);
  TakeSet(invocation->sets[0].timestamp, &invocation->sets[0], turn);
}

void Node::PassBound(Timestamp bound, Turn* turn) {
  if (!has_offset_) return;
  // Nothing goes past what waits in a batch.
  if (batch_ != nullptr) bound = std::min(bound, batch_->sets[0].timestamp);
  if (bound <= passed_bound_) return;
  passed_bound_ = bound;
  for (int port = 0; port < num_outputs_; ++port) {
    OutputState& output = outputs_[port];
    const Timestamp passed = BoundPassedOn(bound, output.offset);
    if (output.closed || passed <= output.bound.load(std::memory_order_relaxed))
      continue;
    output.bound.store(passed, std::memory_order_relaxed);
    turn->bounds.push_back({output.stream, passed});
  }
}

// --- Limits and looking in

NodeState Node::state() const {
  MutexLock lock(&mutex_);
  return state_;
}

NodeSnapshot Node::Snapshot() const {
  NodeSnapshot snapshot;
  MutexLock lock(&mutex_);
  snapshot.state = state_;
  snapshot.missing_to_open = missing_to_open_;
  snapshot.calls_in_flight = CallsInFlight();
  if (call_times_ != nullptr) {
    snapshot.last_start_us = call_times_->last_start_us.load();
    snapshot.last_finish_us = call_times_->last_finish_us.load();
    snapshot.running_calls = call_times_->running.load();
  }
  for (const InputQueue& queue : queues_) {
    snapshot.inputs.push_back(
        {.queue_size = queue.size(),
         .packets_added = queue.added(),
         .packets_dropped = queue.dropped(),
         .limit = queue.limit(),
         .is_full = queue.Full(),
         .bound = queue.bound(),
         .min_timestamp_or_bound = queue.MinTimestampOrBound()});
    if (watches_ == nullptr) continue;
    NodeSnapshot::Input& input = snapshot.inputs.back();
    QueueWatch& watch = watches_[snapshot.inputs.size() - 1];
    input.limit = watch.limit().packets;
    input.byte_limit = watch.limit().bytes;
    if (input.byte_limit != InputQueue::kNoLimit)
      input.bytes = watch.Count(queue);
  }
  for (size_t port = 0; port < plan_.outputs.size(); ++port) {
    snapshot.outputs.push_back(
        {.packets_added =
             outputs_[port].packets_added.load(std::memory_order_relaxed),
         .bound = outputs_[port].bound.load(std::memory_order_relaxed)});
  }
  return snapshot;
}

bool Node::RaiseLimit(int port, int ceiling, Turn* turn) {
  MutexLock lock(&mutex_);
  InputQueue& queue = queues_[port];
  if (!queue.Full()) return true;
  if (watches_ != nullptr) {
    if (!watches_[port].Raise(ceiling, &queue)) return false;
  } else if (queue.size() >= ceiling) {
    return false;
  } else {
    queue.SetLimit(static_cast<int>(queue.size()) + 1);
  }
  NoteQueue(port, turn);
  return true;
}

void Node::Destroy() {
  std::vector<Packet> dropped;
  {
    MutexLock lock(&mutex_);
    if (overlaps_) overlapping_->Clear();
    policy_.reset();
    default_policy_.reset();
    for (InputQueue& queue : queues_) {
      queue.Close();
      for (Packet& packet : queue.TakeTrash()) {
        dropped.push_back(std::move(packet));
      }
    }
    for (Packet& header : headers_) dropped.push_back(std::move(header));
  }
  calculator_.reset();
  first_.sets.clear();
  environment_.reset();
}

}  // namespace syncline
