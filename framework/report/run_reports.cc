#include "framework/report/run_reports.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "framework/condition/condition_result.h"
#include "framework/graph_text/node_names.h"
#include "framework/node/node_snapshot.h"
#include "framework/node/node_state.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/plan/make_conditions.h"
#include "framework/report/memory_budget.h"
#include "framework/stream/drop_cause.h"

namespace syncline {
namespace {

// The time at which a node is called even if inputs are missing; empty if there
// is no such time.
std::string TimeoutText(const NodeSnapshot& snapshot) {
  if (snapshot.input_wait.until_ns == ConditionResult::kNoTarget) return "";
  return absl::StrCat(
      " At ",
      absl::FormatDuration(absl::Nanoseconds(snapshot.input_wait.until_ns)),
      " of the graph's clock it is called all the same.");
}

std::string WhyNotOpen(const GraphPlan& plan, const MissingToOpen& missing) {
  std::vector<std::string> texts;
  for (const int id : missing.side_packets) {
    const PlanSidePacket& side_packet = plan.side_packets()[id];
    texts.push_back(absl::StrCat(
        "side packet \"", side_packet.name, "\" from ",
        NodeLabel(plan.nodes()[side_packet.producer.node].config())));
  }
  for (const int stream : missing.streams) {
    texts.push_back(absl::StrCat("the header of stream \"",
                                 plan.streams()[stream].name, "\" from ",
                                 ProducerText(plan, stream, {})));
  }
  return absl::StrJoin(texts, ", and for ");
}

// The parts of a report that speak of the inputs of a node.
class InputTexts {
 public:
  // All borrowed.
  InputTexts(const GraphPlan& plan, const PlanNode& node,
             const NodeSnapshot& snapshot, const FeederNames& feeders)
      : plan_(plan), node_(node), snapshot_(snapshot), feeders_(feeders) {
    for (const NodeSnapshot::Input& input : snapshot.inputs) {
      if (input.queue_size == 0) continue;
      has_packets_ = true;
      earliest_ = std::min(earliest_, input.min_timestamp_or_bound);
    }
  }

  // The streams with packets that wait.
  std::vector<std::string> Waiting() const {
    return Texts([this](int port, const NodeSnapshot::Input& input) {
      if (input.queue_size == 0) return std::string();
      return absl::StrCat(
          "\"", StreamName(port), "\" (", input.queue_size,
          input.queue_size == 1 ? " packet" : " packets",
          input.bytes < 0 ? "" : absl::StrCat(", ", input.bytes, " bytes"),
          input.is_full ? ", full)" : ")");
    });
  }
  // The streams whose bound keeps the earliest packets waiting, and what each
  // of them has to do.
  std::vector<std::string> Behind() const {
    return Texts([this](int port, const NodeSnapshot::Input& input) {
      if (input.queue_size > 0 || input.bound > earliest_ ||
          input.bound == Timestamp::Done()) {
        return std::string();
      }
      return absl::StrCat(
          "\"", StreamName(port), "\", whose bound is ",
          input.bound.DebugString(),
          // The input sets of a batch are processed when the inputs end.
          has_packets_ ? absl::StrCat(", to pass ", earliest_.DebugString())
          : snapshot_.batched_sets > 0 ? ", to end"
                                       : "",
          "; it comes from ",
          ProducerText(plan_, node_.inputs[port].stream, feeders_));
    });
  }
  // The handler looks behind the first packets of the queues, and waits for the
  // stream with the lowest bound.
  std::string WaitsForMore() const {
    const auto last = std::ranges::min_element(snapshot_.inputs, {},
                                               &NodeSnapshot::Input::bound);
    const auto port = static_cast<int>(last - snapshot_.inputs.begin());
    return absl::StrCat(" and its ", node_.handlers.input,
                        " waits for more of stream \"", StreamName(port),
                        "\", whose bound is ", last->bound.DebugString(), ".");
  }
  std::vector<std::string> Dropped() const {
    return Texts([this](int port, const NodeSnapshot::Input& input) {
      return DroppedText(input.drops, StreamName(port));
    });
  }

