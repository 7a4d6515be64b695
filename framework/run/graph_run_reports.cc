// Gathers what run_reports and packets_left_verdict turn into texts: who waits
// for what, and which packets are left at the end.

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "framework/node/node.h"
#include "framework/node/node_snapshot.h"
#include "framework/node/node_state.h"
#include "framework/plan/graph_plan.h"
#include "framework/report/packets_left_verdict.h"
#include "framework/report/run_reports.h"
#include "framework/run/graph_run.h"
#include "framework/run/poller_queue.h"
#include "glog/logging.h"

namespace syncline {
RunView GraphRun::View() const {
  RunView view;
  view.nodes = nodes_.Snapshots();
  for (std::size_t id = 0; id < view.nodes.size(); ++id) {
    view.missing.push_back(FindMissing(static_cast<int>(id), view.nodes[id]));
  }
  const int num_sources = static_cast<int>(plan().sources().size());
  for (int source = 0; source < num_sources; ++source) {
    view.sources.push_back({.is_pending = sources_.IsPending(source),
                            .is_paused = sources_.IsPaused(source)});
  }
  for (const std::shared_ptr<PollerQueue>& poller : setup_.pollers) {
    view.pollers.push_back({.stream = poller->stream(),
                            .is_full = poller->IsFull(),
                            .is_empty = poller->size() == 0});
  }
  return view;
}

std::string GraphRun::Explain() const {
  const RunView view = View();
  std::string text = StandstillText(FindStandstill(plan(), view));
  for (std::size_t id = 0; id < view.nodes.size(); ++id) {
    if (!HasSomethingToSay(view.nodes[id])) continue;
    absl::StrAppend(&text,
                    StallReport(plan(), static_cast<int>(id), view.nodes[id],
                                view.missing[id]),
                    "\n");
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
