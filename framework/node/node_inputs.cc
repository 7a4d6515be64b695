#include "framework/node/node_inputs.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <utility>
#include <vector>

#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "framework/base/cache_lines.h"
#include "framework/base/status_text.h"
#include "framework/calculator/input_stream.h"
#include "framework/calculator/packet_times.h"
#include "framework/config/calculator.pb.h"
#include "framework/node/effects.h"
#include "framework/node/input_features.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/policy/default_policy.h"
#include "framework/policy/input_policy.h"
#include "framework/policy/timeout_policy.h"
#include "framework/stream/bound_after_call.h"
#include "framework/stream/drop_cause.h"
#include "framework/stream/idle_after.h"
#include "framework/stream/input_queue.h"
#include "framework/stream/queue_limits.h"

namespace syncline {

// --- Before the run

NodeInputs::~NodeInputs() {
  policy_.reset();
  std::destroy_n(queues_.data(), queues_.size());
}

void NodeInputs::Place(const PlanNode& plan, const InputPolicyKind& policy,
                       absl::Span<const QueueLimit> limits,
                       const QueueMarks& marks,
                       std::pmr::memory_resource* memory) {
  plan_ = &plan;
  const size_t size = plan.inputs.size();
  queues_ = {PlaceArray<InputQueue>(size, memory), size};
  for (size_t port = 0; port < size; ++port) {
    queues_[port].SetLimit(limits[port].packets);
    if (policy.ignores_time) queues_[port].IgnoreTime();
  }
  WatchQueues(limits, marks);
  for (size_t port = 0; port < size; ++port) {
    FindFeatures(static_cast<int>(port));
  }
  if (size > 0) SetRule(policy);
}

void NodeInputs::SetRule(const InputPolicyKind& policy) {
  if (policy.is_default) {
    rule_ = queues_.size() == 1 && !plan_->bounds.are_processed
                ? Rule::kOneInput
                : Rule::kAllInputs;
    all_inputs_ = InputSetReadiness(queues_, plan_->bounds.are_processed);
    return;
  }
  policy_ =
      policy.create({.queues = queues_,
                     .layout = &plan_->contract->Inputs().layout(),
                     .options = plan_->handlers.input_options,
                     .process_timestamp_bounds = plan_->bounds.are_processed});
  traits_.sees_every_packet = policy_->SeesEveryPacket();
  traits_.sees_every_bound = policy_->SeesEveryBound();
  traits_.drops_packets = policy_->DropsPackets();
  traits_.takes_when_call_starts = policy_->TakesWhenCallStarts();
}

void NodeInputs::WatchQueues(absl::Span<const QueueLimit> limits,
                             const QueueMarks& marks) {
  warning_size_ = marks.warning_size;
  error_size_ = marks.error_size;
  for (size_t port = 0; port < queues_.size(); ++port) {
    if (!QueueWatch::IsNeeded(limits[port], marks)) continue;
    if (watches_ == nullptr) {
      watches_ = std::make_unique<QueueWatch[]>(queues_.size());
      for (size_t i = 0; i < queues_.size(); ++i) {
        watches_[i] = QueueWatch(limits[i], marks, &queues_[i]);
      }
    }
    if (watches_[port].counts_bytes()) traits_.counts_bytes = true;
  }
}

InputFeatures& NodeInputs::Features() {
  if (features_ == nullptr) features_ = std::make_unique<InputFeatures>();
  return *features_;
}

void NodeInputs::FindFeatures(int port) {
  const PlanInput& input = plan_->inputs[port];
  if (input.idle_after_port >= 0) {
    traits_.has_arrival_rules = true;
    Features().silent_streams.push_back({.port = port,
                                         .after_port = input.idle_after_port,
                                         .gap = input.idle_gap});
  }
  if (input.queue_policy != InputStreamInfo::BLOCK) {
    traits_.has_arrival_rules = true;
    Features().bounded_queues.resize(queues_.size());
    features_->bounded_queues[port].capacity = input.max_queue_size;
    features_->bounded_queues[port].policy = input.queue_policy;
  }
  if (input.message_times) {
    traits_.has_arrival_rules = true;
    traits_.shows_times = true;
    Features().timed_queues.resize(queues_.size());
    features_->timed_queues[port].is_timed = true;
  }
}

void NodeInputs::RememberReadiness() {
  if (!traits_.takes_when_call_starts) return;
  traits_.remembers_readiness = true;
  Features();
}

void NodeInputs::WatchRoom(int port) {
  Features().watched_rooms.resize(queues_.size());
  features_->watched_rooms[port] = 1;
  traits_.watches_rooms = true;
}

int NodeInputs::BatchSize() const {
  if (policy_ != nullptr) return std::max(1, policy_->BatchSize());
  return queues_.empty() ? 1 : DefaultBatchSize(*plan_->handlers.input_options);
}

bool NodeInputs::HasOneOrder() const {
  return policy_ == nullptr || policy_->HasOneOrder();
}

TimeoutPolicy* NodeInputs::timeout() const {
  return policy_ == nullptr ? nullptr : policy_->AsTimeoutPolicy();
}

// --- What arrives

bool NodeInputs::Add(int port, absl::Span<Packet> packets, bool may_move,
                     Timestamp bound, absl::Span<const std::int64_t> sizes,
                     Effects* effects) {
  InputQueue& queue = queues_[port];
  bool changed = false;
  for (size_t i = 0; i < packets.size(); ++i) {
    Packet& packet = packets[i];
    const bool was_empty = queue.empty();
    const Timestamp timestamp = packet.Timestamp();
    // No value may be destroyed here, because its destructor may run any code.
    // So a packet that the queue does not take, also because there is no
    // memory, goes to the trash or stays with the sender.
    Packet copy;
    if (!may_move) copy = packet;
    Packet& given = may_move ? packet : copy;
    const InputQueue::Added added = queue.Add(std::move(given));
    if (ABSL_PREDICT_FALSE(added != InputQueue::Added::kOk)) {
      effects->trash.push_back(std::move(given));
      if (added == InputQueue::Added::kGoesBack) {
        NoteRefused(port, timestamp, effects);
      } else {
        TraceDrop(port, timestamp, DropCause::kAfterClose, effects->trace);
      }
      continue;
    }
    if (ABSL_PREDICT_FALSE(!sizes.empty()) && watches_[port].counts_bytes()) {
      watches_[port].NoteAdded(sizes[i]);
    }
    if (was_empty || traits_.sees_every_packet) {
      NotePolicyChange(port);
      changed = true;
    }
  }
  const bool has_risen = packets.empty() && rule_ == Rule::kOneInput
                             ? queue.RaiseBoundBesidePass(bound)
                             : queue.RaiseBound(bound);
  if (has_risen && (queue.empty() || traits_.sees_every_bound)) {
    NotePolicyChange(port);
    changed = true;
  }
  if (ABSL_PREDICT_FALSE(traits_.drops_packets || traits_.counts_bytes)) {
    NoteWatched(port, effects);
  } else {
    NoteQueue(port, effects);
  }
  return changed;
}

void NodeInputs::AddOne(int port, absl::Span<Packet> packet, bool may_move,
                        absl::Span<const std::int64_t> size,
                        absl::Span<const PacketTimes> times, Effects* effects) {
  const Timestamp timestamp = packet[0].Timestamp();
  if (!IsBounded(port) || MakeRoom(port, timestamp, effects)) {
    Add(port, packet, may_move, Timestamp::Unset(), size, effects);
    if (times.empty()) return;
    features_->timed_queues[port].notes.NoteAdded(queues_[port], times[0]);
  } else if (!queues_[port].ignores_time()) {
    // The stream is settled as if the packet had been added, so that other
    // streams do not wait for it.
    Add(port, {}, may_move, timestamp.NextAllowedInStream(), {}, effects);
  }
}

void NodeInputs::NoteRefused(int port, Timestamp timestamp, Effects* effects) {
  const TimeoutPolicy* const timeouts = timeout();
  const bool is_late =
      (timeouts != nullptr && timeouts->IsLate(port, timestamp)) ||
      (features_ != nullptr && features_->IsLate(port, timestamp));
  const DropCause cause = is_late ? DropCause::kLate : DropCause::kGoesBack;
  queues_[port].NoteDropped(cause);
  TraceDrop(port, timestamp, cause, effects->trace);
  if (!is_late) effects->errors.push_back(GoesBackError(port, timestamp));
}

bool NodeInputs::SettleSilent(int port, Timestamp bound, Effects* effects) {
  if (features_ == nullptr) return false;
  bool changed = false;
  for (InputFeatures::SilentStream& silent : features_->silent_streams) {
    if (silent.after_port != port) continue;
    const Timestamp settled = BoundBehind(bound, silent.gap);
    InputQueue& queue = queues_[silent.port];
    if (settled == Timestamp::Unset() || !queue.RaiseBound(settled)) continue;
    silent.settled = settled;
    if (!queue.empty() && !traits_.sees_every_bound) continue;
    NotePolicyChange(silent.port);
    changed = true;
  }
  if (changed) NoteQueues(effects);
  return changed;
}

bool NodeInputs::SettleSilentAtEnd() {
  if (features_ == nullptr) return false;
  Timestamp earliest = Timestamp::Done();
  for (const InputQueue& queue : queues_) {
    if (!queue.empty())
      earliest = std::min(earliest, queue.front().Timestamp());
  }
  if (earliest == Timestamp::Done()) return false;
  // No further than that: the next call may have a packet made that is in time
  // for the call after it.
  const Timestamp settled = earliest.NextAllowedInStream();
  bool changed = false;
  for (InputFeatures::SilentStream& silent : features_->silent_streams) {
    InputQueue& queue = queues_[silent.port];
    if (!queue.empty() || !queue.RaiseBound(settled)) continue;
    silent.settled = settled;
    NotePolicyChange(silent.port);
    changed = true;
  }
  return changed;
}

// --- The rule

Readiness NodeInputs::EvaluateUntilTaken() const {
  if (features_->ready.has_value()) return *features_->ready;
  const Readiness readiness = policy_->Evaluate();
  if (readiness.state == Readiness::State::kProcess) {
    features_->ready = readiness;
  }
  return readiness;
}

void NodeInputs::NoteTaskMade() {
  if (traits_.remembers_readiness) features_->ready.reset();
  if (policy_ != nullptr) policy_->OnTaskMade();
}

bool NodeInputs::HasMoreToPassAfter(Timestamp timestamp) {
  const Readiness next = Evaluate();
  if (next.state != Readiness::State::kWait) return true;
  // The end of the call raises the bound this far. Only a higher bound has to
  // be passed on.
  if (!timestamp.IsAllowedInStream()) return true;
  const Timestamp bound = BoundByOffset(timestamp, TimestampDiff(0));
  passed_bound_ = std::max(passed_bound_, bound);
  return next.timestamp > bound;
}

absl::Status NodeInputs::PolicyError() const {
  if (policy_ == nullptr) return absl::OkStatus();
  const absl::Status status = policy_->status();
  if (ABSL_PREDICT_TRUE(status.ok())) return status;
  return PrefixStatus(absl::StrCat("Input stream handler of node ",
                                   NodeText(*plan_->contract), ": "),
                      status);
}

void NodeInputs::ShowTimes(InputStreamSet* inputs) {
  const std::vector<InputFeatures::TimedQueue>& timed_queues =
      features_->timed_queues;
  for (size_t port = 0; port < timed_queues.size(); ++port) {
    const InputFeatures::TimedQueue& timed = timed_queues[port];
    if (!timed.is_timed) continue;
    InputStream& input = inputs->begin()[port];
    // The packet of this call is the one that left the queue last.
    input.SetMessageTimes(input.IsEmpty()
                              ? PacketTimes()
                              : timed.notes.OfLastGone(queues_[port]));
  }
}

const PacketTimes* NodeInputs::TimesOfFront(int port) const {
  const InputQueue& queue = queues_[port];
  if (!IsTimed(port) || queue.empty()) return nullptr;
  return &features_->timed_queues[port].notes.OfFront(queue);
}

// --- The end

void NodeInputs::NoteLost(const InputStreamSet& inputs, DropCause cause,
                          TraceLane* lane) {
  int port = 0;
  for (const InputStream& input : inputs) {
    if (!input.IsEmpty()) {
      queues_[port].NoteDropped(cause);
      TraceDrop(port, input.Value().Timestamp(), cause, lane);
    }
    ++port;
  }
}

void NodeInputs::Close(DropCause cause, Effects* effects) {
  for (InputQueue& queue : queues_) queue.Close(cause);
  NoteQueues(effects);
}

std::unique_ptr<InputPolicy> NodeInputs::Destroy(DropCause cause,
                                                 std::vector<Packet>* dropped,
                                                 TraceLane* lane) {
  for (int port = 0; port < size(); ++port) {
    queues_[port].Close(cause);
    if (queues_[port].has_trash()) MoveTrash(port, dropped, lane);
  }
  return std::move(policy_);
}

// --- Errors

absl::Status NodeInputs::QueueFullError(int port, Timestamp received) const {
  return absl::ResourceExhaustedError(absl::StrCat(
      "The input queue of stream \"",
      plan_->contract->Inputs().layout().Names()[port], "\" at node ",
      NodeText(*plan_->contract), " has no room for the packet at ",
      received.DebugString(),
      ": its max_queue_size: ", features_->bounded_queues[port].capacity,
      " is used up, from ", queues_[port].front().Timestamp().DebugString(),
      " on. With queue_policy: FAULT that ends the run; POP or REJECT would "
      "drop a packet instead, and BLOCK would make sources wait."));
}

absl::Status NodeInputs::GoesBackError(int port, Timestamp received) const {
  return absl::InvalidArgumentError(absl::StrCat(
      "Packet timestamp mismatch on a calculator receiving from stream \"",
      plan_->contract->Inputs().layout().Names()[port], "\": node ",
      NodeText(*plan_->contract),
      " is past that time already. Current minimum expected timestamp is ",
      queues_[port].bound().DebugString(), " but received ",
      received.DebugString(),
      ". If packets at one timestamp need not meet, "
      "ImmediateInputStreamHandler takes each as it comes."));
}

}  // namespace syncline
