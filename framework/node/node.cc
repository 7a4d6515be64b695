#include "framework/node/node.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <new>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "framework/base/cache_lines.h"
#include "framework/base/mutex.h"
#include "framework/condition/loop_gate.h"
#include "framework/node/call_times.h"
#include "framework/node/condition_gate.h"
#include "framework/node/effects.h"
#include "framework/node/inner_queues.h"
#include "framework/node/invocation.h"
#include "framework/node/node_contexts.h"
#include "framework/node/node_row.h"
#include "framework/node/node_state.h"
#include "framework/node/overlapping_calls.h"
#include "framework/packet/packet.h"
#include "framework/policy/input_policy.h"
#include "framework/scheduler/task_priority.h"
#include "framework/stream/drop_cause.h"
#include "framework/stream/queue_limits.h"
#include "glog/logging.h"

namespace syncline {
namespace {

// The caches of a machine have to hold ten thousand nodes.
static_assert(sizeof(Node) <= 448);

// A node with many ports touches few of them at a time.
constexpr size_t kMostQueuesFetched = 4;

}  // namespace

Node::Placed Node::Make(const PlanNode& plan, const InputPolicyKind& policy,
                        const NodeSettings& settings,
                        std::pmr::memory_resource* memory) {
  void* const place = memory->allocate(sizeof(Node), alignof(Node));
  return Placed(new (place) Node(plan, policy, settings, memory));
}

Node::Node(const PlanNode& plan, const InputPolicyKind& policy,
           const NodeSettings& settings, std::pmr::memory_resource* memory)
    : plan_(plan), calculator_(settings.kept_calculator) {
  traits_.is_source = plan.is_source;
  traits_.has_output_side_packets = !plan.output_side_packets.empty();
  traits_.overlaps = plan.max_in_flight > 1;
  inputs_.Place(plan, policy, settings.limits, settings.marks, memory);
  // All calls touch the lines from here on.
  DCHECK_EQ(reinterpret_cast<std::uintptr_t>(inputs_.hot()) % kCacheLine, 0u);
  traits_.counts_bytes = inputs_.counts_bytes();
  traits_.delivers_by_rules =
      inputs_.counts_bytes() || inputs_.has_arrival_rules();
  traits_.calls_by_rules = inputs_.takes_when_call_starts();
  batch_size_ = inputs_.BatchSize();
  contexts_.Place(plan.inputs.size(), plan.outputs.size(), memory);
  outputs_.Place(plan.outputs, memory);
  traits_.owns_calculator = calculator_ == nullptr;
  if (settings.times_calls || plan.batch.max_size > 1 || traits_.overlaps) {
    owned_.extras = std::make_unique<Extras>();
  }
  if (settings.times_calls) {
    owned_.extras->call_times = std::make_unique<CallTimes>();
  }
  if (plan.batch.max_size > 1) {
    traits_.batches_calls = true;
    traits_.calls_by_rules = true;
    batch_size_ = plan.batch.max_size;
  }
  if (traits_.overlaps) {
    overlapping_ =
        std::make_unique<OverlappingCalls>(plan.max_in_flight, &first_);
  }
  const bool needs_no_rules = !traits_.overlaps && batch_size_ == 1 &&
                              !traits_.calls_by_rules &&
                              !traits_.delivers_by_rules;
  traits_.starts_directly = needs_no_rules && inputs_.packets_may_pass();
  traits_.joins_plainly = needs_no_rules && inputs_.joins_all();
  first_.node = this;
  first_.priority = TaskPriority::ForOpen(plan.id);
}

Node::~Node() {
  ReleaseContexts();
  if (traits_.owns_calculator) delete calculator_;
}

void Node::ReleaseContexts() {
  first_.sets.clear();
  NodeContexts::Released released;  // lives longer than the lock is held
  MutexLock lock(&mutex_);
  released = contexts_.Release();
}

// --- Fetching

LineRow Node::ArrivalRow() const {
  const char* const start = static_cast<const char*>(inputs_.hot());
  const char* const end = reinterpret_cast<const char*>(this + 1);
  const size_t lines = static_cast<size_t>(end - start) / kCacheLine +
                       std::min(plan_.inputs.size(), kMostQueuesFetched);
  return {.start = start, .lines = static_cast<int>(lines)};
}

void Node::FetchAhead(absl::Span<const Node* const> readers) {
  MutexLock lock(&mutex_);
  traits_.fetches_ahead = true;
  const size_t bytes =
      NodeContexts::Bytes(plan_.inputs.size(), plan_.outputs.size()) +
      outputs_.bytes();
  row_.SetCall({.start = contexts_.start(),
                .lines = std::min(static_cast<int>(bytes / kCacheLine),
                                  NodeRow::kMostLines)});
  for (const Node* const reader : readers) {
    row_.AddReader(reader->ArrivalRow());
  }
}

void Node::FetchCall() const {
  row_.FetchCall();
  FetchLines(calculator_, 1);
}

void Node::FetchForCall() const {
  FetchCall();
  row_.FetchReaders();
}

void Node::FetchForTime(int step) const {
  switch (step) {
    case 0:
      FetchLines(this, 1);
      FetchLines(&gate_, 1);
      FetchLines(inputs_.hot(), 5);
      break;
    case 1:
      FetchObject(&plan_);
      FetchObject(gate_.get());
      FetchCall();
      break;
    case 2:
      if (conditions() != nullptr) conditions()->FetchLists();
      break;
    case 3:
      if (conditions() != nullptr) conditions()->FetchObjects();
      break;
  }
}

// --- Before Open

void Node::Start(int missing_side_packets, Effects* effects) {
  MutexLock lock(&mutex_);
  if (to_open_.RunStarted(plan_, missing_side_packets)) StartOpen(effects);
}

void Node::HeaderArrived(int port, const Packet& header, Effects* effects) {
  MutexLock lock(&mutex_);
  contexts_.SetHeader(port, header);
  if (to_open_.HeaderArrived(plan_.inputs[port])) StartOpen(effects);
}

void Node::SidePacketArrived(Effects* effects) {
  MutexLock lock(&mutex_);
  if (to_open_.SidePacketArrived()) StartOpen(effects);
}

void Node::StartOpen(Effects* effects) {
  if (state_ != NodeState::kWaiting) return;
  ChangeState(NodeState::kWaiting, NodeState::kOpening, &state_);
  effects->ready.push_back(first_invocation());
}

// --- Limits and looking in

NodeState Node::state() const {
  MutexLock lock(&mutex_);
  return state_;
}

const InnerQueues* Node::inner_queues() const {
  if (state_ != NodeState::kOpen) return nullptr;
  return dynamic_cast<const InnerQueues*>(calculator_);
}

std::int64_t Node::PacketsInside() const {
  MutexLock lock(&mutex_);
  const InnerQueues* const inner = inner_queues();
  return inner == nullptr ? 0 : inner->PacketsWaiting();
}

bool Node::HasPackets() const {
  MutexLock lock(&mutex_);
  return batch_ != nullptr || inputs_.HasPackets();
}

Timestamp Node::TimestampOf(const Invocation& invocation) const {
  // Open makes the input sets.
  if (state_ != NodeState::kOpen) return Timestamp::Unset();
  for (const InputSet& set : invocation.sets) {
    const Timestamp timestamp = set.context->InputTimestampNow();
    if (timestamp != Timestamp::Unset()) return timestamp;
  }
  return Timestamp::Unset();
}

NodeSnapshot Node::Snapshot() const {
  NodeSnapshot snapshot;
  MutexLock lock(&mutex_);
  if (const InnerQueues* const inner = inner_queues(); inner != nullptr) {
    snapshot.packets_inside = inner->PacketsWaiting();
    snapshot.where_inside = inner->WhereTheyWait();
    snapshot.part_in_call = inner->PartInCall();
  }
  snapshot.state = state_;
  snapshot.calls_in_flight = CallsInFlight();
  if (traits_.overlaps && snapshot.calls_in_flight > 0) {
    const auto& calls = overlapping_->in_order();
    snapshot.calls.assign(calls.begin(), calls.end());
  } else if (snapshot.calls_in_flight > 0 || state_ == NodeState::kOpening ||
             state_ == NodeState::kClosing ||
             (traits_.is_source && state_ == NodeState::kOpen)) {
    snapshot.calls.push_back(&first_);
  }
  for (const void* const call : snapshot.calls) {
    snapshot.call_timestamps.push_back(
        TimestampOf(*static_cast<const Invocation*>(call)));
  }
  if (batch_ != nullptr) snapshot.batched_sets = batch_->num_sets;
  if (gate_ != nullptr) gate_->AddTo(&snapshot);
  if (owned_.extras != nullptr && owned_.extras->call_times != nullptr) {
    owned_.extras->call_times->AddTo(&snapshot);
  }
  snapshot.inputs = inputs_.Snapshot();
  const LoopGate* const gate = state_ == NodeState::kOpen
                                   ? dynamic_cast<const LoopGate*>(calculator_)
                                   : nullptr;
  for (std::size_t port = 0; gate != nullptr && port < snapshot.inputs.size();
       ++port) {
    using LoopWait = NodeSnapshot::LoopWait;
    snapshot.inputs[port].loop_wait =
        gate->awaited_input() == static_cast<int>(port) ? LoopWait::kWaits
                                                        : LoopWait::kGoesOn;
  }
  for (int port = 0; port < outputs_.size(); ++port) {
    snapshot.outputs.push_back({.packets_added = outputs_.packets_added(port),
                                .bound = outputs_.bound(port)});
  }
  return snapshot;
}

QueueUse Node::MeasureQueue(int port) const {
  QueueUse use;
  std::vector<Packet> uncounted;
  {
    MutexLock lock(&mutex_);
    use = inputs_.Measure(port, &uncounted);
  }
  // Without the lock: this may run code of the user's.
  for (const Packet& packet : uncounted) use.bytes += CountedBytes(packet);
  return use;
}

bool Node::RaiseLimit(int port, int ceiling, Effects* effects) {
  MutexLock lock(&mutex_);
  return inputs_.RaiseLimit(port, ceiling, effects);
}

bool Node::RaiseRoom(int port, std::int64_t room, int ceiling,
                     Effects* effects) {
  MutexLock lock(&mutex_);
  return inputs_.RaiseRoom(port, room, ceiling, effects);
}

void Node::CountUnprocessed(const Invocation& invocation, int first_set,
                            DropCause cause, TraceLane* lane) {
  const int size = static_cast<int>(invocation.sets.size());
  for (int set = first_set; set < size; ++set) {
    inputs_.NoteLost(invocation.sets[set].context->Inputs(), cause, lane);
  }
}

void Node::NoteUnprocessed(const Invocation& invocation, int first_set,
                           DropCause cause, TraceLane* lane) {
  MutexLock lock(&mutex_);
  CountUnprocessed(invocation, first_set, cause, lane);
}

// The input sets of calls that are over are empty. Where calls overlap, a call
// that is over keeps its input set until its results are sent.
void Node::NoteAllUnprocessed(DropCause cause, TraceLane* lane) {
  MutexLock lock(&mutex_);
  if (!traits_.overlaps) return CountUnprocessed(first_, 0, cause, lane);
  for (const Invocation* const invocation : overlapping_->in_order()) {
    if (!invocation->is_finished) {
      CountUnprocessed(*invocation, 0, cause, lane);
    }
  }
}

void Node::Destroy(DropCause cause, TraceLane* lane) {
  std::vector<Packet> dropped;
  std::unique_ptr<InputPolicy> policy;  // may be of the user's
  std::unique_ptr<CalculatorBase> calculator;
  {
    MutexLock lock(&mutex_);
    if (traits_.overlaps) overlapping_->Clear();
    if (gate_ != nullptr) gate_->ForgetPolicy();
    policy = inputs_.Destroy(cause, &dropped, lane);
    contexts_.MoveHeadersTo(&dropped);
    // Another thread looks there (inner_queues).
    CalculatorBase* const last = std::exchange(calculator_, nullptr);
    if (traits_.owns_calculator) calculator.reset(last);
  }
  calculator.reset();
  ReleaseContexts();
  owned_.environment.reset();
}

}  // namespace syncline
