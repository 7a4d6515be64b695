// What can be seen of a run. What it says is in run_reports.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "framework/node/effects.h"
#include "framework/node/node.h"
#include "framework/node/node_snapshot.h"
#include "framework/node/node_state.h"
#include "framework/plan/graph_plan.h"
#include "framework/run/graph_run.h"
#include "framework/run/run_reports.h"
#include "glog/logging.h"

namespace syncline {

std::vector<NodeSnapshot> GraphRun::Snapshot() const {
  std::vector<NodeSnapshot> snapshots;
  snapshots.reserve(nodes_.size());
  for (const Node::Placed& node : nodes_) {
    snapshots.push_back(node->Snapshot());
  }
  return snapshots;
}

bool GraphRun::IsNodeThrottled(int node) const {
  const int source = plan().nodes()[node].sources.position;
  return source >= 0 && sources_.IsPaused(source);
}

std::string GraphRun::Explain() const {
  std::string text;
  for (const Node::Placed& node : nodes_) {
    const NodeSnapshot snapshot = node->Snapshot();
    if (!HoldsSomething(snapshot)) continue;
    absl::StrAppend(&text, Stall(node->plan().id, snapshot), "\n");
  }
  return text.empty() ? "No node holds packets.\n" : text;
}

std::string GraphRun::Stall(int node, const NodeSnapshot& snapshot) const {
  return StallReport(plan(), node, snapshot,
                     snapshot.state == NodeState::kWaiting
                         ? FindMissing(plan().nodes()[node])
                         : MissingToOpen());
}

MissingToOpen GraphRun::FindMissing(const PlanNode& node) const {
  MissingToOpen missing;
  for (const int id : node.input_side_packets) {
    if (plan().side_packets()[id].producer.node < 0) continue;
    if (SidePacket(id).IsEmpty()) missing.side_packets.push_back(id);
  }
  for (const PlanInput& input : node.inputs) {
    const int producer = plan().streams()[input.stream].producer.node;
    if (input.back_edge || producer < 0) continue;
    if (nodes_[producer]->state() > NodeState::kOpening) continue;
    missing.streams.push_back(input.stream);
  }
  return missing;
}

std::vector<ShortRoom> GraphRun::FindShortRooms() const {
  std::vector<ShortRoom> rooms;
  for (const Node* const node : gated_nodes_) {
    if (!WaitsForRoom(*node, node->HeldBy())) continue;
    ForEachShortRoom(*node, [&](const ReaderPort& reader, std::int64_t wanted) {
      rooms.push_back({.node = node->plan().id,
                       .queue = {reader.node->plan().id, reader.port},
                       .wanted = wanted,
                       .room = reader.node->Room(reader.port)});
    });
  }
  return rooms;
}

void GraphRun::WarnOfOffset(const PlanNode& node) {
  if (setup_.remembered != nullptr &&
      (*setup_.remembered)[node.id].HasWarnedOfOffset()) {
    return;
  }
  LOG(WARNING) << OffsetWarning(node);
}

void GraphRun::WarnOfLongQueue(const Effects::FullEdge& edge) const {
  LOG(WARNING) << LongQueueWarning(
      plan(), edge.node, edge.stream, edge.size,
      Stall(edge.node, nodes_[edge.node]->Snapshot()));
}

void GraphRun::WarnOfFewMatches(const Effects::FullEdge& edge) const {
  LOG(WARNING) << FewMatchesWarning(plan(), edge.node, edge.stream, edge.size,
                                    edge.matched);
}

void GraphRun::WarnOfLongPoller(int stream, std::int64_t size) const {
  LOG(WARNING) << LongPollerWarning(plan(), stream, size);
}

}  // namespace syncline
