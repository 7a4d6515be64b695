// A stable topological sort: repeatedly the smallest index that is ready.
//
// Knows numbers only; order_nodes.h has the rule for graphs.
//
// Thread rule: a free function.
// Tested by sort_nodes_test.

#ifndef SYNCLINE_FRAMEWORK_PLAN_SORT_NODES_H_
#define SYNCLINE_FRAMEWORK_PLAN_SORT_NODES_H_

#include <vector>

#include "absl/types/span.h"

namespace syncline {

struct NodeEdge {
  int from = 0;
  int to = 0;
  // What the caller knows the edge by; carried into a cycle.
  int label = 0;

  friend bool operator==(const NodeEdge&, const NodeEdge&) = default;
};

struct NodeOrder {
  // Old indices in their new order; empty when there is a cycle.
  std::vector<int> order;
  // Cycles that share no node: at least one when there is any, and one for each
  // of several that do not feed each other. In each, every edge's `to` is the
  // next one's `from`, and the last leads back to the first, which is from the
  // smallest index.
  std::vector<std::vector<NodeEdge>> cycles;
};

// Sorts 0..count-1 stably. O((count + edges) log count).
NodeOrder SortNodes(int count, absl::Span<const NodeEdge> edges);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PLAN_SORT_NODES_H_
