#include "framework/graph/graph_run.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "framework/base/misuse.h"
#include "framework/base/mutex.h"
#include "framework/base/status_text.h"
#include "framework/calculator/call.h"
#include "framework/calculator/invoke.h"
#include "framework/node/node.h"
#include "framework/node/node_state.h"
#include "framework/node/turn.h"
#include "framework/packet/packet.h"
#include "framework/plan/graph_plan.h"
#include "framework/policy/input_policy.h"
#include "framework/scheduler/scheduler_queue.h"
#include "glog/logging.h"

namespace syncline {

// --- Building

GraphRun::GraphRun(Setup setup)
    : plan_(setup.plan),
      executors_(std::move(setup.executors)),
      wait_point_(std::move(setup.wait_point)),
      taps_(std::move(setup.taps)),
      pollers_(std::move(setup.pollers)),
      given_side_packets_(std::move(setup.side_packets)),
      stream_headers_(std::move(setup.stream_headers)),
      counters_(setup.counters),
      services_(setup.services),
      error_callback_(std::move(setup.error_callback)),
      remembered_(setup.remembered),
      backpressure_(plan_),
      side_packets_(plan_.side_packets().size()),
      source_states_(plan_.sources().size(), SourceState::kUnopened) {
  MakeNodes(setup);
  ConnectReaders();
  MakeInputs(setup);
  for (const std::shared_ptr<Executor>& executor : executors_) {
    queues_.push_back(std::make_shared<SchedulerQueue>(
        executor.get(), this, &activity_, setup.chooser));
  }
}

GraphRun::~GraphRun() = default;

void GraphRun::MakeNodes(const Setup& setup) {
  const PlanSettings& settings = plan_.settings();
  const bool times_calls =
      plan_.Config().runtime_info().enable_graph_runtime_info();
  nodes_.reserve(plan_.nodes().size());
  for (const PlanNode& node : plan_.nodes()) {
    NodeSettings its{.limits = {},
                     .queue_warning_size = settings.queue_warning_size,
                     .times_calls = times_calls};
    for (const PlanInput& input : node.inputs) {
      const PortRef producer = plan_.streams()[input.stream].producer;
      QueueLimit limit{.packets = settings.max_queue_size,
                       .bytes = settings.max_queue_bytes};
      if (producer.node < 0) {
        const int packets = setup.input_limits[producer.port];
        const std::int64_t bytes = setup.input_byte_limits[producer.port];
        if (packets != 0) limit.packets = packets;
        if (bytes != 0) limit.bytes = bytes;
      }
      its.limits.push_back(limit);
    }
    nodes_.push_back(
        std::make_unique<Node>(node, setup.policies[node.id], its));
  }
  for (const PlanStream& stream : plan_.streams()) {
    if (stream.producer.node < 0 || !IgnoresTime(setup, stream)) continue;
    nodes_[stream.producer.node]->IgnoreOrderOfOutput(stream.producer.port);
  }
}

void GraphRun::ConnectReaders() {
  readers_.resize(plan_.streams().size());
  for (size_t id = 0; id < readers_.size(); ++id) {
    for (const PortRef& reader : plan_.streams()[id].consumers) {
      readers_[id].ports.push_back({nodes_[reader.node].get(), reader.port});
    }
  }
  // So many nodes are still near in the caches when their turn comes again.
  constexpr size_t kFewNodes = 250;
  for (const std::unique_ptr<Node>& node : nodes_) {
    std::vector<const Node*> readers;
    for (const PlanOutput& output : node->plan().outputs) {
      for (const ReaderPort& reader : readers_[output.stream].ports) {
        readers.push_back(reader.node);
      }
    }
    if (nodes_.size() > kFewNodes) node->FetchAhead(readers);
  }
  for (const std::shared_ptr<OutputTap>& tap : taps_) {
    readers_[tap->stream()].taps.push_back(tap.get());
  }
}

bool GraphRun::IgnoresTime(const Setup& setup, const PlanStream& stream) {
  return !stream.consumers.empty() &&
         std::all_of(stream.consumers.begin(), stream.consumers.end(),
                     [&](const PortRef& reader) {
                       return setup.policies[reader.node].ignores_time;
                     });
}

void GraphRun::MakeInputs(const Setup& setup) {
  for (const PlanGraphInput& input : plan_.graph_inputs()) {
    const PlanStream& stream = plan_.streams()[input.stream];
    inputs_.push_back(std::make_unique<GraphInput>(
        stream, /*checks_order=*/!IgnoresTime(setup, stream)));
  }
}

// --- Start and end

GraphRun::ApplicationCall::ApplicationCall(GraphRun* run) : run_(run) {
  run->activity_.Add();
}

GraphRun::ApplicationCall::~ApplicationCall() {
  run_->FinishTurn(&turn);
  if (run_->activity_.Remove()) run_->OnIdle();
}

bool GraphRun::ApplicationCall::is_running() const {
  return run_->is_running_.load();
}

void GraphRun::Start(const std::weak_ptr<QueueEdgeListener>& self) {
  for (const std::shared_ptr<PollerQueue>& poller : pollers_) {
    poller->SetListener(self);
    poller->SetWarningSize(plan_.settings().queue_warning_size);
  }
  for (const std::shared_ptr<OutputTap>& tap : taps_) tap->StartRun();
  {
    MutexLock lock(&wait_point_->mutex);
    phase_ = Phase::kRunning;
    is_running_.store(true);
    open_inputs_ = static_cast<int>(inputs_.size());
  }
  ApplicationCall call(this);
  for (const auto& [name, packet] : given_side_packets_) {
    const int id = plan_.FindSidePacket(name);
    if (id < 0) continue;
    MutexLock lock(&side_mutex_);
    side_packets_[id] = packet;
  }
  // A node can open when the side packets that nodes make are there; those that
  // nobody gave are optional.
  for (const std::unique_ptr<Node>& node : nodes_) {
    int missing = 0;
    for (const int id : node->plan().input_side_packets) {
      if (plan_.side_packets()[id].producer.node >= 0) ++missing;
    }
    node->Start(missing, &call.turn);
  }
  for (const PlanGraphInput& input : plan_.graph_inputs()) {
    const auto header = stream_headers_.find(input.name);
    for (const PortRef& reader : plan_.streams()[input.stream].consumers) {
      nodes_[reader.node]->HeaderArrived(
          reader.port,
          header == stream_headers_.end() ? Packet() : header->second,
          &call.turn);
    }
  }
  FinishTurn(&call.turn);
  for (const std::shared_ptr<SchedulerQueue>& queue : queues_) queue->Resume();
}

absl::Status GraphRun::CleanUp() {
  for (const std::shared_ptr<SchedulerQueue>& queue : queues_) {
    queue->Shutdown();
  }
  const absl::Status so_far = errors_.Combined("");
  for (const std::unique_ptr<Node>& node : nodes_) {
    if (!node->StartClose(/*is_end_of_run=*/true)) continue;
    Invocation* const invocation = node->first_invocation();
    CalculatorContext* const context = invocation->sets[0].context.get();
    context->EndCall();
    context->SetGraphStatus(so_far);
    // The run is over: what Close sends, and what it returns, reaches nobody.
    const absl::Status ignored = node->Close(invocation);
    if (!ignored.ok()) VLOG(1) << "After the end of the run: " << ignored;
    context->EndCall();
  }
  for (const std::unique_ptr<Node>& node : nodes_) node->Destroy();
  for (const std::shared_ptr<OutputTap>& tap : taps_) tap->EndRun();
  MutexLock lock(&wait_point_->mutex);
  phase_ = Phase::kCleaned;
  return errors_.Combined("");
}

bool GraphRun::ClaimEnd() {
  MutexLock lock(&wait_point_->mutex);
  return !std::exchange(end_is_claimed_, true);
}

absl::Status GraphRun::SetResult(absl::Status result) {
  MutexLock lock(&wait_point_->mutex);
  result_ = std::move(result);
  wait_point_->Signal();
  return *result_;
}

absl::Status GraphRun::WaitForResult() {
  absl::Status result;
  wait_point_->Wait([&] {
    wait_point_->mutex.AssertHeld();
    if (result_.has_value()) result = *result_;
    return result_.has_value();
  });
  return result;
}

bool GraphRun::IsFinished() const {
  MutexLock lock(&wait_point_->mutex);
  return phase_ >= Phase::kFinished;
}

// --- Graph inputs

absl::Status GraphRun::AddPacket(int input, Packet packet, bool may_wait) {
  const int source = plan_.graph_inputs()[input].source;
  // What is closed takes nothing, and is not waited for.
  while (backpressure_.IsPaused(source) && !has_error() &&
         !inputs_[input]->is_closed()) {
    if (!may_wait) {
      return absl::UnavailableError(absl::StrCat(
          "Graph is throttled. A queue behind the graph input \"",
          plan_.graph_inputs()[input].name, "\" is full; try again later."));
    }
    wait_point_->Wait([&] {
      wait_point_->mutex.AssertHeld();
      return !backpressure_.IsPaused(source) || has_error() ||
             inputs_[input]->is_closed() || phase_ != Phase::kRunning;
    });
    if (IsFinished()) break;
  }
  ApplicationCall call(this);
  if (has_error()) return errors_.Combined("Graph has errors: ");
  if (!call.is_running()) return OverError(input);
  return inputs_[input]->Add(std::move(packet),
                             [&](absl::Span<Packet> packets, Timestamp bound) {
                               DeliverStream(plan_.graph_inputs()[input].stream,
                                             packets, bound, &call.turn);
                             });
}

absl::Status GraphRun::SetBound(int input, Timestamp bound) {
  ApplicationCall call(this);
  if (has_error()) return errors_.Combined("Graph has errors: ");
  if (!call.is_running()) return OverError(input);
  return inputs_[input]->SetBound(
      bound, [&](absl::Span<Packet> packets, Timestamp after) {
        DeliverStream(plan_.graph_inputs()[input].stream, packets, after,
                      &call.turn);
      });
}

absl::Status GraphRun::OverError(int input) const {
  return absl::FailedPreconditionError(
      absl::StrCat("The run of the graph is over: nothing can be added to the "
                   "graph input \"",
                   plan_.graph_inputs()[input].name, "\" until the next run."));
}

void GraphRun::CloseInput(int input) {
  ApplicationCall call(this);
  if (!call.is_running()) return;
  const bool is_first =
      inputs_[input]->Close([&](absl::Span<Packet> packets, Timestamp bound) {
        DeliverStream(plan_.graph_inputs()[input].stream, packets, bound,
                      &call.turn);
      });
  if (!is_first) return;
  MutexLock lock(&wait_point_->mutex);
  --open_inputs_;
  wait_point_->Signal();  // somebody may wait to add a packet
}

void GraphRun::CloseAllInputs() {
  for (size_t i = 0; i < inputs_.size(); ++i) CloseInput(static_cast<int>(i));
}

void GraphRun::CloseAllPacketSources() {
  CloseAllInputs();
  ApplicationCall call(this);
  if (call.is_running()) StopSources(&call.turn);
}

bool GraphRun::InputsClosed() const {
  MutexLock lock(&wait_point_->mutex);
  return open_inputs_ == 0;
}

// --- Waiting

void GraphRun::WaitUntilFinished() {
  wait_point_->Wait([this] {
    wait_point_->mutex.AssertHeld();
    return phase_ >= Phase::kFinished;
  });
}

void GraphRun::WaitUntilIdle() {
  wait_point_->Wait([this] {
    wait_point_->mutex.AssertHeld();
    return phase_ >= Phase::kFinished || activity_.settled();
  });
}

absl::Status GraphRun::WaitForObservedOutput() {
  waiting_for_observed_.fetch_add(1);
  bool has_news = false;
  wait_point_->Wait([&] {
    wait_point_->mutex.AssertHeld();
    const std::uint64_t observed = observed_.load();
    has_news = observed != observed_before_;
    observed_before_ = observed;
    return has_news || phase_ >= Phase::kFinished;
  });
  waiting_for_observed_.fetch_sub(1);
  if (has_news) return absl::OkStatus();
  return absl::OutOfRangeError("The run of the graph is over.");
}

// --- Ending and pausing

void GraphRun::RecordError(const absl::Status& error) {
  ApplicationCall call(this);
  const bool is_first = !errors_.has_error();
  errors_.Add(error);
  if (error_callback_) {
    const absl::Status status = CallUserCode([&] {
      error_callback_(error);
      return absl::OkStatus();
    });
    if (!status.ok()) LOG(ERROR) << "The error callback failed: " << status;
  }
  if (!is_first) return;
  for (const std::shared_ptr<OutputTap>& tap : taps_) tap->EndRun();
  MutexLock lock(&wait_point_->mutex);
  wait_point_->Signal();
}

void GraphRun::Cancel() {
  // An error callback may cancel, and is told of this.
  if (is_cancelled_.exchange(true)) return;
  RecordError(absl::CancelledError("The graph was cancelled."));
  ApplicationCall call(this);
  for (const std::shared_ptr<SchedulerQueue>& queue : queues_) {
    queue->TakeAll();
    queue->Resume();
  }
}

void GraphRun::Pause() {
  for (const std::shared_ptr<SchedulerQueue>& queue : queues_) queue->Pause();
}

void GraphRun::Resume() {
  for (const std::shared_ptr<SchedulerQueue>& queue : queues_) queue->Resume();
}

void GraphRun::OnTaskLost(SchedulerQueue* queue) {
  RecordError(absl::InternalError(
      "An executor dropped a task: it destroyed a function that it was given "
      "with Schedule() without having called it."));
  ApplicationCall call(this);
  queue->TakeAll();
}

void GraphRun::OnExecutorError(const absl::Status& error) {
  RecordError(PrefixStatus("An executor failed: ", error));
}

// --- Side packets

Packet GraphRun::SidePacket(int id) const {
  MutexLock lock(&side_mutex_);
  return side_packets_[id];
}

// --- Looking in

std::vector<NodeSnapshot> GraphRun::Snapshot() const {
  std::vector<NodeSnapshot> snapshots;
  snapshots.reserve(nodes_.size());
  for (const std::unique_ptr<Node>& node : nodes_) {
    snapshots.push_back(node->Snapshot());
  }
  return snapshots;
}

bool GraphRun::IsNodeThrottled(int node) const {
  const int source = plan_.nodes()[node].source;
  return source >= 0 && backpressure_.IsPaused(source);
}

}  // namespace syncline
