// What can be seen of a run, and what it says: who waits for what, why it
// stands still, and which queues without limit have become absurdly long.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "framework/base/mutex.h"
#include "framework/condition/condition_result.h"
#include "framework/graph/graph_run.h"
#include "framework/node/node.h"
#include "framework/node/node_state.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/plan/make_conditions.h"
#include "framework/plan/node_names.h"
#include "framework/stream/drop_cause.h"
#include "glog/logging.h"

namespace syncline {
namespace {

// Which of its conditions keep a node waiting.
std::string HeldText(const PlanNode& plan, const NodeSnapshot& snapshot) {
  std::vector<std::string> held_by;
  for (size_t i = 0; i < snapshot.conditions.size(); ++i) {
    const ConditionResult& its = snapshot.conditions[i];
    if (its.state == ConditionState::kReady) continue;
    held_by.push_back(absl::StrCat(
        ConditionText(plan.conditions->conditions[i]), ", which says ",
        ConditionStateName(its.state),
        its.target_ns == ConditionResult::kNoTarget
            ? ""
            : absl::StrCat(" until ", its.target_ns, " ns"),
        its.reason.empty() ? "" : absl::StrCat(" (", its.reason, ")")));
  }
  return absl::StrCat(" is held by ", absl::StrJoin(held_by, ", and by "));
}

// What a node does that need not have its inputs.
std::string TimeoutText(const NodeSnapshot& snapshot) {
  if (snapshot.input_wait_until_ns == ConditionResult::kNoTarget) return "";
  return absl::StrCat(" At ", snapshot.input_wait_until_ns,
                      " ns of the graph's clock it is called all the same.");
}

}  // namespace

// --- Looking in

std::vector<NodeSnapshot> GraphRun::Snapshot() const {
  std::vector<NodeSnapshot> snapshots;
  snapshots.reserve(nodes_.size());
  for (const Node::Placed& node : nodes_) {
    snapshots.push_back(node->Snapshot());
  }
  return snapshots;
}

bool GraphRun::IsNodeThrottled(int node) const {
  const int source = plan_.nodes()[node].source;
  return source >= 0 && sources_.IsPaused(source);
}

std::string GraphRun::Explain() const {
  std::string text;
  const std::vector<NodeSnapshot> snapshots = Snapshot();
  for (size_t node = 0; node < snapshots.size(); ++node) {
    const bool holds_packets = std::any_of(
        snapshots[node].inputs.begin(), snapshots[node].inputs.end(),
        [](const NodeSnapshot::Input& input) { return input.queue_size > 0; });
    if (!holds_packets && snapshots[node].batched_sets == 0 &&
        !snapshots[node].is_held &&
        snapshots[node].input_wait_until_ns == ConditionResult::kNoTarget) {
      continue;
    }
    absl::StrAppend(&text, StallReport(static_cast<int>(node), snapshots[node]),
                    "\n");
  }
  return text.empty() ? "No node holds packets.\n" : text;
}

// --- Standing still

std::string GraphRun::WhyNotOpen(const PlanNode& node) const {
  std::vector<std::string> missing;
  for (const int id : node.input_side_packets) {
    const PlanSidePacket& side_packet = plan_.side_packets()[id];
    const int producer = side_packet.producer.node;
    if (producer < 0 || !SidePacket(id).IsEmpty()) continue;
    missing.push_back(absl::StrCat("side packet \"", side_packet.name,
                                   "\" from ",
                                   NodeLabel(*plan_.nodes()[producer].config)));
  }
  for (const PlanInput& input : node.inputs) {
    const PlanStream& stream = plan_.streams()[input.stream];
    const int producer = stream.producer.node;
    if (input.back_edge || producer < 0) continue;
    if (nodes_[producer]->state() > NodeState::kOpening) continue;
    missing.push_back(absl::StrCat("the header of stream \"", stream.name,
                                   "\" from ",
                                   NodeLabel(*plan_.nodes()[producer].config)));
  }
  return absl::StrJoin(missing, ", and for ");
}

std::string GraphRun::StallReport(int node,
                                  const NodeSnapshot& snapshot) const {
  const PlanNode& plan = plan_.nodes()[node];
  Timestamp earliest = Timestamp::Done();
  std::vector<std::string> waiting;
  for (size_t port = 0; port < snapshot.inputs.size(); ++port) {
    const NodeSnapshot::Input& input = snapshot.inputs[port];
    if (input.queue_size == 0) continue;
    earliest = std::min(earliest, input.min_timestamp_or_bound);
    const PlanStream& stream = plan_.streams()[plan.inputs[port].stream];
    waiting.push_back(absl::StrCat(
        "\"", stream.name, "\" (", input.queue_size,
        input.queue_size == 1 ? " packet" : " packets",
        input.bytes < 0 ? "" : absl::StrCat(", ", input.bytes, " bytes"),
        input.is_full ? ", full)" : ")"));
  }
  std::string report = absl::StrCat("The ", NodeLabel(*plan.config));
  if (!waiting.empty()) {
    absl::StrAppend(&report, " holds packets of ",
                    absl::StrJoin(waiting, ", "));
  }
  if (snapshot.batched_sets > 0) {
    absl::StrAppend(&report, waiting.empty() ? "" : ",", " has collected ",
                    snapshot.batched_sets,
                    " input sets for a batch that is not full");
  }
  std::vector<std::string> missing;
  for (size_t port = 0; port < snapshot.inputs.size(); ++port) {
    const NodeSnapshot::Input& input = snapshot.inputs[port];
    if (input.queue_size > 0 || input.bound > earliest) continue;
    if (input.bound == Timestamp::Done()) continue;
    const PlanStream& stream = plan_.streams()[plan.inputs[port].stream];
    const int producer = stream.producer.node;
    missing.push_back(absl::StrCat(
        "\"", stream.name, "\", whose bound is ", input.bound.DebugString(),
        // What is in a batch is processed when the inputs end.
        !waiting.empty() ? absl::StrCat(", to pass ", earliest.DebugString())
        : snapshot.batched_sets > 0 ? ", to end"
                                    : "",
        "; it comes from ",
        producer < 0 ? "the application"
                     : NodeLabel(*plan_.nodes()[producer].config)));
  }
  if (snapshot.state == NodeState::kWaiting) {
    const std::string why = WhyNotOpen(plan);
    absl::StrAppend(&report, " and is not open",
                    why.empty() ? "" : ": it waits for ", why, ".");
  } else if (snapshot.is_held) {
    absl::StrAppend(&report,
                    waiting.empty() && snapshot.batched_sets == 0 ? "" : " and",
                    HeldText(plan, snapshot), ".");
  } else if (!missing.empty()) {
    absl::StrAppend(&report, " and waits for stream ",
                    absl::StrJoin(missing, ", and for stream "), ".",
                    TimeoutText(snapshot));
  } else if (snapshot.calls_in_flight > 0) {
    absl::StrAppend(&report, " and is being called.");
  } else if (snapshot.state == NodeState::kOpen && !waiting.empty()) {
    // A handler that looks behind the first packets waits for the stream that
    // has come least far.
    const auto behind = std::min_element(
        snapshot.inputs.begin(), snapshot.inputs.end(),
        [](const NodeSnapshot::Input& a, const NodeSnapshot::Input& b) {
          return a.bound < b.bound;
        });
    const PlanInput& input = plan.inputs[behind - snapshot.inputs.begin()];
    absl::StrAppend(&report, " and its ", plan.input_stream_handler,
                    " waits for more of stream \"",
                    plan_.streams()[input.stream].name, "\", whose bound is ",
                    behind->bound.DebugString(), ".");
  } else {
    absl::StrAppend(&report, ".");
  }
  std::vector<std::string> dropped;
  for (size_t port = 0; port < snapshot.inputs.size(); ++port) {
    std::string text =
        DroppedText(snapshot.inputs[port].drops,
                    plan_.streams()[plan.inputs[port].stream].name);
    if (!text.empty()) dropped.push_back(std::move(text));
  }
  if (!dropped.empty()) {
    absl::StrAppend(&report, " It has dropped ", absl::StrJoin(dropped, ", "),
                    ".");
  }
  return report;
}

std::string GraphRun::DeadlockReport(int node,
                                     const NodeSnapshot& snapshot) const {
  const PlanSettings& settings = plan_.settings();
  std::string bytes;
  if (std::any_of(
          snapshot.inputs.begin(), snapshot.inputs.end(),
          [](const NodeSnapshot::Input& in) { return in.bytes >= 0; })) {
    bytes = settings.max_queue_bytes_ceiling == 0
                ? ", or of ten times their bytes"
                : absl::StrCat(", or of ", settings.max_queue_bytes_ceiling,
                               " bytes");
  }
  return absl::StrCat(
      "Detected a deadlock due to input throttling",
      settings.report_deadlock
          ? ""
          : absl::StrCat(", and queues have reached their ceiling of ",
                         settings.max_queue_size_ceiling, " packets", bytes),
      ". ", StallReport(node, snapshot),
      " Feed that stream or move its bound; or give the queue room with "
      "max_queue_size or max_queue_bytes",
      settings.report_deadlock
          ? ", or let it grow with report_deadlock: false."
          : ", or a higher ceiling with max_queue_size_ceiling or "
            "max_queue_bytes_ceiling.");
}

std::string GraphRun::RoomReport() const {
  std::string report =
      "Detected a deadlock: nodes wait for room in queues behind them";
  bool is_short = false;
  for (const Node* const node : gated_nodes_) {
    if (!WaitsForRoom(*node, node->HeldBy())) continue;
    ForEachShortRoom(*node, [&](const ReaderPort& reader, std::int64_t room) {
      is_short = true;
      const PlanNode& to = reader.node->plan();
      absl::StrAppend(&report, ". The ", NodeLabel(*node->plan().config),
                      " waits for room for ", room,
                      " packets in the queue of stream \"",
                      plan_.streams()[to.inputs[reader.port].stream].name,
                      "\" at ", NodeLabel(*to.config), ", which has it for ",
                      reader.node->Room(reader.port));
    });
  }
  if (!is_short) return "";
  const PlanSettings& settings = plan_.settings();
  absl::StrAppend(
      &report,
      settings.report_deadlock
          ? ""
          : absl::StrCat(", and may not grow beyond its ceiling of ",
                         settings.max_queue_size_ceiling, " packets"),
      ". What waits for what:\n", Explain(),
      "Give the queue room with max_queue_size",
      settings.report_deadlock
          ? ", or let it grow with report_deadlock: false"
          : ", or a higher ceiling with max_queue_size_ceiling",
      "; or ask for less with min_size.");
  return report;
}

void GraphRun::WarnOfStall() const {
  LOG(WARNING) << "The run waits for the application, as queues are full and "
                  "may not grow any more. Feed or close graph inputs, or read "
                  "what pollers hold. What waits for what:\n"
               << Explain();
}

// --- Long queues: one warning for each, and again at each tenfold

void GraphRun::WarnOfOffset(const Node& node) {
  const PlanNode& plan = node.plan();
  if (remembered_ != nullptr &&
      std::exchange((*remembered_)[plan.id].has_warned_of_offset, true)) {
    return;
  }
  LOG(WARNING) << NodeLabel(*plan.config)
               << " has a timestamp offset, and several sync sets, since its "
                  "input stream handler is \""
               << plan.input_stream_handler
               << "\": a call for one set may be too early for the bound that "
                  "followed from a call for another. Its contract should say "
                  "SetProcessTimestampBounds(true), in place of "
                  "SetTimestampOffset() there or SetOffset() in Open.";
}

void GraphRun::WarnOfLongQueue(int node, int stream, std::int64_t size) const {
  LOG(WARNING) << "The input queue of stream \"" << plan_.streams()[stream].name
               << "\" at " << NodeLabel(*plan_.nodes()[node].config)
               << " has no limit and holds " << size << " packets. "
               << StallReport(node, nodes_[node]->Snapshot())
               << " Feed what it waits for, or set max_queue_size or "
                  "max_queue_bytes in the graph, so that sources and graph "
                  "inputs wait. (queue_warning_size sets when this is said.)";
}

void GraphRun::WarnOfFewMatches(const Turn::FullEdge& report) const {
  const PlanNode& node = plan_.nodes()[report.node];
  LOG(WARNING) << "At " << NodeLabel(*node.config) << ", only "
               << report.matched << " of the first " << report.size
               << " packets of stream \"" << plan_.streams()[report.stream].name
               << "\" matched packets of the others, less than the "
                  "min_match_share of \""
               << node.input_stream_handler
               << "\". Do the streams have the same clock, and are the limits "
                  "wide enough for it? (GetGraphRuntimeInfo() counts packets "
                  "that matched nothing, as UNMATCHED. Said again at each "
                  "tenfold.)";
}

void GraphRun::WarnOfLongPoller(int stream, std::int64_t size) const {
  LOG(WARNING) << "An OutputStreamPoller of stream \""
               << plan_.streams()[stream].name << "\" has no limit and holds "
               << size
               << " packets that nobody reads. Call Next(), drop the poller's "
                  "packets with Reset(), or give it a limit with "
                  "SetMaxQueueSize(), so that sources and graph inputs wait. "
                  "(queue_warning_size sets when this is said.)";
}

}  // namespace syncline
