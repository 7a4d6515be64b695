// Holds: how many nodes of a run are held for a time or for an event from
// outside, and so keep the run busy though no thread works for it.
//
// One counter for all nodes. A node changes it with its own lock held, in the
// same step as its own state, so the beginning and the end of one hold cannot
// be counted in the wrong order. The run reads the counter when no thread
// works. A thread that begins or ends a hold counts as working until after
// that, and looks whether the run is idle when it stops. So a reader that finds
// a hold may leave at once: the thread that ends the hold looks again.
//
// Sources are started when no thread works, layer by layer. A hold of a node in
// a lower layer must not keep a higher layer from starting, so holds keep the
// run busy only once no source is left to be started.
//
// Thread rule: any thread. Calls nothing.
// Tested by holds_test.

#ifndef SYNCLINE_FRAMEWORK_NODE_HOLDS_H_
#define SYNCLINE_FRAMEWORK_NODE_HOLDS_H_

#include <atomic>
#include <utility>

namespace syncline {

class Holds {
 public:
  // From now on a hold counts, or does not. `*is_counted` says whether it was
  // counted so far; the lock of its node guards it.
  void Set(bool counts, bool* is_counted) {
    if (std::exchange(*is_counted, counts) == counts) return;
    count_.fetch_add(counts ? 1 : -1);
  }

  bool any() const { return count_.load() > 0; }

  // No source is left to be started.
  void AllSourcesStarted() { all_sources_started_.store(true); }
  bool KeepRunBusy() const { return all_sources_started_.load() && any(); }

 private:
  std::atomic<int> count_{0};
  std::atomic<bool> all_sources_started_{false};
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_NODE_HOLDS_H_
