// How a run is built: the nodes of its plan, who reads which stream, the graph
// inputs, and a queue for each executor.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "framework/graph/graph_input.h"
#include "framework/graph/graph_run.h"
#include "framework/graph/output_tap.h"
#include "framework/node/node.h"
#include "framework/plan/graph_plan.h"
#include "framework/policy/input_policy.h"
#include "framework/scheduler/executor.h"
#include "framework/scheduler/scheduler_queue.h"
#include "framework/stream/queue_watch.h"

namespace syncline {

namespace {

// Where a graph says how many bytes all of its queues may have, each tells so
// often of its growth that what is not told is an eighth of them at most.
std::int64_t ByteStep(const GraphPlan& plan) {
  const std::int64_t bytes = plan.settings().max_memory_bytes;
  if (bytes <= 0) return 0;
  std::int64_t queues = 1;
  for (const PlanNode& node : plan.nodes()) {
    queues += static_cast<std::int64_t>(node.inputs.size());
  }
  return std::max<std::int64_t>(1, bytes / 8 / queues);
}

}  // namespace

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
      clock_(setup.clock),
      allocators_(setup.allocators),
      sources_(plan_),
      side_packets_(plan_.side_packets().size()),
      quiet_time_(plan_.settings().stop_on_deadlock,
                  plan_.settings().deadlock_timeout_ns) {
  MakeNodes(setup);
  ConnectReaders();
  MakeInputs(setup);
  MakeGates(setup);
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
  NodeSettings its{.limits = {},
                   .marks = {.warning_size = settings.queue_warning_size,
                             .error_size = settings.queue_error_size,
                             .byte_step = ByteStep(plan_)},
                   .times_calls = times_calls};
  for (const PlanNode& node : plan_.nodes()) {
    its.limits.clear();
    if (setup.kept != nullptr) {
      its.kept_calculator = setup.kept->Of(node.id);
    }
    for (const PlanInput& input : node.inputs) {
      const PortRef producer = plan_.streams()[input.stream].producer;
      QueueLimit limit{.packets = settings.max_queue_size,
                       .bytes = settings.max_queue_bytes,
                       .byte_ceiling = settings.max_queue_bytes_ceiling};
      if (producer.node < 0) {
        const int packets = setup.input_limits[producer.port];
        const std::int64_t bytes = setup.input_byte_limits[producer.port];
        if (packets != 0) limit.packets = packets;
        if (bytes != 0) limit.bytes = bytes;
      }
      if (input.max_queue_size > 0) limit.packets = input.max_queue_size;
      // What drops packets holds nobody back.
      if (input.queue_policy != InputStreamInfo::BLOCK) limit = {};
      if (settings.queue_error_size > 0 &&
          limit.packets > settings.queue_error_size) {
        limit.packets = settings.queue_error_size;
      }
      its.limits.push_back(limit);
    }
    nodes_.push_back(
        Node::Make(node, setup.policies[node.id], its, &node_memory_));
  }
  for (const PlanStream& stream : plan_.streams()) {
    if (stream.producer.node < 0) continue;
    Node* const producer = nodes_[stream.producer.node].get();
    if (KeepsTimes(stream)) producer->TimeOutput(stream.producer.port);
    if (!IgnoresTime(setup, stream)) continue;
    producer->IgnoreOrderOfOutput(stream.producer.port);
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
  if (nodes_.size() > kFewNodes) {
    std::vector<const Node*> readers;
    for (const Node::Placed& node : nodes_) {
      readers.clear();
      for (const PlanOutput& output : node->plan().outputs) {
        for (const ReaderPort& reader : readers_[output.stream].ports) {
          readers.push_back(reader.node);
        }
      }
      node->FetchAhead(readers);
    }
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

bool GraphRun::KeepsTimes(const PlanStream& stream) const {
  return std::any_of(
      stream.consumers.begin(), stream.consumers.end(),
      [&](const PortRef& reader) {
        return plan_.nodes()[reader.node].inputs[reader.port].message_times;
      });
}

void GraphRun::MakeInputs(const Setup& setup) {
  for (const PlanGraphInput& input : plan_.graph_inputs()) {
    const PlanStream& stream = plan_.streams()[input.stream];
    const std::int64_t given = setup.input_byte_limits[inputs_.size()];
    const std::int64_t max_held_bytes =
        given != 0 ? given : plan_.settings().max_queue_bytes;
    inputs_.push_back(std::make_unique<GraphInput>(
        stream, input, /*checks_order=*/!IgnoresTime(setup, stream),
        KeepsTimes(stream) ? clock_.get() : nullptr, max_held_bytes));
  }
}

}  // namespace syncline
