// Backpressure: which full queues hold which sources back.
//
// A queue that is full pauses whatever can feed it: every source node, and
// every graph input, from which its stream can be reached. Each of those counts
// the full queues it is paused by. A source that is paused is parked after its
// call; the queue that stops being full as the last one brings it back.
//
// A count may be negative for a moment: that a queue is no longer full can be
// reported before it is reported to be full. If just then another queue is full
// that pauses the same source, the count is 0 in between and the source is
// called once more than it should: limits are soft, so the packets of one call
// lie beyond the limit of that other queue, and none is lost. Counting by queue
// would cost every edge a table; the edge is one for each packet of a graph at
// its limit.
//
// Thread rule: any thread. Knows numbers only, and calls nothing.
// Tested by backpressure_test.

#ifndef SYNCLINE_FRAMEWORK_RUN_BACKPRESSURE_H_
#define SYNCLINE_FRAMEWORK_RUN_BACKPRESSURE_H_

#include <atomic>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "framework/base/mutex.h"
#include "framework/plan/graph_plan.h"

namespace syncline {

class Backpressure {
 public:
  explicit Backpressure(const GraphPlan& plan);

  // A queue of a stream with this source set became full (+1) or no longer is
  // (-1). Appends the sources that may go on: nodes that were parked, which are
  // parked no more, and graph inputs.
  void Note(int source_set, int change, std::vector<int>* resumed)
      ABSL_LOCKS_EXCLUDED(mutex_);

  // Whether full queues hold the source (a position in plan.sources()) back.
  bool IsPaused(int source) const {
    return full_queues_[source].load(std::memory_order_acquire) > 0;
  }
  // If it is paused: parks it, and returns true.
  bool ParkIfPaused(int source) ABSL_LOCKS_EXCLUDED(mutex_);
  // All parked sources, which are parked no more.
  std::vector<int> UnparkAll() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  const GraphPlan& plan_;
  const int num_sources_;
  // Changed with the lock held.
  std::unique_ptr<std::atomic<int>[]> full_queues_;
  Mutex mutex_;
  std::vector<bool> is_parked_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RUN_BACKPRESSURE_H_
