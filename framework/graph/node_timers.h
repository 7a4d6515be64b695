// NodeTimers: which nodes wait for which time.
//
// A node waits for one time; another one replaces it. Setting and taking cost
// the logarithm of how many wait.
//
// Thread rule: any thread. Calls nothing.
// Tested by node_timers_test.

#ifndef SYNCLINE_FRAMEWORK_GRAPH_NODE_TIMERS_H_
#define SYNCLINE_FRAMEWORK_GRAPH_NODE_TIMERS_H_

#include <cstdint>
#include <limits>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "framework/base/mutex.h"

namespace syncline {

class NodeTimers {
 public:
  static constexpr std::int64_t kNone =
      std::numeric_limits<std::int64_t>::max();

  // For nodes 0 to `num_nodes` - 1.
  explicit NodeTimers(int num_nodes) : places_(num_nodes, -1) {}

  void Set(int node, std::int64_t target_ns) ABSL_LOCKS_EXCLUDED(mutex_);
  void Remove(int node) ABSL_LOCKS_EXCLUDED(mutex_);
  // The earliest time, or kNone, and whose it is.
  std::int64_t Next(int* node = nullptr) const ABSL_LOCKS_EXCLUDED(mutex_);
  // Takes those whose time is not after `now_ns`, the earliest first; of equal
  // times, the smaller node first.
  void TakeDue(std::int64_t now_ns, std::vector<int>* due)
      ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Entry {
    std::int64_t target_ns;
    int node;

    friend auto operator<=>(const Entry&, const Entry&) = default;
  };

  void RemoveAt(int place) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Puts the entry where it belongs, starting from a free `place`.
  void Sift(int place, Entry entry) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Put(int place, Entry entry) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    heap_[place] = entry;
    places_[entry.node] = place;
  }

  mutable Mutex mutex_;
  // A heap in which each entry has four below it, which lie together: no entry
  // is before the one at a quarter of its place.
  std::vector<Entry> heap_ ABSL_GUARDED_BY(mutex_);
  std::vector<int> places_ ABSL_GUARDED_BY(mutex_);  // by node; -1: none
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_GRAPH_NODE_TIMERS_H_
