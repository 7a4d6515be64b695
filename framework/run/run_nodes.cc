#include "framework/run/run_nodes.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "framework/node/node.h"
#include "framework/node/node_outputs.h"
#include "framework/node/node_snapshot.h"
#include "framework/plan/graph_plan.h"
#include "framework/policy/input_policy.h"
#include "framework/run/output_tap.h"
#include "framework/run/persistent_calculators.h"
#include "framework/run/queue_settings.h"

namespace syncline {

RunNodes::RunNodes(const GraphPlan& plan, const NodePolicies& policies,
                   const PersistentCalculators* persistent_calculators,
                   const InputLimits& limits,
                   absl::Span<const std::shared_ptr<OutputTap>> taps) {
  MakeNodes(plan, policies, persistent_calculators, limits);
  ConnectReaders(plan, policies);
  LetNodesFetchAhead();
  AddTaps(taps);
  for (const PlanStream& stream : plan.streams()) {
    const PortRef producer = stream.producer;
    const StreamReaders& to = readers_[stream.id];
    if (producer.node < 0 || !to.ports.empty() || !to.taps.empty()) continue;
    nodes_[producer.node]->outputs().NoteNoReader(producer.port);
  }
}

void RunNodes::MakeNodes(const GraphPlan& plan, const NodePolicies& policies,
                         const PersistentCalculators* persistent_calculators,
                         const InputLimits& limits) {
  const PlanSettings& settings = plan.settings();
  NodeSettings node_settings{
      .limits = {},
      .marks = {.warning_size = settings.queue_warning_size,
                .error_size = settings.queue_error_size,
                .byte_step = ByteStep(plan)},
      .times_calls =
          plan.GraphFields().runtime_info().enable_graph_runtime_info()};
  nodes_.reserve(plan.nodes().size());
  for (const PlanNode& node : plan.nodes()) {
    if (persistent_calculators != nullptr)
      node_settings.kept_calculator = persistent_calculators->Of(node.id);
    node_settings.limits.clear();
    for (const PlanInput& input : node.inputs) {
      node_settings.limits.push_back(QueueLimitOf(plan, input, limits));
    }
    nodes_.push_back(
        Node::Make(node, policies[node.id], node_settings, &memory_));
  }
  for (const PlanStream& stream : plan.streams()) {
    const PortRef producer = stream.producer;
    if (producer.node < 0) continue;
    if (ReadersKeepTimes(plan, stream)) {
      nodes_[producer.node]->outputs().KeepTimes(producer.port);
    }
    if (ReadersIgnoreTime(stream, policies)) {
      nodes_[producer.node]->outputs().IgnoreOrder(producer.port);
    }
  }
}

void RunNodes::ConnectReaders(const GraphPlan& plan,
                              const NodePolicies& policies) {
  readers_.resize(plan.streams().size());
  for (const PlanStream& stream : plan.streams()) {
    for (const PortRef& reader : stream.consumers) {
      readers_[stream.id].ports.push_back(
          {.node = nodes_[reader.node].get(),
           .port = reader.port,
           .goes_by_arrival = !policies[reader.node].is_deterministic});
    }
  }
}

void RunNodes::AddTaps(absl::Span<const std::shared_ptr<OutputTap>> taps) {
  for (const std::shared_ptr<OutputTap>& tap : taps) {
    StreamReaders& to = readers_[tap->stream()];
    to.taps.push_back(tap.get());
    std::stable_partition(
        to.ports.begin(), to.ports.end(),
        [](const ReaderPort& reader) { return reader.goes_by_arrival; });
  }
}

const Node* RunNodes::JoinBehind(const PlanNode& node, int port) const {
  const StreamReaders& to = readers_[node.outputs[port].stream];
  if (to.ports.size() != 1 || !to.taps.empty()) return nullptr;
  const Node* const reader = to.ports[0].node;
  const bool is_timed = nodes_[node.id]->outputs().KeepsTimes(port);
  return reader->joins_plainly() && !is_timed ? reader : nullptr;
}

void RunNodes::LetNodesSendTogether(const GraphPlan& plan) const {
  constexpr int kMost = NodeOutputs::kMostTogether;
  for (const PlanNode& node : plan.nodes()) {
    const int size = static_cast<int>(node.outputs.size());
    if (size < 2) continue;
    for (int port = 0; port < size;) {
      const Node* const join = JoinBehind(node, port);
      int end = port + 1;
      while (join != nullptr && end < std::min(size, port + kMost) &&
             JoinBehind(node, end) == join) {
        ++end;
      }
      nodes_[node.id]->outputs().SendTogether(port, end - port);
      port = end;
    }
  }
}

std::vector<NodeSnapshot> RunNodes::Snapshots() const {
  std::vector<NodeSnapshot> snapshots;
  snapshots.reserve(nodes_.size());
  for (const Node::Placed& node : nodes_) {
    snapshots.push_back(node->Snapshot());
  }
  return snapshots;
}

std::int64_t RunNodes::RoomBehind(int stream) const {
  std::int64_t room = std::numeric_limits<std::int64_t>::max();
  for (const ReaderPort& reader : readers_[stream].ports) {
    room = std::min(room, reader.node->Room(reader.port));
  }
  return room;
}

void RunNodes::LetNodesFetchAhead() {
  // Up to this number, the nodes of a graph stay in the caches from one call to
  // the next.
  constexpr size_t kFewNodes = 250;
  if (nodes_.size() <= kFewNodes) return;
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

}  // namespace syncline
