// Gathers what run_reports and packets_left_verdict turn into texts: who waits
// for what, and which packets are left at the end.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "framework/base/misuse.h"
#include "framework/base/steady_time.h"
#include "framework/base/thread_state.h"
#include "framework/condition/condition.h"
#include "framework/condition/condition_result.h"
#include "framework/node/node.h"
#include "framework/node/node_conditions.h"
#include "framework/node/node_snapshot.h"
#include "framework/node/node_state.h"
#include "framework/plan/graph_plan.h"
#include "framework/report/packets_left_verdict.h"
#include "framework/report/run_reports.h"
#include "framework/report/run_view.h"
#include "framework/report/standstill.h"
#include "framework/run/described_observer.h"
#include "framework/run/graph_input.h"
#include "framework/run/graph_run.h"
#include "framework/run/output_tap.h"
#include "framework/run/poller_queue.h"
#include "framework/run/running_calls.h"
#include "framework/scheduler/waiters.h"
#include "glog/logging.h"

namespace syncline {
namespace {

// What the conditions of a node say that they hold, by condition.
std::vector<std::string> WaitTexts(const NodeConditions& conditions) {
  std::vector<std::string> texts;
  for (const std::shared_ptr<ConditionBase>& condition :
       conditions.made().objects) {
    std::string text;
    const absl::Status status =
        CallUserCode([&] { text = condition->WaitText(); });
    texts.push_back(status.ok() ? std::move(text) : "");
  }
  return texts;
}

// Of a call that a node has in flight; Unset for others.
Timestamp TimestampOfCall(absl::Span<const NodeSnapshot> nodes,
                          const void* call) {
  for (const NodeSnapshot& node : nodes) {
    for (std::size_t i = 0; i < node.calls.size(); ++i) {
      if (node.calls[i] == call) return node.call_timestamps[i];
    }
  }
  return Timestamp::Unset();
}

}  // namespace

RunView GraphRun::View() const {
  RunView view;
  view.nodes = nodes_.Snapshots();
  AddHoldsTo(&view);
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
  for (const std::shared_ptr<OutputTap>& tap : setup_.taps) {
    const auto* const observer = dynamic_cast<const Observer*>(tap.get());
    if (observer == nullptr) continue;
    view.observed_streams.push_back(tap->stream());
    if (observer->description() == nullptr) continue;
    view.observer_names.emplace(tap->stream(), observer->description()->name);
  }
  for (const std::unique_ptr<GraphInput>& input : inputs_) {
    const auto feeder = setup_.texts.feeders.find(input->plan().name);
    view.inputs.push_back(
        {.is_open = !input->is_closed(),
         .has_fed = input->LookIn().packets_added > 0,
         .feeder = feeder == setup_.texts.feeders.end() ? "" : feeder->second});
  }
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    view.executors.push_back(
        {.max_threads = queues_[static_cast<int>(i)]->max_threads()});
  }
  for (const RunningCalls::Call& call : RunningCalls::Look(this)) {
    view.calls.push_back({.call = call.call,
                          .timestamp = TimestampOfCall(view.nodes, call.call),
                          .thread = call.thread,
                          .thread_name = ThreadName(call.thread),
                          .observed_stream = call.observed_stream});
  }
  view.waiters = setup_.wait_point->LookAtWaiters(SteadyNowNs()).reasons;
  view.program_waits = setup_.texts.program_waits;
  view.is_paused = queues_.is_paused();
  view.sleeps_on_clock =
      setup_.clock->passing() == GraphClock::Passing::kByItself &&
      setup_.clock->num_sleeping() > 0;
  return view;
}

void GraphRun::AddHoldsTo(RunView* view) const {
  std::int64_t next_ns = ConditionResult::kNoTarget;
  for (const Node* const node : gated_nodes_) {
    NodeSnapshot& snapshot = view->nodes[node->plan().id];
    next_ns = std::min(next_ns, node->NextTarget());
    if (snapshot.is_held && node->conditions() != nullptr) {
      snapshot.wait_texts = WaitTexts(*node->conditions());
    }
  }
  if (next_ns != ConditionResult::kNoTarget) {
    view->next_time_in_ns = next_ns - setup_.clock->NowNs();
  }
}

std::uint64_t GraphRun::Progress() const {
  return activity_.period() + queues_.Progress();
}

std::vector<NodeSnapshot> GraphRun::Snapshot() const {
  std::vector<NodeSnapshot> snapshots = nodes_.Snapshots();
  device_times_.AddTo(absl::MakeSpan(snapshots));
  return snapshots;
}

std::string GraphRun::WhyItStandsStill(bool is_asked) const {
  const RunView view = View();
  const bool waits_for_clock =
      view.sleeps_on_clock ||
      (view.next_time_in_ns > 0 &&
       view.next_time_in_ns != ConditionResult::kNoTarget);
  if (waits_for_clock && !is_asked) return "";
  const Standstill standstill = FindStandstill(plan(), view);
  if (standstill.cause.empty() || standstill.waits_for_time) return "";
  if (standstill.may_be_device && !is_asked) return "";
  return absl::StrCat(StandstillText(standstill), WaitersText(plan(), view));
}

std::string GraphRun::Explain() const {
  const RunView view = View();
  std::string text = StandstillText(FindStandstill(plan(), view));
  absl::StrAppend(&text, WaitersText(plan(), view));
  for (std::size_t id = 0; id < view.nodes.size(); ++id) {
    if (!HasSomethingToSay(view.nodes[id])) continue;
    absl::StrAppend(&text,
                    StallReport(plan(), static_cast<int>(id), view.nodes[id],
                                view.missing[id], setup_.texts.feeders),
                    "\n");
  }
  return text.empty() ? "No packet waits at any node.\n" : text;
}

std::string GraphRun::Stall(int node, const NodeSnapshot& snapshot) const {
  return StallReport(plan(), node, snapshot, FindMissing(node, snapshot),
                     setup_.texts.feeders);
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
