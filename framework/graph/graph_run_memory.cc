// Queues that pausing sources does not hold back: of loops, behind nodes that
// send several packets for one, and with packets that wait for their order.
// They are warned of, and end the run where somebody set a limit, or where the
// packets of all queues come to the graph's share of the memory.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/machine_memory.h"
#include "framework/graph/graph_run.h"
#include "framework/graph/long_queues.h"
#include "framework/node/node.h"
#include "framework/node/turn.h"
#include "framework/plan/graph_plan.h"
#include "framework/plan/node_names.h"
#include "framework/stream/queue_watch.h"
#include "glog/logging.h"

namespace syncline {

std::int64_t GraphRun::MemoryBudget() {
  std::int64_t budget = memory_budget_.load(std::memory_order_relaxed);
  if (budget > 0) return budget;
  const std::int64_t given = plan_.settings().max_memory_bytes;
  budget = given > 0   ? given
           : given < 0 ? std::numeric_limits<std::int64_t>::max()
                       : FindMachineMemory().bytes / 2;
  memory_budget_.store(budget, std::memory_order_relaxed);
  return budget;
}

std::string GraphRun::ProducerText(int stream) const {
  const int producer = plan_.streams()[stream].producer.node;
  return producer < 0 ? "the application"
                      : NodeLabel(*plan_.nodes()[producer].config);
}

void GraphRun::LookAtLongQueue(const Turn::FullEdge& edge, Turn* turn) {
  const PlanSettings& settings = plan_.settings();
  if (settings.queue_error_size > 0 && edge.size >= settings.queue_error_size) {
    if (ended_by_queues_.exchange(true)) return;
    turn->errors.push_back(absl::ResourceExhaustedError(absl::StrCat(
        "The input queue of stream \"", plan_.streams()[edge.stream].name,
        "\" at ", NodeLabel(*plan_.nodes()[edge.node].config), " holds ",
        edge.size, " packets, and queue_error_size is ",
        settings.queue_error_size, ". They come from ",
        ProducerText(edge.stream), ". ",
        StallReport(edge.node, nodes_[edge.node]->Snapshot()),
        " Let less be sent, or more be processed, or set a greater "
        "queue_error_size.")));
    return;
  }
  const LongQueues::Key key = {nodes_[edge.node].get(), edge.long_port};
  WarnOfOverfullQueue(edge, key);
  LookAtMemory(key, nodes_[edge.node]->MeasureQueue(edge.long_port), turn);
}

void GraphRun::LookAtPoller(const PollerQueue& poller, Turn* turn) {
  LookAtMemory({&poller, 0}, poller.Measure(), turn);
}

void GraphRun::LookAtHeld(int input, Turn* turn) {
  const GraphInput::Snapshot held = inputs_[input]->LookIn();
  LookAtMemory({inputs_[input].get(), 0}, {held.held, held.held_bytes}, turn);
}

void GraphRun::LookAtMemory(LongQueues::Key key, const QueueUse& use,
                            Turn* turn) {
  const std::int64_t budget = MemoryBudget();
  if (long_queues_.Note(key, use) <= budget || ended_by_queues_.load()) return;
  // What is known of the others may be old.
  LargestQueue largest;
  const std::int64_t total = MeasureAllQueues(&largest);
  if (total <= budget || ended_by_queues_.exchange(true)) return;
  turn->errors.push_back(MemoryError(total, largest));
}

std::int64_t GraphRun::MeasureAllQueues(LargestQueue* largest) {
  std::int64_t total = 0;
  const auto add = [&](LongQueues::Key key, const QueueUse& use, int stream,
                       std::string where) {
    long_queues_.Note(key, use);
    const std::int64_t bytes = TotalBytes(use);
    total += bytes;
    if (bytes <= TotalBytes(largest->use)) return;
    *largest = {use, stream, std::move(where)};
  };
  for (const Node::Placed& node : nodes_) {
    const PlanNode& plan = node->plan();
    for (int port = 0; port < static_cast<int>(plan.inputs.size()); ++port) {
      const QueueUse use = node->MeasureQueue(port);
      if (use.packets == 0) continue;
      add({node.get(), port}, use, plan.inputs[port].stream,
          absl::StrCat("in the input queue of the ", NodeLabel(*plan.config)));
    }
  }
  for (const auto& poller : pollers_) {
    add({poller.get(), 0}, poller->Measure(), poller->stream(),
        "in an OutputStreamPoller that is not read");
  }
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const GraphInput::Snapshot held = inputs_[i]->LookIn();
    if (held.held == 0) continue;
    add({inputs_[i].get(), 0}, {held.held, held.held_bytes},
        plan_.graph_inputs()[i].stream,
        "in its graph input, whose reorder_window holds them back");
  }
  return total;
}

absl::Status GraphRun::MemoryError(std::int64_t total,
                                   const LargestQueue& largest) const {
  const std::int64_t given = plan_.settings().max_memory_bytes;
  std::string limit;
  if (given > 0) {
    limit = absl::StrCat("max_memory_bytes, which is ", given);
  } else {
    const MachineMemory memory = FindMachineMemory();
    limit = absl::StrCat("half of the ", memory.bytes, " bytes that ",
                         memory.source,
                         " has, which is the limit where a graph sets no "
                         "max_memory_bytes");
  }
  return absl::ResourceExhaustedError(absl::StrCat(
      "The packets that wait in the queues of the graph take ", total,
      " bytes, more than ", limit, ". Most of them, ", largest.use.packets,
      " packets with ", largest.use.bytes, " bytes, are of stream \"",
      plan_.streams()[largest.stream].name, "\", which comes from ",
      ProducerText(largest.stream), "; they wait ", largest.where,
      ". What comes from sources and graph inputs is held back by "
      "max_queue_size and max_queue_bytes; what a loop makes, or a node that "
      "sends many packets for one, is not: let it send less, or more be "
      "processed; or set a greater max_memory_bytes."));
}

void GraphRun::WarnOfOverfullQueue(const Turn::FullEdge& edge,
                                   LongQueues::Key key) {
  const std::int64_t mark = plan_.settings().queue_warning_size;
  // One without limit is warned of by its watch.
  const Node& node = *nodes_[edge.node];
  const NodeSnapshot snapshot = node.Snapshot();
  const NodeSnapshot::Input& input = snapshot.inputs[edge.long_port];
  if (input.limit < 0 && input.byte_limit < 0) return;
  if (mark == 0 || edge.size < mark) return;
  if (!long_queues_.IsWarnedOf(key, edge.size, mark)) return;
  LOG(WARNING) << "The input queue of stream \""
               << plan_.streams()[edge.stream].name << "\" at "
               << NodeLabel(*node.plan().config) << " holds " << edge.size
               << " packets, and its limit is "
               << (input.limit < 0 ? absl::StrCat(input.byte_limit, " bytes")
                                   : absl::StrCat(input.limit))
               << ": pausing sources does not hold it back. The packets come "
                  "from "
               << ProducerText(edge.stream) << ". "
               << StallReport(edge.node, snapshot)
               << " (queue_warning_size sets when this is said; "
                  "queue_error_size and max_memory_bytes end such a run.)";
}

}  // namespace syncline
