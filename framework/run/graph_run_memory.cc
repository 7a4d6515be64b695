// Queues that grow although the sources are paused: queues in a loop, behind a
// node that sends several packets for one, or with packets that wait for their
// order. The log warns of such a queue. The run ends if the queue reaches a
// limit that somebody has set, or if the packets of all queues take more than
// the run's budget of memory (MemoryBudget).
//
// A queue is measured when it has grown: when it holds 2, 4, 8 ... packets for
// the first time, and when it is long. Once a few packets were found to be
// large, all queues are measured again and again, on the thread of the run's
// alarms.

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/misuse.h"
#include "framework/base/steady_time.h"
#include "framework/graph_text/node_names.h"
#include "framework/node/effects.h"
#include "framework/node/node.h"
#include "framework/plan/graph_plan.h"
#include "framework/report/memory_budget.h"
#include "framework/report/run_reports.h"
#include "framework/run/graph_input.h"
#include "framework/run/graph_run.h"
#include "framework/run/poller_queue.h"
#include "framework/run/run_alarms.h"
#include "framework/stream/queue_limits.h"
#include "glog/logging.h"

namespace syncline {

void GraphRun::LookAtLongQueue(const Effects::QueueFact& fact,
                               Effects* effects) {
  if (fact.is_short) return LookAtShortQueue(fact, effects);
  const int most = plan().settings().queue_error_size;
  if (most > 0 && fact.size >= most) {
    if (!memory_.ClaimEnd()) return;
    effects->errors.push_back(absl::ResourceExhaustedError(
        QueueErrorReport(plan(), fact.node, fact.stream, fact.size,
                         Stall(fact.node, nodes_[fact.node]->Snapshot()),
                         setup_.texts.feeders)));
    return;
  }
  const MemoryBudget::Key key = {nodes_[fact.node].get(), fact.long_port};
  WarnOfOverfullQueue(fact, key);
  LookAtMemory(key, nodes_[fact.node]->MeasureQueue(fact.long_port), effects);
}

void GraphRun::LookAtShortQueue(const Effects::QueueFact& fact,
                                Effects* effects) {
  const Node& node = *nodes_[fact.node];
  const QueueUse use = node.MeasureQueue(fact.long_port);
  if (!memory_.IsNotable(use)) return;
  LookAtMemory({&node, fact.long_port}, use, effects);
  WatchMemory();
}

void GraphRun::LookAtPoller(const PollerQueue& poller, Effects* effects) {
  const QueueUse use = poller.Measure();
  const bool is_notable = memory_.IsNotable(use);
  if (!is_notable && use.packets < QueueMarks::kLong) return;
  LookAtMemory({&poller, 0}, use, effects);
  if (is_notable) WatchMemory();
}

void GraphRun::WatchMemory() {
  if (!alarms_.Has(RunAlarms::kMemory) || !memory_.BeginLooking()) return;
  LookAtAllQueuesIn(MemoryBudget::kShortestPauseNs);
}

void GraphRun::LookAtAllQueuesIn(std::int64_t pause_ns) {
  // If there is no thread for the alarm, queues are only measured when they
  // grow.
  if (!alarms_.SetAt(RunAlarms::kMemory, SteadyNowNs() + pause_ns).ok()) {
    memory_.StopLooking();
  }
}

void GraphRun::LookAtAllQueues() {
  if (has_error()) return;
  const std::int64_t begin_ns = SteadyNowNs();
  std::int64_t free = 0;
  const absl::Status status = CatchExceptions([&] {
    const QueueTally tally = MeasureAllQueues();
    free = memory_.FreeBytes(tally.total());
    if (free >= 0 || !memory_.ClaimEnd()) return;
    const ApplicationCall call(this);
    if (call.is_running()) RecordError(MemoryError(tally));
  });
  if (status.ok() && free < 0) return;
  LookAtAllQueuesIn(MemoryBudget::PauseNs(free, SteadyNowNs() - begin_ns));
}

void GraphRun::LookAtHeld(int input, Effects* effects) {
  const GraphInput::Snapshot held = inputs_[input]->LookIn();
  LookAtMemory({inputs_[input].get(), 0}, {held.held, held.held_bytes},
               effects);
}

void GraphRun::LookAtMemory(MemoryBudget::Key key, const QueueUse& use,
                            Effects* effects) {
  if (!memory_.MayBeOver(key, use)) return;
  // What the budget knows of the other queues may be old.
  const QueueTally tally = MeasureAllQueues();
  if (memory_.FreeBytes(tally.total()) >= 0 || !memory_.ClaimEnd()) return;
  effects->errors.push_back(MemoryError(tally));
}

QueueTally GraphRun::MeasureAllQueues() {
  QueueTally tally(plan().streams().size(), &memory_);
  for (const Node::Placed& node : nodes_) {
    const PlanNode& plan = node->plan();
    for (int port = 0; port < static_cast<int>(plan.inputs.size()); ++port) {
      const QueueUse use = node->MeasureQueue(port);
      if (use.packets == 0) continue;
      tally.AddReader(
          {node.get(), port}, use, plan.inputs[port].stream,
          absl::StrCat("in the input queue of the ", NodeLabel(plan.config())));
    }
  }
  for (const auto& poller : setup_.pollers) {
    tally.AddReader({poller.get(), 0}, poller->Measure(), poller->stream(),
                    "in an OutputStreamPoller that is not read");
  }
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const GraphInput::Snapshot held = inputs_[i]->LookIn();
    if (held.held == 0) continue;
    tally.AddInput({inputs_[i].get(), 0}, {held.held, held.held_bytes},
                   inputs_[i]->plan().stream,
                   "in its graph input, whose reorder_window holds them back");
  }
  return tally;
}

absl::Status GraphRun::MemoryError(const QueueTally& tally) const {
  return absl::ResourceExhaustedError(
      MemoryReport(plan(), tally, memory_.LimitText(), setup_.texts.feeders));
}

void GraphRun::WarnOfOverfullQueue(const Effects::QueueFact& fact,
                                   MemoryBudget::Key key) {
  const std::int64_t mark = plan().settings().queue_warning_size;
  if (mark == 0 || fact.size < mark) return;
  // If the queue has no limit, its watch (QueueWatch) reports when to warn.
  const NodeSnapshot snapshot = nodes_[fact.node]->Snapshot();
  const NodeSnapshot::Input& input = snapshot.inputs[fact.long_port];
  if (input.limit < 0 && input.byte_limit < 0) return;
  if (!memory_.IsWarnedOf(key, fact.size, mark)) return;
  LOG(WARNING) << OverfullQueueWarning(
      plan(), fact.node, fact.stream, fact.size, input,
      Stall(fact.node, snapshot), setup_.texts.feeders);
}

}  // namespace syncline
