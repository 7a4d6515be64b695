// RunSources: what feeds a run, which is source nodes and graph inputs, and
// which of them may go on.
//
// A source is a position in plan.sources(). A source node goes through these
// states; graph inputs have none:
//
//   kUnopened -> kPending -> kActive -> kClosed     (or kClosed from any)
//    it opens    its layer   its calls
//                starts      end
//
// LAYERS. The first layer starts when every node is open, whatever else there
// is to do. If a node cannot open before a source is called, the layer starts
// when the run is idle. Each further layer starts when the run is idle and no
// source of the layer before is left.
//
// BACK-PRESSURE. A queue that is full pauses whatever can feed it: every source
// node, and every graph input, from which its stream can be reached. Each
// source counts the full queues that pause it. A source node that is paused is
// parked after its call; the last of its queues that stops being full brings it
// back. Calls of AddPacket wait while their input is paused, and the run must
// know of calls that wait.
//
// A count may be negative for a moment, because the report that a queue is no
// longer full can come before the report that it is full. If another full queue
// pauses the same source at this moment, the count is 0, and the source is
// called once more than it should be. Limits are soft, so the packets of this
// call go beyond the limit of the other queue, and none is lost. Counting by
// queue would cost a table for every source, at each packet of a graph at its
// limit.
//
// TURNS. An active source also gives way to others of its layer now and then.
// Once the sources are stopped, nothing holds them back, and each is called
// once more, to close.
//
// Thread rule: any thread, unless a function says whose it is. Calls nothing.
// Tested by run_sources_test.

#ifndef SYNCLINE_FRAMEWORK_RUN_RUN_SOURCES_H_
#define SYNCLINE_FRAMEWORK_RUN_RUN_SOURCES_H_

#include <atomic>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "framework/base/mutex.h"
#include "framework/plan/graph_plan.h"
#include "framework/run/idle_decision.h"

namespace syncline {

class RunSources {
 public:
  // `plan` is borrowed.
  explicit RunSources(const GraphPlan& plan);

  // --- States of source nodes

  void NoteOpened(int source) ABSL_LOCKS_EXCLUDED(mutex_);
  void NoteClosed(int source) ABSL_LOCKS_EXCLUDED(mutex_);
  // The call that opens a node, of whatever kind, is over. Returns whether that
  // was the last one, and there are sources.
  bool NoteNodeOpened() {
    return unopened_nodes_.fetch_sub(1) == 1 && !source_nodes_.empty();
  }
  // Makes the pending sources of the lowest layer that has some active, and
  // returns them. `only_the_first`: unless a layer has been started before.
  std::vector<int> StartNextLayer(bool only_the_first = false)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Whether the layer of the source has not started, though it is open.
  bool IsPending(int source) const ABSL_LOCKS_EXCLUDED(mutex_);
  // Each source node is active or closed.
  bool AllStarted() const ABSL_LOCKS_EXCLUDED(mutex_);

  // --- Full queues

  // A queue of a stream with this source set became full (+1) or is no longer
  // (-1). `is_node`: the queue of a node, not of an application's reader.
  // Appends the sources that may go on: nodes that were parked, which are
  // parked no more, and graph inputs.
  void NoteFullQueue(int source_set, int change, bool is_node,
                     std::vector<int>* resumed) ABSL_LOCKS_EXCLUDED(mutex_);
  // Whether full queues hold the source back.
  bool IsPaused(int source) const {
    return full_queues_[source].load(std::memory_order_acquire) > 0;
  }
  // If the source is paused, parks it until NoteFullQueue lets it go on, and
  // returns true. If sources were stopped, `released` gets all that were
  // parked, this one among them.
  bool ParkIfPaused(int source, std::vector<int>* released)
      ABSL_LOCKS_EXCLUDED(mutex_);

  // --- Turns among sources

  // For whoever calls the source: whether other sources of its layer are to be
  // called first. `keeps_its_place`: its priority is the same as before its
  // last call.
  bool GivesWay(int source, bool keeps_its_place);

  // --- Calls of AddPacket that wait while their input is paused

  void BeginWaitToAdd(int source) { waiting_to_add_[source].fetch_add(1); }
  void EndWaitToAdd(int source) { waiting_to_add_[source].fetch_sub(1); }

  // --- Stopping

  // False if they were stopped before. `released`: those that were parked.
  bool Stop(std::vector<int>* released) ABSL_LOCKS_EXCLUDED(mutex_);
  bool is_stopping() const { return is_stopping_.load(); }

  // Adds what is known of sources and full queues.
  void AddTo(IdleState* state) const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  enum class State { kUnopened, kPending, kActive, kClosed };

  int Layer(int source) const {
    return plan_.nodes()[plan_.sources()[source].node].sources.layer;
  }
  // Takes all sources out of their parking, and returns them.
  std::vector<int> UnparkAll() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The lowest layer of the source nodes that are in this state.
  int LowestLayer(State state) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const GraphPlan& plan_;
  std::vector<int> source_nodes_;  // the sources that are nodes
  std::vector<int> graph_inputs_;  // and those that are not
  std::atomic<bool> is_stopping_{false};
  // Nodes of every kind.
  std::atomic<int> unopened_nodes_;
  // Queues that are full.
  std::atomic<int> full_node_queues_{0};
  std::atomic<int> full_poller_queues_{0};
  // All of these by source. The number of calls since the place of the source
  // among the others has changed; belongs to whoever calls the source.
  std::vector<int> calls_in_place_;
  std::vector<std::atomic<int>> waiting_to_add_;
  // Full queues that pause the source; changed with the lock held.
  std::vector<std::atomic<int>> full_queues_;
  mutable Mutex mutex_;
  std::vector<bool> is_parked_ ABSL_GUARDED_BY(mutex_);
  std::vector<State> states_ ABSL_GUARDED_BY(mutex_);
  // Source nodes that are neither active nor closed.
  int unstarted_ ABSL_GUARDED_BY(mutex_) = 0;
  bool has_started_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RUN_RUN_SOURCES_H_
