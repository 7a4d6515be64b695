// RunSources: what feeds a run, which is source nodes and graph inputs, and who
// of them may go on.
//
// A source is a position in plan.sources(). A source node goes through these
// states; graph inputs have none:
//
//   kUnopened -> kPending -> kActive -> kClosed     (or kClosed from any)
//    it opens    its layer   its calls
//                starts      end
//
// What keeps an active source from its next call: queues that are full
// (Backpressure), and that it gives way to others of its layer. What keeps a
// call of AddPacket: the same queues; the run must know of those that wait.
// Once the sources are stopped nothing keeps them: each has one more turn, to
// close.
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
#include "framework/run/backpressure.h"
#include "framework/run/idle_decision.h"

namespace syncline {

class RunSources {
 public:
  // `plan` is borrowed.
  explicit RunSources(const GraphPlan& plan);

  // --- States of source nodes

  void NoteOpened(int source) ABSL_LOCKS_EXCLUDED(mutex_);
  void NoteClosed(int source) ABSL_LOCKS_EXCLUDED(mutex_);
  // Those of the lowest layer that has any pending ones are active from now on.
  std::vector<int> StartNextLayer() ABSL_LOCKS_EXCLUDED(mutex_);
  // Each source node is active or closed.
  bool AllStarted() const ABSL_LOCKS_EXCLUDED(mutex_);

  // --- Full queues

  // A queue of a stream with this source set became full (+1) or is no longer
  // (-1). `is_node`: the queue of a node, not of an application's reader.
  // Appends the sources that may go on.
  void NoteFullQueue(int source_set, int change, bool is_node,
                     std::vector<int>* resumed);
  bool IsPaused(int source) const { return backpressure_.IsPaused(source); }
  // Whether the source waits until NoteFullQueue lets it go on. `released`:
  // those that wait no longer, this one among them, as sources were stopped.
  bool ParkIfPaused(int source, std::vector<int>* released) {
    if (!backpressure_.ParkIfPaused(source)) return false;
    // Whoever stops the sources may just have looked for parked ones.
    if (is_stopping()) *released = backpressure_.UnparkAll();
    return true;
  }

  // --- Turns among sources

  // For who calls the source: whether others of its layer have a turn first.
  // `keeps_its_place`: its priority is as before its last call.
  bool GivesWay(int source, bool keeps_its_place);

  // --- Calls of AddPacket that wait while their input is paused

  void BeginWaitToAdd(int source) { waiting_to_add_[source].fetch_add(1); }
  void EndWaitToAdd(int source) { waiting_to_add_[source].fetch_sub(1); }

  // --- Stopping

  // False if they were stopped before. Appends those that were parked.
  bool Stop(std::vector<int>* released);
  bool is_stopping() const { return is_stopping_.load(); }

  // What an idle run has to know of sources and full queues.
  void AddFacts(IdleFacts* facts) const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  enum class State { kUnopened, kPending, kActive, kClosed };

  int Layer(int source) const {
    return plan_.nodes()[plan_.sources()[source].node].sources.layer;
  }
  // Of the source nodes in this state.
  int LowestLayer(State state) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const GraphPlan& plan_;
  std::vector<int> source_nodes_;  // the sources that are nodes
  std::vector<int> graph_inputs_;  // and those that are not
  Backpressure backpressure_;
  std::atomic<bool> is_stopping_{false};
  // Queues that are full.
  std::atomic<int> full_node_queues_{0};
  std::atomic<int> full_poller_queues_{0};
  // All by source. Calls since its place among the others has changed; belongs
  // to who calls the source.
  std::vector<int> calls_in_place_;
  std::vector<std::atomic<int>> waiting_to_add_;
  mutable Mutex mutex_;
  std::vector<State> states_ ABSL_GUARDED_BY(mutex_);
  // Source nodes that are neither active nor closed.
  int unstarted_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RUN_RUN_SOURCES_H_
