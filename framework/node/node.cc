#include "framework/node/node.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <memory_resource>
#include <new>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "framework/base/mutex.h"
#include "framework/calculator/context.h"
#include "framework/calculator/input_stream.h"
#include "framework/node/fetch_lines.h"
#include "framework/node/invocation.h"
#include "framework/node/node_gate.h"
#include "framework/node/node_state.h"
#include "framework/node/overlapping_calls.h"
#include "framework/node/turn.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/default_policy.h"
#include "framework/policy/input_policy.h"
#include "framework/policy/sync_set.h"
#include "framework/scheduler/task.h"
#include "framework/stream/drop_cause.h"
#include "framework/stream/input_queue.h"
#include "framework/stream/queue_watch.h"

namespace syncline {
namespace {

// Ten thousand nodes are to fit into the caches of a machine.
static_assert(sizeof(Node) <= 512);

// A node with many ports touches few of them at a time.
constexpr size_t kMostQueuesFetched = 4;

size_t StreamBytes(const PlanNode& plan) {
  return CalculatorContext::StreamBytes(plan.inputs.size(),
                                        plan.outputs.size());
}

}  // namespace

Node::Placed Node::Make(const PlanNode& plan, const InputPolicyKind& policy,
                        const NodeSettings& settings,
                        std::pmr::memory_resource* memory) {
  void* const place = memory->allocate(sizeof(Node), alignof(Node));
  return Placed(new (place) Node(plan, policy, settings, memory));
}

Node::Node(const PlanNode& plan, const InputPolicyKind& policy,
           const NodeSettings& settings, std::pmr::memory_resource* memory)
    : plan_(plan),
      headers_(plan.inputs.size()),
      is_source_(plan.is_source),
      has_output_side_packets_(!plan.output_side_packets.empty()),
      overlaps_(plan.max_in_flight > 1),
      queues_(PlaceArray<InputQueue>(plan.inputs.size(), memory),
              plan.inputs.size()),
      calculator_(settings.kept_calculator) {
  marks_ = settings.marks;
  context_memory_ =
      memory->allocate(sizeof(CalculatorContext) + StreamBytes(plan),
                       alignof(CalculatorContext));
  outputs_.Place(plan.outputs, memory);
  for (size_t port = 0; port < queues_.size(); ++port) {
    queues_[port].SetLimit(settings.limits[port].packets);
    if (policy.ignores_time) queues_[port].IgnoreTime();
  }
  SetUpInputs(settings);
  if (settings.times_calls) call_times_ = std::make_unique<CallTimes>();
  if (!queues_.empty()) MakePolicy(policy);
  if (plan.max_batch_size > 1) {
    batches_calls_ = true;
    calls_unusually_ = true;
    batched_inputs_ = std::make_unique<std::vector<BatchedInputs>>();
    batch_size_ = plan.max_batch_size;
  }
  if (overlaps_) {
    overlapping_ =
        std::make_unique<OverlappingCalls>(plan.max_in_flight, &first_);
  }
  first_.node = this;
  first_.priority = TaskPriority::ForOpen(plan.id);
}

Node::~Node() {
  ReleaseContexts();
  policy_.reset();
  std::destroy_n(queues_.data(), queues_.size());
}

CalculatorContext* Node::MakeContext() {
  if (context_ != nullptr) {
    more_contexts_.push_back(
        std::make_unique<CalculatorContext>(*environment_));
    return more_contexts_.back().get();
  }
  context_ = new (context_memory_) CalculatorContext(
      *environment_,
      static_cast<std::byte*>(context_memory_) + sizeof(CalculatorContext));
  return context_;
}

void Node::ReleaseContexts() {
  first_.sets.clear();
  std::vector<std::unique_ptr<CalculatorContext>> others;
  CalculatorContext* context = nullptr;
  {
    MutexLock lock(&mutex_);
    std::swap(others, more_contexts_);
    std::swap(context, context_);
  }
  if (context != nullptr) context->~CalculatorContext();
}

void Node::MakePolicy(const InputPolicyKind& policy) {
  PolicyPorts ports = {
      .queues = {},
      .layout = &plan_.contract->Inputs().layout(),
      .options = plan_.input_stream_handler_options,
      .process_timestamp_bounds = plan_.process_timestamp_bounds};
  {
    MutexLock lock(&mutex_);
    ports.queues = queues_;
  }
  // Without the lock: the class may be a user's. Nobody else knows the node.
  std::unique_ptr<InputPolicy> made;
  if (!policy.is_default) made = policy.create(ports);
  MutexLock lock(&mutex_);
  if (policy.is_default) {
    rule_ = queues_.size() == 1 && !plan_.process_timestamp_bounds
                ? InputRule::kOneInput
                : InputRule::kAllInputs;
    all_inputs_ = SyncSet(queues_, plan_.process_timestamp_bounds);
    batch_size_ = DefaultBatchSize(*plan_.input_stream_handler_options);
    return;
  }
  policy_ = std::move(made);
  sees_every_packet_ = policy_->SeesEveryPacket();
  sees_every_bound_ = policy_->SeesEveryBound();
  drops_packets_ = policy_->DropsPackets();
  takes_late_ = policy_->TakesLate();
  calls_unusually_ |= takes_late_;
  batch_size_ = std::max(1, policy_->BatchSize());
}

void Node::WatchQueues(const NodeSettings& settings) {
  for (size_t port = 0; port < queues_.size(); ++port) {
    const QueueLimit& limit = settings.limits[port];
    if (!QueueWatch::IsNeeded(limit, settings.marks)) continue;
    if (watches_ == nullptr) {
      watches_ = std::make_unique<QueueWatch[]>(queues_.size());
      for (size_t i = 0; i < queues_.size(); ++i) {
        watches_[i] =
            QueueWatch(settings.limits[i], settings.marks, &queues_[i]);
      }
    }
    if (watches_[port].counts_bytes()) counts_bytes_ = true;
  }
  delivers_unusually_ = counts_bytes_;
}

void Node::SetUpInputs(const NodeSettings& settings) {
  MutexLock lock(&mutex_);
  WatchQueues(settings);
  for (size_t port = 0; port < plan_.inputs.size(); ++port) {
    const PlanInput& input = plan_.inputs[port];
    if (input.idle_after_port >= 0 || input.message_times ||
        input.queue_policy != InputStreamInfo::BLOCK) {
      FindUnusual(static_cast<int>(port));
    }
  }
}

UnusualInputs& Node::Unusual() {
  if (unusual_ == nullptr) unusual_ = std::make_unique<UnusualInputs>();
  return *unusual_;
}

void Node::FindUnusual(int port) {
  const PlanInput& input = plan_.inputs[port];
  delivers_unusually_ = true;
  UnusualInputs& unusual = Unusual();
  if (input.idle_after_port >= 0) {
    unusual.idle_streams.push_back({.port = port,
                                    .after_port = input.idle_after_port,
                                    .gap = input.idle_gap});
  }
  if (input.queue_policy != InputStreamInfo::BLOCK) {
    unusual.bounded_queues.resize(plan_.inputs.size());
    unusual.bounded_queues[port].capacity = input.max_queue_size;
    unusual.bounded_queues[port].policy = input.queue_policy;
  }
  if (input.message_times) {
    unusual.timed_queues.resize(plan_.inputs.size());
    unusual.timed_queues[port].is_timed = true;
    shows_times_ = true;
  }
}

// --- Fetching

LineRow Node::ArrivalRow() const {
  const char* const start = reinterpret_cast<const char*>(&mutex_);
  const char* const end = reinterpret_cast<const char*>(this + 1);
  const size_t lines = static_cast<size_t>(end - start) / kCacheLine +
                       std::min(plan_.inputs.size(), kMostQueuesFetched);
  return {.start = start, .lines = static_cast<int>(lines)};
}

void Node::FetchAhead(absl::Span<const Node* const> readers) {
  MutexLock lock(&mutex_);
  fetches_ahead_ = true;
  const size_t bytes =
      sizeof(CalculatorContext) + StreamBytes(plan_) + outputs_.bytes();
  // The first line of a context is for few calls.
  row_.SetCall(
      {.start = static_cast<const std::byte*>(context_memory_) + kCacheLine,
       .lines = std::min(static_cast<int>(bytes / kCacheLine) - 1,
                         NodeRow::kMostLines)});
  for (const Node* const reader :
       readers.first(std::min(readers.size(), NodeRow::kMostReaders))) {
    row_.AddReader(reader->ArrivalRow());
  }
}

void Node::FetchCall() const {
  row_.FetchCall();
  FetchLines(calculator_, 1);
}

void Node::FetchForTime(int step) const {
  switch (step) {
    case 0:
      FetchLines(this, 1);
      FetchLines(&gate_, 1);
      FetchLines(&mutex_, 5);
      break;
    case 1:
      FetchObject(&plan_);
      FetchObject(gate_.get());
      FetchCall();
      if (conditions_ != nullptr) FetchObject(conditions_);
      break;
    case 2:
      FetchLines(gate_->results_row, 1);
      if (conditions_ != nullptr) conditions_->FetchLists();
      break;
    case 3:
      if (conditions_ != nullptr) conditions_->FetchObjects();
      break;
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

// --- Limits and looking in

NodeState Node::state() const {
  MutexLock lock(&mutex_);
  return state_;
}

bool Node::HoldsPackets() const {
  MutexLock lock(&mutex_);
  return batch_ != nullptr ||
         std::any_of(queues_.begin(), queues_.end(),
                     [](const InputQueue& queue) { return !queue.empty(); });
}

NodeSnapshot Node::Snapshot() const {
  NodeSnapshot snapshot;
  MutexLock lock(&mutex_);
  snapshot.state = state_;
  snapshot.calls_in_flight = CallsInFlight();
  if (batch_ != nullptr) snapshot.batched_sets = batch_->num_sets;
  if (gate_ != nullptr && gate_->was_asked) {
    snapshot.conditions = gate_->results;
    snapshot.is_held = gate_->state == GateState::kHeld;
  }
  if (gate_ != nullptr) {
    snapshot.input_wait_until_ns = gate_->input_wait.target_ns;
    snapshot.input_wait_has_packets = gate_->input_wait.has_packets;
  }
  if (call_times_ != nullptr) {
    snapshot.last_start_us = call_times_->last_start_us.load();
    snapshot.last_finish_us = call_times_->last_finish_us.load();
    snapshot.running_calls = call_times_->running.load();
  }
  for (const InputQueue& queue : queues_) {
    const size_t port = snapshot.inputs.size();
    snapshot.inputs.push_back(
        {.queue_size = queue.size(),
         .packets_added = queue.added(),
         .drops = queue.drops(),
         .limit = queue.limit(),
         .is_full = queue.Full(),
         .bound = queue.bound(),
         .min_timestamp_or_bound = queue.MinTimestampOrBound()});
    NodeSnapshot::Input& input = snapshot.inputs.back();
    if (IsBounded(static_cast<int>(port))) {
      // What it is watched for is only its length.
      input.limit = unusual_->bounded_queues[port].capacity;
      input.is_full = false;
      continue;
    }
    if (watches_ == nullptr) continue;
    QueueWatch& watch = watches_[port];
    input.limit = watch.limit().packets;
    input.byte_limit = watch.limit().bytes;
    if (input.byte_limit != InputQueue::kNoLimit)
      input.bytes = watch.Count(queue);
  }
  for (int port = 0; port < outputs_.size(); ++port) {
    snapshot.outputs.push_back({.packets_added = outputs_.packets_added(port),
                                .bound = outputs_.bound(port)});
  }
  return snapshot;
}

QueueUse Node::MeasureQueue(int port) const {
  QueueUse use;
  std::vector<Packet> packets;
  {
    MutexLock lock(&mutex_);
    const InputQueue& queue = queues_[port];
    use.packets = queue.size();
    if (watches_ != nullptr && watches_[port].counts_bytes()) {
      use.bytes = watches_[port].Count(queue);
      return use;
    }
    packets.reserve(static_cast<size_t>(queue.size()));
    for (std::int64_t i = 0; i < queue.size(); ++i) {
      packets.push_back(queue.at(i));
    }
  }
  // Without the lock: this may run code of the user's.
  for (const Packet& packet : packets) use.bytes += CountedBytes(packet);
  return use;
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

bool Node::RaiseRoom(int port, std::int64_t room, int ceiling, Turn* turn) {
  MutexLock lock(&mutex_);
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
  turn->gate_facts.push_back({.kind = Turn::GateFact::Kind::kRoom,
                              .stream = plan_.inputs[port].stream});
  return true;
}

void Node::CountUnprocessed(const Invocation& invocation, int first_set,
                            DropCause cause) {
  const int size = static_cast<int>(invocation.sets.size());
  for (int set = first_set; set < size; ++set) {
    auto queue = queues_.begin();
    for (const InputStream& input : invocation.sets[set].context->Inputs()) {
      if (!input.IsEmpty()) queue->NoteDropped(cause);
      ++queue;
    }
  }
}

void Node::NoteUnprocessed(const Invocation& invocation, int first_set,
                           DropCause cause) {
  MutexLock lock(&mutex_);
  CountUnprocessed(invocation, first_set, cause);
}

// What a call has seen was cleared at its end, unless its results still wait
// for those of others.
void Node::NoteAllUnprocessed(DropCause cause) {
  MutexLock lock(&mutex_);
  if (!overlaps_) return CountUnprocessed(first_, 0, cause);
  for (const Invocation* const invocation : overlapping_->in_order()) {
    if (!invocation->is_finished) CountUnprocessed(*invocation, 0, cause);
  }
  if (batch_ != nullptr) CountUnprocessed(*batch_, 0, cause);
}

void Node::Destroy(DropCause cause) {
  std::vector<Packet> dropped;
  std::unique_ptr<InputPolicy> policy;  // may be of the user's
  {
    MutexLock lock(&mutex_);
    if (overlaps_) overlapping_->Clear();
    if (gate_ != nullptr) gate_->timeout = nullptr;
    policy = std::move(policy_);
    for (InputQueue& queue : queues_) {
      queue.Close(cause);
      queue.MoveTrashTo(&dropped);
    }
    for (Packet& header : headers_) dropped.push_back(std::move(header));
  }
  calculator_ = nullptr;
  own_calculator_.reset();
  ReleaseContexts();
  environment_.reset();
}

}  // namespace syncline
