// Gathers what run_reports and packets_left_verdict turn into texts: who waits
// for what, and which packets are left at the end.

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "framework/node/node.h"
#include "framework/node/node_snapshot.h"
#include "framework/node/node_state.h"
#include "framework/plan/graph_plan.h"
#include "framework/run/graph_run.h"
#include "framework/run/packets_left_verdict.h"
#include "framework/run/run_reports.h"
#include "glog/logging.h"

namespace syncline {
std::string GraphRun::Explain() const {
  std::string text;
  for (const Node::Placed& node : nodes_) {
    const NodeSnapshot snapshot = node->Snapshot();
    if (!HasSomethingToSay(snapshot)) continue;
    absl::StrAppend(&text, Stall(node->plan().id, snapshot), "\n");
  }
  return text.empty() ? "No packet waits at any node.\n" : text;
}

std::string GraphRun::Stall(int node, const NodeSnapshot& snapshot) const {
  return StallReport(plan(), node, snapshot, FindMissing(node, snapshot));
}

MissingToOpen GraphRun::FindMissing(int node,
                                    const NodeSnapshot& snapshot) const {
  if (snapshot.state != NodeState::kWaiting) return {};
  return syncline::FindMissing(
      plan(), node, [this](int id) { return !SidePacket(id).IsEmpty(); },
      [this](int other) {
        return nodes_[other]->state() > NodeState::kOpening;
      });
}

void GraphRun::WarnOfOffset(const PlanNode& node) {
  if (setup_.remembered != nullptr &&
      (*setup_.remembered)[node.id].HasWarnedOfOffset()) {
    return;
  }
  LOG(WARNING) << OffsetWarning(node);
}

PacketsLeftVerdict GraphRun::FindLeft() const {
  std::vector<NodeAtEnd> nodes;
  for (const Node::Placed& node : nodes_) {
    const bool is_left = node->HasPackets() || node->PacketsInside() > 0;
    if (!is_left && node->conditions() == nullptr) continue;
    NodeSnapshot snapshot = node->Snapshot();
    const int id = node->plan().id;
    nodes.push_back({.node = id,
                     .missing = FindMissing(id, snapshot),
                     .waits_for_conditions = node->WaitsForConditions()});
    nodes.back().snapshot = std::move(snapshot);
  }
  return syncline::FindLeft(
      plan(), nodes,
      /*may_be_left=*/sources_.is_stopping() || max_duration_.is_over());
}

void GraphRun::WarnOfPacketsLeft() const {
  const std::string warning = PacketsLeftWarning(life_.GetLeftAtEnd());
  if (!warning.empty()) LOG(WARNING) << warning;
}

}  // namespace syncline
