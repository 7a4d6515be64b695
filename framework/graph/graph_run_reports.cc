// What can be seen of a run, and what it says: who waits for what, why it
// stands still, and which queues without limit have become absurdly long.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "framework/graph/graph_run.h"
#include "framework/node/node.h"
#include "framework/node/node_state.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/plan/node_names.h"
#include "glog/logging.h"

namespace syncline {

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
  return source >= 0 && backpressure_.IsPaused(source);
}

std::string GraphRun::Explain() const {
  std::string text;
  const std::vector<NodeSnapshot> snapshots = Snapshot();
  for (size_t node = 0; node < snapshots.size(); ++node) {
    const bool holds_packets = std::any_of(
        snapshots[node].inputs.begin(), snapshots[node].inputs.end(),
        [](const NodeSnapshot::Input& input) { return input.queue_size > 0; });
    if (!holds_packets) continue;
    absl::StrAppend(&text, StallReport(static_cast<int>(node), snapshots[node]),
                    "\n");
  }
  return text.empty() ? "No node holds packets.\n" : text;
}

// --- Standing still

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
  std::string report =
      absl::StrCat("The ", NodeLabel(*plan.config), " holds packets of ",
                   absl::StrJoin(waiting, ", "));
  std::vector<std::string> missing;
  for (size_t port = 0; port < snapshot.inputs.size(); ++port) {
    const NodeSnapshot::Input& input = snapshot.inputs[port];
    if (input.queue_size > 0 || input.bound > earliest) continue;
    const PlanStream& stream = plan_.streams()[plan.inputs[port].stream];
    const int producer = stream.producer.node;
    missing.push_back(absl::StrCat(
        "\"", stream.name, "\", whose bound is ", input.bound.DebugString(),
        ", to pass ", earliest.DebugString(), "; it comes from ",
        producer < 0 ? "the application"
                     : NodeLabel(*plan_.nodes()[producer].config)));
  }
  if (!missing.empty()) {
    absl::StrAppend(&report, " and waits for stream ",
                    absl::StrJoin(missing, ", and for stream "), ".");
  } else if (snapshot.state == NodeState::kWaiting) {
    absl::StrAppend(&report, " and is not open: ", snapshot.missing_to_open,
                    " side packets or headers are missing.");
  } else if (snapshot.calls_in_flight > 0) {
    absl::StrAppend(&report, " and is being called.");
  } else {
    absl::StrAppend(&report, ".");
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

void GraphRun::WarnOfStall() const {
  LOG(WARNING) << "The run waits for the application, as queues are full and "
                  "may not grow any more. Feed or close graph inputs, or read "
                  "what pollers hold. What waits for what:\n"
               << Explain();
}

// --- Long queues: one warning for each, and again at each tenfold

void GraphRun::WarnOfLongQueue(int node, int stream, std::int64_t size) const {
  LOG(WARNING) << "The input queue of stream \"" << plan_.streams()[stream].name
               << "\" at " << NodeLabel(*plan_.nodes()[node].config)
               << " has no limit and holds " << size << " packets. "
               << StallReport(node, nodes_[node]->Snapshot())
               << " Feed what it waits for, or set max_queue_size or "
                  "max_queue_bytes in the graph, so that sources and graph "
                  "inputs wait. (queue_warning_size sets when this is said.)";
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
