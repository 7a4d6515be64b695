#include "framework/plan/sort_nodes.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <queue>
#include <vector>

#include "absl/types/span.h"

namespace syncline {
namespace {

// One cycle among the nodes for which `left` is positive: each of them has a
// predecessor among them, so walking backwards must meet itself.
std::vector<NodeEdge> FindCycle(absl::Span<const NodeEdge> edges,
                                const std::vector<int>& left) {
  const int count = static_cast<int>(left.size());
  std::vector<int> edge_into(count, -1);
  for (size_t i = 0; i < edges.size(); ++i) {
    const NodeEdge& edge = edges[i];
    if (left[edge.from] > 0 && left[edge.to] > 0 && edge_into[edge.to] < 0) {
      edge_into[edge.to] = static_cast<int>(i);
    }
  }
  int at = 0;
  while (left[at] == 0) ++at;
  std::vector<bool> seen(count, false);
  while (!seen[at]) {
    seen[at] = true;
    at = edges[edge_into[at]].from;
  }
  std::vector<NodeEdge> cycle;
  const int start = at;
  do {
    cycle.push_back(edges[edge_into[at]]);
    at = cycle.back().from;
  } while (at != start);
  std::reverse(cycle.begin(), cycle.end());
  // Begin with the node that stands first in the config.
  auto first = std::min_element(
      cycle.begin(), cycle.end(),
      [](const NodeEdge& a, const NodeEdge& b) { return a.from < b.from; });
  std::rotate(cycle.begin(), first, cycle.end());
  return cycle;
}

}  // namespace

NodeOrder SortNodes(int count, absl::Span<const NodeEdge> edges) {
  // Successors of node n: targets[begin[n]] .. targets[begin[n + 1]].
  std::vector<int> begin(count + 1, 0);
  std::vector<int> left(count, 0);
  for (const NodeEdge& edge : edges) {
    ++begin[edge.from + 1];
    ++left[edge.to];
  }
  for (int i = 0; i < count; ++i) begin[i + 1] += begin[i];
  std::vector<int> targets(edges.size());
  std::vector<int> next(begin.begin(), begin.end() - 1);
  for (const NodeEdge& edge : edges) targets[next[edge.from]++] = edge.to;

  std::priority_queue<int, std::vector<int>, std::greater<int>> ready;
  for (int i = 0; i < count; ++i) {
    if (left[i] == 0) ready.push(i);
  }
  NodeOrder result;
  result.order.reserve(count);
  while (!ready.empty()) {
    const int node = ready.top();
    ready.pop();
    result.order.push_back(node);
    for (int i = begin[node]; i < begin[node + 1]; ++i) {
      if (--left[targets[i]] == 0) ready.push(targets[i]);
    }
  }
  if (static_cast<int>(result.order.size()) < count) {
    result.order.clear();
    result.cycle = FindCycle(edges, left);
  }
  return result;
}

}  // namespace syncline
