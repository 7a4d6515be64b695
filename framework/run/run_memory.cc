#include "framework/run/run_memory.h"

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/misuse.h"
#include "framework/base/steady_time.h"
#include "framework/graph_text/node_names.h"
#include "framework/node/effects.h"
#include "framework/node/node.h"
#include "framework/node/node_snapshot.h"
#include "framework/plan/graph_plan.h"
#include "framework/report/memory_budget.h"
#include "framework/report/run_reports.h"
#include "framework/run/graph_input.h"
#include "framework/run/poller_queue.h"
#include "framework/run/run_alarms.h"
#include "framework/run/run_look.h"
#include "framework/stream/queue_limits.h"
#include "glog/logging.h"

namespace syncline {

void RunMemory::LookAtQueue(const Effects::QueueFact& fact, Effects* effects) {
  if (fact.is_short) return LookAtShortQueue(fact, effects);
  const int most = look_.parts().plan.settings().queue_error_size;
  if (most > 0 && fact.size >= most) {
    if (!budget_.ClaimEnd()) return;
    effects->errors.push_back(absl::ResourceExhaustedError(QueueErrorReport(
        look_.parts().plan, fact.node, fact.stream, fact.size,
        look_.Stall(fact.node, look_.parts().nodes[fact.node]->Snapshot()),
        look_.parts().texts.feeders)));
    return;
  }
  const MemoryBudget::Key key = {look_.parts().nodes[fact.node].get(),
                                 fact.long_port};
  WarnOfOverfullQueue(fact, key);
  Look(key, look_.parts().nodes[fact.node]->MeasureQueue(fact.long_port),
       effects);
}

void RunMemory::LookAtShortQueue(const Effects::QueueFact& fact,
                                 Effects* effects) {
  const Node& node = *look_.parts().nodes[fact.node];
  const QueueUse use = node.MeasureQueue(fact.long_port);
  if (!budget_.IsNotable(use)) return;
  Look({&node, fact.long_port}, use, effects);
  Watch();
}

void RunMemory::LookAtPoller(const PollerQueue& poller, Effects* effects) {
  const QueueUse use = poller.Measure();
  const bool is_notable = budget_.IsNotable(use);
  if (!is_notable && use.packets < QueueMarks::kLong) return;
  Look({&poller, 0}, use, effects);
  if (is_notable) Watch();
}

void RunMemory::Watch() {
  if (!alarms_.Has(RunAlarms::kMemory) || !budget_.BeginLooking()) return;
  LookAtAllQueuesIn(MemoryBudget::kShortestPauseNs);
}

void RunMemory::LookAtAllQueuesIn(std::int64_t pause_ns) {
  // If there is no thread for the alarm, queues are only measured when they
  // grow.
  if (!alarms_.SetAt(RunAlarms::kMemory, SteadyNowNs() + pause_ns).ok()) {
    budget_.StopLooking();
  }
}

absl::Status RunMemory::LookAtAllQueues() {
  const std::int64_t begin_ns = SteadyNowNs();
  std::int64_t free = 0;
  absl::Status error;
  // Where memory runs out, the queues are measured again later.
  const absl::Status status = CatchExceptions([&] {
    const QueueTally tally = MeasureAllQueues();
    free = budget_.FreeBytes(tally.total());
    if (free < 0 && budget_.ClaimEnd()) error = Error(tally);
  });
  if (!status.ok() || free >= 0) {
    LookAtAllQueuesIn(MemoryBudget::PauseNs(free, SteadyNowNs() - begin_ns));
  }
  return error;
}

void RunMemory::LookAtHeld(const GraphInput& input, Effects* effects) {
  const GraphInput::Snapshot held = input.LookIn();
  Look({&input, 0}, {held.held, held.held_bytes}, effects);
}

void RunMemory::Look(MemoryBudget::Key key, const QueueUse& use,
                     Effects* effects) {
  if (!budget_.MayBeOver(key, use)) return;
  // What the budget knows of the other queues may be old.
  const QueueTally tally = MeasureAllQueues();
  if (budget_.FreeBytes(tally.total()) >= 0 || !budget_.ClaimEnd()) return;
  effects->errors.push_back(Error(tally));
}

QueueTally RunMemory::MeasureAllQueues() {
  QueueTally tally(look_.parts().plan.streams().size(), &budget_);
  for (const Node::Placed& node : look_.parts().nodes) {
    const PlanNode& plan = node->plan();
    for (int port = 0; port < static_cast<int>(plan.inputs.size()); ++port) {
      const QueueUse use = node->MeasureQueue(port);
      if (use.packets == 0) continue;
      tally.AddReader(
          {node.get(), port}, use, plan.inputs[port].stream,
          absl::StrCat("in the input queue of the ", NodeLabel(plan.config())));
    }
  }
  for (const auto& poller : look_.parts().pollers) {
    tally.AddReader({poller.get(), 0}, poller->Measure(), poller->stream(),
                    "in an OutputStreamPoller that is not read");
  }
  for (const std::unique_ptr<GraphInput>& input : look_.parts().inputs) {
    const GraphInput::Snapshot held = input->LookIn();
    if (held.held == 0) continue;
    tally.AddInput({input.get(), 0}, {held.held, held.held_bytes},
                   input->plan().stream,
                   "in its graph input, whose reorder_window holds them back");
  }
  return tally;
}

absl::Status RunMemory::Error(const QueueTally& tally) const {
  return absl::ResourceExhaustedError(
      MemoryReport(look_.parts().plan, tally, budget_.LimitText(),
                   look_.parts().texts.feeders));
}

void RunMemory::WarnOfOverfullQueue(const Effects::QueueFact& fact,
                                    MemoryBudget::Key key) {
  const std::int64_t mark = look_.parts().plan.settings().queue_warning_size;
  if (mark == 0 || fact.size < mark) return;
  // If the queue has no limit, its watch (QueueWatch) reports when to warn.
  const NodeSnapshot snapshot = look_.parts().nodes[fact.node]->Snapshot();
  const NodeSnapshot::Input& input = snapshot.inputs[fact.long_port];
  if (input.limit < 0 && input.byte_limit < 0) return;
  if (!budget_.IsWarnedOf(key, fact.size, mark)) return;
  LOG(WARNING) << OverfullQueueWarning(
      look_.parts().plan, fact.node, fact.stream, fact.size, input,
      look_.Stall(fact.node, snapshot), look_.parts().texts.feeders);
}

}  // namespace syncline
