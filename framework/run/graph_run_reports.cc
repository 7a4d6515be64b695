// Gathers what run_reports and left_report turn into texts: who waits for what,
// and which packets are left at the end.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "framework/condition/condition_result.h"
#include "framework/node/node.h"
#include "framework/node/node_conditions.h"
#include "framework/node/node_snapshot.h"
#include "framework/node/node_state.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/run/graph_run.h"
#include "framework/run/left_report.h"
#include "framework/run/run_reports.h"
#include "glog/logging.h"

namespace syncline {
namespace {

// Whether the node is held by its conditions, or would be if they were asked.
bool WaitsForConditions(const Node& node, const NodeSnapshot& snapshot) {
  if (node.conditions() == nullptr || snapshot.state != NodeState::kOpen) {
    return false;
  }
  if (node.HeldBy().state != ConditionState::kReady) return true;
  // Conditions are only asked when there is an input set. A condition that
  // wants packets of an input would hold the node as well while that input has
  // none.
  const std::vector<int>& ports = node.conditions()->made().named_inputs;
  return std::any_of(ports.begin(), ports.end(), [&](int port) {
    const NodeSnapshot::Input& input = snapshot.inputs[port];
    return input.queue_size == 0 && input.bound != Timestamp::Done();
  });
}

}  // namespace

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

LeftReport GraphRun::FindLeft() const {
  std::vector<NodeAtEnd> nodes;
  for (const Node::Placed& node : nodes_) {
    if (!node->HoldsPackets() && node->conditions() == nullptr) continue;
    NodeSnapshot snapshot = node->Snapshot();
    const int id = node->plan().id;
    nodes.push_back(
        {.node = id,
         .missing = FindMissing(id, snapshot),
         .waits_for_conditions = WaitsForConditions(*node, snapshot)});
    nodes.back().snapshot = std::move(snapshot);
  }
  return syncline::FindLeft(
      plan(), nodes,
      /*may_be_left=*/sources_.is_stopping() || time_limit_.is_over());
}

void GraphRun::WarnOfPacketsLeft(
    absl::Span<const std::string> sent_in_vain) const {
  const std::string warning =
      PacketsLeftWarning(life_.GetLeftAtEnd(), sent_in_vain);
  if (!warning.empty()) LOG(WARNING) << warning;
}

}  // namespace syncline
