// A stable topological sort: repeatedly the smallest index that is ready.
//
// Knows numbers only; order_nodes.cc has the rule for graphs.
//
// Thread rule: a free function.
// Tested by topological_sort_test.

#ifndef SYNCLINE_FRAMEWORK_PLAN_TOPOLOGICAL_SORT_H_
#define SYNCLINE_FRAMEWORK_PLAN_TOPOLOGICAL_SORT_H_

#include <vector>

#include "absl/types/span.h"

namespace syncline {

// An arc of the graph that is sorted: `to` comes after `from`.
struct Arc {
  int from = 0;
  int to = 0;
  // What the caller knows the arc by. Cycles show it.
  int label = 0;

  friend bool operator==(const Arc&, const Arc&) = default;
};

struct NodeOrder {
  // Old indices in their new order; empty when there is a cycle.
  std::vector<int> order;
  // Cycles that share no node: at least one when there is any, and one for each
  // of several that do not feed each other. In each, the `to` of every arc is
  // the `from` of the next one. The last arc leads back to the first one, whose
  // `from` is the smallest index of the cycle.
  std::vector<std::vector<Arc>> cycles;
};

// Sorts 0..count-1 stably. O((count + arcs) log count).
NodeOrder SortTopologically(int count, absl::Span<const Arc> arcs);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PLAN_TOPOLOGICAL_SORT_H_
