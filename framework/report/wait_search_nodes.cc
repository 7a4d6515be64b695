// WaitSearch: what is the matter with one node, and which stream it waits for.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/optional.h"
#include "framework/condition/condition_result.h"
#include "framework/graph_text/node_names.h"
#include "framework/node/node_snapshot.h"
#include "framework/node/node_state.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/report/call_step.h"
#include "framework/report/run_reports.h"
#include "framework/report/run_view.h"
#include "framework/report/wait_search.h"
#include "framework/report/wait_step.h"

namespace syncline {
namespace {

// The time of the earliest packet that waits; Done if none waits.
Timestamp EarliestPacket(const NodeSnapshot& node) {
  Timestamp earliest = Timestamp::Done();
  for (const NodeSnapshot::Input& input : node.inputs) {
    if (input.queue_size > 0) {
      earliest = std::min(earliest, input.min_timestamp_or_bound);
    }
  }
  return earliest;
}

}  // namespace

WaitStep WaitSearch::NotOpen(int node) const {
  const MissingToOpen& missing = view_.missing[node];
  WaitStep step;
  step.who = node;
  if (!missing.side_packets.empty()) {
    const PlanSidePacket& side_packet =
        plan_.side_packets()[missing.side_packets[0]];
    step.what = absl::StrCat("is not open, as it waits for side packet ",
                             Quoted(side_packet.name));
    step.next = side_packet.producer.node;
    step.relation = "which sets it";
    const int producer = side_packet.producer.node;
    step.advice =
        absl::StrCat("Let ", Name(producer),
                     " set it in Open(), or mark the input side packet "
                     "Optional().");
    // Who is open and waits for nothing just has not set it.
    if (!IsWaiting(producer)) {
      step.next = WaitStep::kNobody;
      absl::StrAppend(&step.what, ", which ", Name(producer), " has not set");
      const int behind = FurthestBehind(producer, Timestamp::Done());
      if (behind >= 0) {
        absl::StrAppend(
            &step.advice, " If it sets it in a later call, send it what it ",
            "takes on stream ",
            StreamName(plan_.nodes()[producer].inputs[behind].stream), ".");
      }
    }
  } else if (!missing.streams.empty()) {
    const PlanStream& stream = plan_.streams()[missing.streams[0]];
    step.what = absl::StrCat("is not open, as it waits for the header of ",
                             "stream ", Quoted(stream.name));
    step.next = stream.producer.node;
    step.relation = "which sends it";
  } else {
    step.what = "is about to be opened";
    step.may_be_device = true;
    step.advice =
        "See what the threads do otherwise (gdb -p PID, \"thread apply all "
        "bt\").";
  }
  return step;
}

bool WaitSearch::IsHeld(const NodeSnapshot& snapshot) {
  return snapshot.is_held &&
         absl::c_any_of(snapshot.conditions, [](const ConditionResult& result) {
           return result.state != ConditionState::kReady;
         });
}
bool WaitSearch::IsSwitchedOff(const NodeSnapshot& snapshot) {
  const auto is_switch = [](const ConditionResult& result) {
    return result.state == ConditionState::kNever ||
           (result.state == ConditionState::kWaitEvent && !result.holds_time);
  };
  return snapshot.is_held && absl::c_any_of(snapshot.conditions, is_switch) &&
         absl::c_none_of(
             snapshot.conditions, [](const ConditionResult& result) {
               return result.target_ns != ConditionResult::kNoTarget;
             });
}

WaitStep WaitSearch::Held(int node) const {
  const NodeSnapshot& snapshot = view_.nodes[node];
  const bool has_time =
      absl::c_any_of(snapshot.conditions, [](const ConditionResult& result) {
        return result.target_ns != ConditionResult::kNoTarget;
      });
  // Time passes by itself, or is the application's to move.
  WaitStep step = LastStep(node, HeldByText(plan_.nodes()[node], snapshot),
                           has_time ? "" : HeldAdvice(node));
  step.waits_for_time = has_time;
  if (IsSwitchedOff(snapshot)) {
    // Memory comes back once those who read the packets in it have made their
    // calls.
    step.in_vain_after = WaitsForMemory(node) ? WaitStep::kAfterSlowCalls : 1;
  }
  return step;
}

bool WaitSearch::WaitsForMemory(int node) const {
  const NodeSnapshot& snapshot = view_.nodes[node];
  for (std::size_t i = 0; i < snapshot.conditions.size(); ++i) {
    if (snapshot.conditions[i].state != ConditionState::kReady &&
        absl::EndsWith(plan_.nodes()[node].conditions->conditions[i].type,
                       "MemoryAvailableCondition")) {
      return true;
    }
  }
  return false;
}

std::string WaitSearch::HeldAdvice(int node) const {
  constexpr char kElse[] = ", or take the condition out of the node.";
  const PlanNode& plan = plan_.nodes()[node];
  const NodeSnapshot& snapshot = view_.nodes[node];
  for (std::size_t i = 0; i < snapshot.conditions.size(); ++i) {
    if (snapshot.conditions[i].state == ConditionState::kReady) continue;
    const PlanCondition& condition = plan.conditions->conditions[i];
    const std::string get =
        absl::StrCat("GetCondition(\"", plan.name, "/", condition.name, "\")");
    if (absl::EndsWith(condition.type, "BooleanCondition")) {
      return absl::StrCat("Call enable_tick() of ", get, kElse);
    }
    if (absl::EndsWith(condition.type, "AsynchronousCondition")) {
      return absl::StrCat(
          "Let what the node waits for call "
          "event_state(EVENT_DONE) of ",
          get, kElse);
    }
    if (absl::EndsWith(condition.type, "MemoryAvailableCondition")) {
      return absl::StrCat("See who keeps packets in that memory",
                          ReadersText(plan),
                          ", or give the allocator more blocks.");
    }
  }
  return absl::StrCat("Let happen what the condition waits for", kElse);
}

std::string WaitSearch::ReadersText(const PlanNode& node) const {
  constexpr std::size_t kMostNamed = 8;
  std::vector<std::string> names;
  for (const PlanOutput& output : node.outputs) {
    for (const PortRef& reader : plan_.streams()[output.stream].consumers) {
      std::string name = Name(reader.node);
      if (!absl::c_linear_search(names, name)) names.push_back(std::move(name));
    }
  }
  if (names.empty()) return "";
  if (names.size() > kMostNamed) {
    const std::size_t more = names.size() - kMostNamed;
    names.resize(kMostNamed);
    names.push_back(absl::StrCat(more, " more"));
  }
  return absl::StrCat(", such as ", absl::StrJoin(names, ", "),
                      ", to which the node sends");
}

WaitStep WaitSearch::Pending(int node) const {
  WaitStep step;
  step.who = node;
  step.what = "waits for the sources of a lower source_layer to end";
  step.relation = "which is one of them";
  step.advice =
      "Let those sources end, or give the others the same "
      "source_layer.";
  int lowest = -1;
  for (const PlanNode& other : plan_.nodes()) {
    if (other.sources.position < 0 ||
        view_.sources[other.sources.position].is_pending ||
        view_.nodes[other.id].state == NodeState::kClosed) {
      continue;
    }
    if (lowest < 0 ||
        other.sources.layer < plan_.nodes()[lowest].sources.layer) {
      lowest = other.id;
    }
  }
  if (lowest < 0) return step;
  step.next = lowest;
  // A source that only goes on and on is the cause itself.
  if (!IsWaiting(lowest)) {
    step.next = WaitStep::kNobody;
    absl::StrAppend(&step.what, ", and ", Name(lowest),
                    " is one of them and goes on");
  }
  return step;
}

absl::optional<WaitStep> WaitSearch::Paused(int who, int source) const {
  for (const PlanNode& node : plan_.nodes()) {
    const NodeSnapshot& snapshot = view_.nodes[node.id];
    for (std::size_t port = 0; port < snapshot.inputs.size(); ++port) {
      if (!snapshot.inputs[port].is_full) continue;
      const PlanStream& stream = plan_.streams()[node.inputs[port].stream];
      if (!IsFedBy(stream, source)) continue;
      WaitStep step;
      step.who = who;
      step.what = absl::StrCat("is paused by the full queue of stream ",
                               Quoted(stream.name), " at ", Name(node.id));
      step.next = node.id;
      step.relation = "which has that queue";
      step.is_pause = true;
      step.advice = absl::StrCat(
          "Give the queue of ", Quoted(stream.name), " at ", Name(node.id),
          " more room than ", snapshot.inputs[port].queue_size,
          " packets with max_queue_size, or let what it waits for come "
          "sooner.");
      return step;
    }
  }
  for (const RunView::Poller& poller : view_.pollers) {
    if (!poller.is_full || !IsFedBy(plan_.streams()[poller.stream], source)) {
      continue;
    }
    return LastStep(who,
                    absl::StrCat("is paused by the full poller of stream ",
                                 StreamName(poller.stream),
                                 ", which the application does not read"),
                    "Call Next() of that poller, or destroy it if nobody needs "
                    "its packets.");
  }
  return absl::nullopt;
}
bool WaitSearch::IsFedBy(const PlanStream& stream, int source) const {
  bool is_fed = false;
  plan_.ForEachSource(stream.source_set,
                      [&](int feeder) { is_fed = is_fed || feeder == source; });
  return is_fed;
}

// --- Streams

Timestamp WaitSearch::NeededAt(int node, Timestamp needed) const {
  const NodeSnapshot& snapshot = view_.nodes[node];
  const Timestamp earliest = EarliestPacket(snapshot);
  if (earliest != Timestamp::Done()) return earliest;
  if (snapshot.batched_sets > 0) return Timestamp::Done();
  const TimestampDiff offset = plan_.nodes()[node].bounds.offset;
  return needed.IsRangeValue() && offset != TimestampDiff::Unset()
             ? needed - offset
             : needed;
}

int WaitSearch::LowestBehind(int node, Timestamp until, bool back_edges) const {
  const NodeSnapshot& snapshot = view_.nodes[node];
  int lowest = -1;
  for (std::size_t port = 0; port < snapshot.inputs.size(); ++port) {
    const NodeSnapshot::Input& input = snapshot.inputs[port];
    if (plan_.nodes()[node].inputs[port].back_edge != back_edges ||
        input.bound == Timestamp::Done() || input.queue_size > 0 ||
        input.bound > until) {
      continue;
    }
    if (lowest < 0 || input.bound < snapshot.inputs[lowest].bound) {
      lowest = static_cast<int>(port);
    }
  }
  return lowest;
}

int WaitSearch::FurthestBehind(int node, Timestamp needed) const {
  const NodeSnapshot& snapshot = view_.nodes[node];
  const Timestamp until = NeededAt(node, needed);
  const bool has_packets = EarliestPacket(snapshot) != Timestamp::Done();
  int furthest = LowestBehind(node, until, /*back_edges=*/false);
  const int back_edge = LowestBehind(node, until, /*back_edges=*/true);
  if (back_edge >= 0) {
    const bool waits_for_loop =
        has_packets || snapshot.batched_sets > 0 ||
        HoldsBackFor(node, static_cast<std::size_t>(back_edge));
    if (furthest < 0 ||
        (waits_for_loop &&
         snapshot.inputs[back_edge].bound < snapshot.inputs[furthest].bound)) {
      furthest = back_edge;
    }
  }
  if (furthest >= 0 || !has_packets) return furthest;
  // The handler looks behind the first packets of the queues.
  const auto last = std::ranges::min_element(snapshot.inputs, {},
                                             &NodeSnapshot::Input::bound);
  return last->bound == Timestamp::Done()
             ? -1
             : static_cast<int>(last - snapshot.inputs.begin());
}

WaitStep WaitSearch::WaitsForStream(int who, int stream, Timestamp needed,
                                    bool goes_back) const {
  WaitStep step;
  step.who = who;
  step.what = absl::StrCat("waits for stream ", StreamName(stream));
  if (needed != Timestamp::Done()) {
    step.told_as = step.what;
    absl::StrAppend(&step.what, " up to ", TimeText(needed));
  }
  step.next = plan_.streams()[stream].producer.node;
  step.relation = "which sends it";
  step.needed = needed;
  step.stream = stream;
  step.goes_back = goes_back;
  step.advice = absl::StrCat("Start the loop: let ",
                             Name(plan_.streams()[stream].producer.node),
                             " send a first packet, or a bound, in Open().");
  return step;
}

WaitStep WaitSearch::PromisesNothing(int node, int stream) const {
  const PlanBounds& bounds = plan_.nodes()[node].bounds;
  const std::string sent = stream < 0 ? "its outputs" : StreamName(stream);
  const NodeSnapshot& snapshot = view_.nodes[node];
  if (snapshot.packets_inside > 0) {
    return LastStep(
        node,
        absl::StrCat("holds packets at parts of it, which wait for others: ",
                     snapshot.where_inside),
        absl::StrCat("Let the part of ", Name(node),
                     " that sends what they "
                     "wait for say how far it has come: "
                     "SetTimestampOffset(0) in its contract, or "
                     "SetNextTimestampBound(). Without fusing them, each part "
                     "is named."));
  }
  if (bounds.are_processed || bounds.offset != TimestampDiff::Unset()) {
    return LastStep(
        node,
        absl::StrCat("has processed all that came, and has not raised "
                     "the bound of ",
                     sent, " so far"),
        absl::StrCat("Let ", Name(node),
                     " raise the bound with SetNextTimestampBound()."));
  }
  return LastStep(
      node, "promises no bounds while it sends nothing",
      absl::StrCat("Let ", Name(node), " say how far ", sent,
                   " has come: SetTimestampOffset(0) in its contract, if its "
                   "packets have the times of its inputs, or "
                   "SetNextTimestampBound() in each call that sends nothing."));
}

}  // namespace syncline
