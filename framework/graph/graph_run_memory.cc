// Queues that pausing sources does not hold back: of loops, behind nodes that
// send several packets for one, and with packets that wait for their order.
// They are warned of, and end the run where somebody set a limit, or where the
// packets of all queues come to the graph's share of the memory.
//
// A queue is measured when it has grown: when it holds 2, 4, 8 ... packets for
// the first time, and when it is long. A run in which few packets were found to
// be large is measured again and again, on a thread of its own.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/machine_memory.h"
#include "framework/base/misuse.h"
#include "framework/base/steady_time.h"
#include "framework/graph/graph_run.h"
#include "framework/graph/graph_run_timers.h"
#include "framework/graph/long_queues.h"
#include "framework/graph/run_reports.h"
#include "framework/graph_text/node_names.h"
#include "framework/node/node.h"
#include "framework/node/turn.h"
#include "framework/plan/graph_plan.h"
#include "framework/stream/queue_watch.h"
#include "glog/logging.h"

namespace syncline {
namespace {

// Packets of one queue that take more than this may come to the memory of a
// machine before a queue is long.
constexpr std::int64_t kLargeQueueBytes = std::int64_t{1} << 20;
constexpr std::int64_t kShortestLookNs = 50'000'000;
constexpr std::int64_t kLongestLookNs = 1'000'000'000;

}  // namespace

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

void GraphRun::LookAtLongQueue(const Turn::FullEdge& edge, Turn* turn) {
  if (edge.is_short) return LookAtShortQueue(edge, turn);
  const PlanSettings& settings = plan_.settings();
  if (settings.queue_error_size > 0 && edge.size >= settings.queue_error_size) {
    if (ended_by_queues_.exchange(true)) return;
    turn->errors.push_back(absl::ResourceExhaustedError(absl::StrCat(
        "The input queue of stream \"", plan_.streams()[edge.stream].name,
        "\" at ", NodeLabel(*plan_.nodes()[edge.node].config), " holds ",
        edge.size, " packets, and queue_error_size is ",
        settings.queue_error_size, ". They come from ",
        ProducerText(plan_, edge.stream), ". ",
        Stall(edge.node, nodes_[edge.node]->Snapshot()),
        " Let less be sent, or more be processed, or set a greater "
        "queue_error_size.")));
    return;
  }
  const LongQueues::Key key = {nodes_[edge.node].get(), edge.long_port};
  WarnOfOverfullQueue(edge, key);
  LookAtMemory(key, nodes_[edge.node]->MeasureQueue(edge.long_port), turn);
}

bool GraphRun::IsNotable(const QueueUse& use) const {
  const std::int64_t given = plan_.settings().max_memory_bytes;
  return given >= 0 &&
         TotalBytes(use) >= (given > 0 ? given / 8 : kLargeQueueBytes);
}

void GraphRun::LookAtShortQueue(const Turn::FullEdge& edge, Turn* turn) {
  const Node& node = *nodes_[edge.node];
  const QueueUse use = node.MeasureQueue(edge.long_port);
  if (!IsNotable(use)) return;
  LookAtMemory({&node, edge.long_port}, use, turn);
  WatchMemory();
}

void GraphRun::LookAtPoller(const PollerQueue& poller, Turn* turn) {
  const QueueUse use = poller.Measure();
  const bool is_notable = IsNotable(use);
  if (!is_notable && use.packets < QueueMarks::kLong) return;
  LookAtMemory({&poller, 0}, use, turn);
  if (is_notable) WatchMemory();
}

void GraphRun::WatchMemory() {
  if (memory_alarm_ == nullptr || watches_memory_.exchange(true)) return;
  SetMemoryAlarm(kShortestLookNs);
}

void GraphRun::SetMemoryAlarm(std::int64_t pause_ns) {
  // Without a thread for it queues are looked at as they grow.
  if (!memory_alarm_->SetAt(SteadyNowNs() + pause_ns).ok()) {
    watches_memory_.store(false);
  }
}

void GraphRun::LookAtAllQueues() {
  if (has_error()) return;
  const std::int64_t begin_ns = SteadyNowNs();
  std::int64_t free = 0;
  const absl::Status status = CatchExceptions([&] {
    LargestQueue largest;
    const std::int64_t total = MeasureAllQueues(&largest);
    free = MemoryBudget() - total;
    if (free >= 0 || ended_by_queues_.exchange(true)) return absl::OkStatus();
    const ApplicationCall call(this);
    if (call.is_running()) RecordError(MemoryError(total, largest));
    return absl::OkStatus();
  });
  if (status.ok() && free < 0) return;
  // Nobody fills memory faster than with a few bytes in a nanosecond; and
  // measuring takes a hundredth of one processor at most.
  constexpr std::int64_t kBytesPerNs = 4;
  SetMemoryAlarm(
      std::max(std::clamp(free / kBytesPerNs, kShortestLookNs, kLongestLookNs),
               100 * (SteadyNowNs() - begin_ns)));
}

void GraphRun::LookAtHeld(int input, Turn* turn) {
  const GraphInput::Snapshot held = inputs_[input]->LookIn();
  LookAtMemory({inputs_[input].get(), 0}, {held.held, held.held_bytes}, turn);
}

void GraphRun::LookAtMemory(LongQueues::Key key, const QueueUse& use,
                            Turn* turn) {
  const std::int64_t budget = MemoryBudget();
  if (long_queues_.Note(key, TotalBytes(use)) <= budget ||
      ended_by_queues_.load())
    return;
  // What is known of the others may be old.
  LargestQueue largest;
  const std::int64_t total = MeasureAllQueues(&largest);
  if (total <= budget || ended_by_queues_.exchange(true)) return;
  turn->errors.push_back(MemoryError(total, largest));
}

std::int64_t GraphRun::MeasureAllQueues(LargestQueue* largest) {
  long_queues_.ForgetBytes();
  // All who read a stream have the same packets: the most that one has counts.
  std::vector<std::int64_t> most(plan_.streams().size());
  const auto add = [&](LongQueues::Key key, const QueueUse& use, int stream,
                       std::string where) {
    const std::int64_t bytes = TotalBytes(use);
    if (bytes <= most[stream]) return;
    long_queues_.Note(key, bytes - std::exchange(most[stream], bytes));
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
  std::int64_t total =
      std::accumulate(most.begin(), most.end(), std::int64_t{0});
  // What waits for its order is not in the queues yet.
  most.assign(most.size(), 0);
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const GraphInput::Snapshot held = inputs_[i]->LookIn();
    if (held.held == 0) continue;
    const QueueUse use = {held.held, held.held_bytes};
    total += TotalBytes(use);
    add({inputs_[i].get(), 0}, use, plan_.graph_inputs()[i].stream,
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
      ProducerText(plan_, largest.stream), "; they wait ", largest.where,
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
               << ProducerText(plan_, edge.stream) << ". "
               << Stall(edge.node, snapshot)
               << " (queue_warning_size sets when this is said; "
                  "queue_error_size and max_memory_bytes end such a run.)";
}

}  // namespace syncline
