// RunMemory: queues that grow although the sources are paused: queues in a
// loop, behind a node that sends several packets for one, or with packets that
// wait for their order. The log warns of such a queue. The run ends if the
// queue reaches a limit that somebody has set, or if the packets of all queues
// take more than the run's budget of memory (MemoryBudget).
//
// A queue is measured when it has grown: when it holds 2, 4, 8 ... packets for
// the first time, and when it is long. Once a few packets were found to be
// large, all queues are measured again and again, on the thread of the run's
// alarms.
//
// Thread rule: any thread. Errors with which the run is to end are returned, or
// go to the effects; only one of them comes.
// Tested by run_memory_test and, in graphs, by memory_limits_test.

#ifndef SYNCLINE_FRAMEWORK_RUN_RUN_MEMORY_H_
#define SYNCLINE_FRAMEWORK_RUN_RUN_MEMORY_H_

#include <cstdint>

#include "absl/status/status.h"
#include "framework/node/effects.h"
#include "framework/report/memory_budget.h"
#include "framework/run/graph_input.h"
#include "framework/run/poller_queue.h"
#include "framework/run/run_alarms.h"
#include "framework/run/run_look.h"
#include "framework/stream/queue_limits.h"

namespace syncline {

class RunMemory {
 public:
  // Both are borrowed. Where the alarms have none of RunAlarms::kMemory, queues
  // are only measured when they grow.
  RunMemory(const RunLook* look, RunAlarms* alarms)
      : look_(*look),
        alarms_(*alarms),
        budget_(look->parts().plan.settings().max_memory_bytes) {}

  // --- A queue has grown

  // That of an input of a node: fact.long_port.
  void LookAtQueue(const Effects::QueueFact& fact, Effects* effects);
  void LookAtPoller(const PollerQueue& poller, Effects* effects);
  // A graph input, which holds packets back.
  void LookAtHeld(const GraphInput& input, Effects* effects);

  // --- For the alarm

  // Measures all queues, and sets the alarm for the next time unless the run is
  // to end. OK: it is not.
  absl::Status LookAtAllQueues();

 private:
  void LookAtShortQueue(const Effects::QueueFact& fact, Effects* effects);
  // From now on all queues are measured again and again.
  void Watch();
  void LookAtAllQueuesIn(std::int64_t pause_ns);
  void Look(MemoryBudget::Key key, const QueueUse& use, Effects* effects);
  QueueTally MeasureAllQueues();
  absl::Status Error(const QueueTally& tally) const;
  void WarnOfOverfullQueue(const Effects::QueueFact& fact,
                           MemoryBudget::Key key);

  const RunLook& look_;
  RunAlarms& alarms_;
  MemoryBudget budget_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RUN_RUN_MEMORY_H_
