#include "framework/run/run_look.h"

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

RunView RunLook::View() const {
  RunView view;
  view.nodes = parts_.nodes.Snapshots();
  AddHoldsTo(&view);
  for (std::size_t id = 0; id < view.nodes.size(); ++id) {
    view.missing.push_back(FindMissing(static_cast<int>(id), view.nodes[id]));
  }
  const int num_sources = static_cast<int>(parts_.plan.sources().size());
  for (int source = 0; source < num_sources; ++source) {
    view.sources.push_back({.is_pending = parts_.sources.IsPending(source),
                            .is_paused = parts_.sources.IsPaused(source)});
  }
  for (const std::shared_ptr<PollerQueue>& poller : parts_.pollers) {
    view.pollers.push_back({.stream = poller->stream(),
                            .is_full = poller->IsFull(),
                            .is_empty = poller->size() == 0});
  }
  for (const std::shared_ptr<OutputTap>& tap : parts_.taps) {
    const auto* const observer = dynamic_cast<const Observer*>(tap.get());
    if (observer == nullptr) continue;
    view.observed_streams.push_back(tap->stream());
    if (observer->description() == nullptr) continue;
    view.observer_names.emplace(tap->stream(), observer->description()->name);
  }
  for (const std::unique_ptr<GraphInput>& input : parts_.inputs) {
    const auto feeder = parts_.texts.feeders.find(input->plan().name);
    view.inputs.push_back(
        {.is_open = !input->is_closed(),
         .has_fed = input->LookIn().packets_added > 0,
         .feeder = feeder == parts_.texts.feeders.end() ? "" : feeder->second});
  }
  for (std::size_t i = 0; i < parts_.queues.size(); ++i) {
    view.executors.push_back(
        {.max_threads = parts_.queues[static_cast<int>(i)]->max_threads()});
  }
  for (const RunningCalls::Call& call : RunningCalls::Look(parts_.run)) {
    view.calls.push_back({.call = call.call,
                          .timestamp = TimestampOfCall(view.nodes, call.call),
                          .thread = call.thread,
                          .thread_name = ThreadName(call.thread),
                          .observed_stream = call.observed_stream});
  }
  view.waiters = parts_.wait_point->LookAtWaiters(SteadyNowNs()).reasons;
  view.program_waits = parts_.texts.program_waits;
  view.is_paused = parts_.queues.is_paused();
  view.sleeps_on_clock =
      parts_.clock->passing() == GraphClock::Passing::kByItself &&
      parts_.clock->num_sleeping() > 0;
  return view;
}

void RunLook::AddHoldsTo(RunView* view) const {
  std::int64_t next_ns = ConditionResult::kNoTarget;
  for (const Node* const node : parts_.gated_nodes) {
    NodeSnapshot& snapshot = view->nodes[node->plan().id];
    next_ns = std::min(next_ns, node->NextTarget());
    if (snapshot.is_held && node->conditions() != nullptr) {
      snapshot.wait_texts = WaitTexts(*node->conditions());
    }
  }
  if (next_ns != ConditionResult::kNoTarget) {
    view->next_time_in_ns = next_ns - parts_.clock->NowNs();
  }
}

std::string RunLook::WhyItStandsStill(bool is_asked) const {
  const RunView view = View();
  const bool waits_for_clock =
      view.sleeps_on_clock ||
      (view.next_time_in_ns > 0 &&
       view.next_time_in_ns != ConditionResult::kNoTarget);
  if (waits_for_clock && !is_asked) return "";
  const Standstill standstill = FindStandstill(parts_.plan, view);
  if (standstill.cause.empty() || standstill.waits_for_time) return "";
  if (standstill.may_be_device && !is_asked) return "";
  return absl::StrCat(StandstillText(standstill),
                      WaitersText(parts_.plan, view));
}

std::string RunLook::Explain() const {
  const RunView view = View();
  std::string text = StandstillText(FindStandstill(parts_.plan, view));
  absl::StrAppend(&text, WaitersText(parts_.plan, view));
  for (std::size_t id = 0; id < view.nodes.size(); ++id) {
    if (!HasSomethingToSay(view.nodes[id])) continue;
    absl::StrAppend(
        &text,
        StallReport(parts_.plan, static_cast<int>(id), view.nodes[id],
                    view.missing[id], parts_.texts.feeders),
        "\n");
  }
  return text.empty() ? "No packet waits at any node.\n" : text;
}

std::string RunLook::Stall(int node, const NodeSnapshot& snapshot) const {
  return StallReport(parts_.plan, node, snapshot, FindMissing(node, snapshot),
                     parts_.texts.feeders);
}

MissingToOpen RunLook::FindMissing(int node,
                                   const NodeSnapshot& snapshot) const {
  if (snapshot.state != NodeState::kWaiting) return {};
  return syncline::FindMissing(
      parts_.plan, node,
      [this](int id) { return !parts_.side_packets.Get(id).IsEmpty(); },
      [this](int other) {
        return parts_.nodes[other]->state() > NodeState::kOpening;
      });
}

PacketsLeftVerdict RunLook::FindLeft(bool may_be_left) const {
  std::vector<NodeAtEnd> nodes;
  for (const Node::Placed& node : parts_.nodes) {
    const bool is_left = node->HasPackets() || node->PacketsInside() > 0;
    if (!is_left && node->conditions() == nullptr) continue;
    NodeSnapshot snapshot = node->Snapshot();
    const int id = node->plan().id;
    nodes.push_back({.node = id,
                     .missing = FindMissing(id, snapshot),
                     .waits_for_conditions = node->WaitsForConditions()});
    nodes.back().snapshot = std::move(snapshot);
  }
  return syncline::FindLeft(parts_.plan, nodes, may_be_left);
}

}  // namespace syncline