 private:
  // The texts that `text` gives for the inputs, without those that are empty.
  template <typename Text>
  std::vector<std::string> Texts(Text text) const {
    std::vector<std::string> texts;
    for (size_t port = 0; port < snapshot_.inputs.size(); ++port) {
      std::string said = text(static_cast<int>(port), snapshot_.inputs[port]);
      if (!said.empty()) texts.push_back(std::move(said));
    }
    return texts;
  }
  absl::string_view StreamName(int port) const {
    return plan_.streams()[node_.inputs[port].stream].name;
  }

  const GraphPlan& plan_;
  const PlanNode& node_;
  const NodeSnapshot& snapshot_;
  const FeederNames& feeders_;
  bool has_packets_ = false;
  Timestamp earliest_ = Timestamp::Done();
};

}  // namespace

std::string ProducerText(const GraphPlan& plan, int stream,
                         const FeederNames& feeders) {
  const PlanStream& sent = plan.streams()[stream];
  if (sent.producer.node >= 0) {
    return NodeLabel(plan.nodes()[sent.producer.node].config());
  }
  const auto feeder = feeders.find(std::string(sent.name));
  return feeder == feeders.end() ? "the application" : feeder->second;
}

MissingToOpen FindMissing(
    const GraphPlan& plan, int node,
    absl::FunctionRef<bool(int side_packet)> has_side_packet,
    absl::FunctionRef<bool(int node)> has_opened) {
  MissingToOpen missing;
  for (const int id : plan.nodes()[node].input_side_packets) {
    if (plan.side_packets()[id].producer.node < 0) continue;
    if (!has_side_packet(id)) missing.side_packets.push_back(id);
  }
  for (const PlanInput& input : plan.nodes()[node].inputs) {
    const int producer = plan.streams()[input.stream].producer.node;
    if (input.back_edge || producer < 0 || has_opened(producer)) continue;
    missing.streams.push_back(input.stream);
  }
  return missing;
}

bool HasSomethingToSay(const NodeSnapshot& snapshot) {
  return snapshot.batched_sets > 0 || snapshot.packets_inside > 0 ||
         snapshot.is_held ||
         snapshot.input_wait.until_ns != ConditionResult::kNoTarget ||
         absl::c_any_of(snapshot.inputs, [](const NodeSnapshot::Input& input) {
           return input.queue_size > 0;
         });
}

std::string HeldByText(const PlanNode& plan, const NodeSnapshot& snapshot) {
  std::vector<std::string> held_by;
  for (size_t i = 0; i < snapshot.conditions.size(); ++i) {
    const ConditionResult& result = snapshot.conditions[i];
    if (result.state == ConditionState::kReady) continue;
    held_by.push_back(absl::StrCat(
        ConditionText(plan.conditions->conditions[i]), ", which says ",
        ConditionStateName(result.state),
        result.target_ns == ConditionResult::kNoTarget
            ? ""
            : absl::StrCat(
                  " until ",
                  absl::FormatDuration(absl::Nanoseconds(result.target_ns)),
                  " of the graph's clock"),
        result.reason.empty() ? "" : absl::StrCat(" (", result.reason, ")"),
        i < snapshot.wait_texts.size() && !snapshot.wait_texts[i].empty()
            ? absl::StrCat(", as ", snapshot.wait_texts[i])
            : ""));
  }
  return absl::StrCat("is held by ", absl::StrJoin(held_by, ", and by "));
}

std::string StallReport(const GraphPlan& plan, int node,
                        const NodeSnapshot& snapshot,
                        const MissingToOpen& missing,
                        const FeederNames& feeders) {
  const PlanNode& plan_node = plan.nodes()[node];
  const InputTexts inputs(plan, plan_node, snapshot, feeders);
  const std::vector<std::string> waiting = inputs.Waiting();
  std::string report = absl::StrCat("The ", NodeLabel(plan_node.config()));
  if (!waiting.empty()) {
    absl::StrAppend(&report, " holds packets of ",
                    absl::StrJoin(waiting, ", "));
  }
  if (snapshot.batched_sets > 0) {
    absl::StrAppend(&report, waiting.empty() ? "" : ",", " has collected ",
                    snapshot.batched_sets,
                    " input sets for a batch that is not full");
  }
  const bool has_packets = !waiting.empty() || snapshot.batched_sets > 0;
  const std::vector<std::string> behind = inputs.Behind();
  if (snapshot.state == NodeState::kWaiting) {
    const std::string why = WhyNotOpen(plan, missing);
    absl::StrAppend(&report, " and is not open",
                    why.empty() ? "" : ": it waits for ", why, ".");
  } else if (snapshot.is_held) {
    absl::StrAppend(&report, has_packets ? " and " : " ",
                    HeldByText(plan_node, snapshot), ".");
  } else if (!behind.empty()) {
    absl::StrAppend(&report, has_packets ? " and" : "", " waits for stream ",
                    absl::StrJoin(behind, ", and for stream "), ".",
                    TimeoutText(snapshot));
  } else if (snapshot.calls_in_flight > 0) {
    absl::StrAppend(&report, " and is being called.");
  } else if (snapshot.state == NodeState::kOpen && !waiting.empty()) {
    absl::StrAppend(&report, inputs.WaitsForMore());
  } else {
    absl::StrAppend(&report, ".");
  }
  if (snapshot.packets_inside > 0) {
    absl::StrAppend(&report, " Packets wait for other inputs at parts of it: ",
                    snapshot.where_inside, ".");
  }
  const std::vector<std::string> dropped = inputs.Dropped();
  if (!dropped.empty()) {
    absl::StrAppend(&report, " It has dropped ", absl::StrJoin(dropped, ", "),
                    ".");
  }
  return report;
}

std::string DeadlockReport(const GraphPlan& plan, const NodeSnapshot& snapshot,
                           absl::string_view stall) {
  const PlanSettings& settings = plan.settings();
  std::string bytes;
  if (absl::c_any_of(snapshot.inputs, [](const NodeSnapshot::Input& input) {
        return input.bytes >= 0;
      })) {
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
      ". ", stall,
      " Feed that stream or move its bound; or give the queue room with "
      "max_queue_size or max_queue_bytes",
      settings.report_deadlock
          ? ", or let it grow with report_deadlock: false."
          : ", or a higher ceiling with max_queue_size_ceiling or "
            "max_queue_bytes_ceiling.");
}

std::string RoomReport(const GraphPlan& plan, absl::Span<const ShortRoom> rooms,
                       absl::string_view explained) {
  if (rooms.empty()) return "";
  std::string report =
      "Detected a deadlock: nodes wait for room in queues behind them";
  for (const ShortRoom& room : rooms) {
    const PlanNode& to = plan.nodes()[room.queue.node];
    absl::StrAppend(
        &report, ". The ", NodeLabel(plan.nodes()[room.node].config()),
        " waits for room for ", room.wanted,
        " packets in the queue of stream \"",
        plan.streams()[to.inputs[room.queue.port].stream].name, "\" at ",
        NodeLabel(to.config()), ", which has it for ", room.room);
  }
  const PlanSettings& settings = plan.settings();
  absl::StrAppend(
      &report,
      settings.report_deadlock
          ? ""
          : absl::StrCat(", and may not grow beyond its ceiling of ",
                         settings.max_queue_size_ceiling, " packets"),
      ". What waits for what:\n", explained,
      "Give the queue room with max_queue_size",
      settings.report_deadlock
          ? ", or let it grow with report_deadlock: false"
          : ", or a higher ceiling with max_queue_size_ceiling",
      "; or ask for less with min_size.");
  return report;
}

std::string QueueErrorReport(const GraphPlan& plan, int node, int stream,
                             std::int64_t size, absl::string_view stall,
                             const FeederNames& feeders) {
  return absl::StrCat(
      "The input queue of stream \"", plan.streams()[stream].name, "\" at ",
      NodeLabel(plan.nodes()[node].config()), " holds ", size,
      " packets, and queue_error_size is ", plan.settings().queue_error_size,
      ". They come from ", ProducerText(plan, stream, feeders), ". ", stall,
      " Let less be sent, or more be processed, or set a greater "
      "queue_error_size.");
}

std::string MemoryReport(const GraphPlan& plan, const QueueTally& tally,
                         absl::string_view limit, const FeederNames& feeders) {
  const QueueTally::Queue& largest = tally.largest();
  return absl::StrCat(
      "The packets that wait in the queues of the graph take ", tally.total(),
      " bytes, more than ", limit, ". Most of them, ", largest.use.packets,
      " packets with ", largest.use.bytes, " bytes, are of stream \"",
      plan.streams()[largest.stream].name, "\", which comes from ",
      ProducerText(plan, largest.stream, feeders), "; they wait ",
      largest.where,
      ". What comes from sources and graph inputs is held back by "
      "max_queue_size and max_queue_bytes; what a loop makes, or a node that "
      "sends many packets for one, is not: let it send less, or more be "
      "processed; or set a greater max_memory_bytes.");
}

std::string StallWarning(absl::string_view explained) {
  return absl::StrCat(
      "The run waits for the application, as queues are full and "
      "may not grow any more. Feed or close graph inputs, or read "
      "what pollers hold. What waits for what:\n",
      explained);
}

std::string OffsetWarning(const PlanNode& node) {
  return absl::StrCat(
      NodeLabel(node.config()),
      " has a timestamp offset, and several sync sets, since its "
      "input stream handler is \"",
      node.handlers.input,
      "\": a call for one set may be too early for the bound that "
      "followed from a call for another. Its contract should say "
      "SetProcessTimestampBounds(true), in place of "
      "SetTimestampOffset() there or SetOffset() in Open.");
}

std::string LongQueueWarning(const GraphPlan& plan, int node, int stream,
                             std::int64_t size, absl::string_view stall) {
  return absl::StrCat(
      "The input queue of stream \"", plan.streams()[stream].name, "\" at ",
      NodeLabel(plan.nodes()[node].config()), " has no limit and holds ", size,
      " packets. ", stall,
      " Feed what it waits for, or set max_queue_size or "
      "max_queue_bytes in the graph, so that sources and graph "
      "inputs wait. (queue_warning_size sets when this is said.)");
}

std::string OverfullQueueWarning(const GraphPlan& plan, int node, int stream,
                                 std::int64_t size,
                                 const NodeSnapshot::Input& input,
                                 absl::string_view stall,
                                 const FeederNames& feeders) {
  return absl::StrCat(
      "The input queue of stream \"", plan.streams()[stream].name, "\" at ",
      NodeLabel(plan.nodes()[node].config()), " holds ", size,
      " packets, and its limit is ",
      input.limit < 0 ? absl::StrCat(input.byte_limit, " bytes")
                      : absl::StrCat(input.limit),
      ": pausing sources does not hold it back. The packets come from ",
      ProducerText(plan, stream, feeders), ". ", stall,
      " (queue_warning_size sets when this is said; queue_error_size and "
      "max_memory_bytes end such a run.)");
}

std::string FewMatchesWarning(const GraphPlan& plan, int node, int stream,
                              std::int64_t size, std::int64_t matched) {
  const PlanNode& plan_node = plan.nodes()[node];
  return absl::StrCat(
      "At ", NodeLabel(plan_node.config()), ", only ", matched,
      " of the first ", size, " packets of stream \"",
      plan.streams()[stream].name,
      "\" matched packets of the others, less than the "
      "min_match_share of \"",
      plan_node.handlers.input,
      "\". Do the streams have the same clock, and are the limits "
      "wide enough for it? (GetGraphRuntimeInfo() counts packets "
      "that matched nothing, as UNMATCHED. Said again at each "
      "tenfold.)");
}

std::string LongPollerWarning(const GraphPlan& plan, int stream,
                              std::int64_t size) {
  return absl::StrCat(
      "An OutputStreamPoller of stream \"", plan.streams()[stream].name,
      "\" has no limit and holds ", size,
      " packets that nobody reads. Call Next(), drop the poller's "
      "packets with Reset(), or give it a limit with "
      "SetMaxQueueSize(), so that sources and graph inputs wait. "
      "(queue_warning_size sets when this is said.)");
}

}  // namespace syncline
