#include "framework/plan/topological_sort.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <queue>
#include <vector>

#include "absl/types/span.h"

namespace syncline {
namespace {

// Lets a cycle begin with its smallest node. It was found backwards.
void Arrange(std::vector<Arc>* cycle) {
  std::reverse(cycle->begin(), cycle->end());
  auto first = std::min_element(
      cycle->begin(), cycle->end(),
      [](const Arc& a, const Arc& b) { return a.from < b.from; });
  std::rotate(cycle->begin(), first, cycle->end());
}

// Cycles among the nodes for which `left` is positive. Each of these nodes has
// a predecessor among them, so a walk backwards from any of them meets itself,
// or a node that an earlier walk has seen.
std::vector<std::vector<Arc>> FindCycles(absl::Span<const Arc> arcs,
                                         const std::vector<int>& left) {
  const int count = static_cast<int>(left.size());
  std::vector<int> arc_into(count, -1);
  for (size_t i = 0; i < arcs.size(); ++i) {
    const Arc& arc = arcs[i];
    if (left[arc.from] > 0 && left[arc.to] > 0 && arc_into[arc.to] < 0) {
      arc_into[arc.to] = static_cast<int>(i);
    }
  }
  std::vector<std::vector<Arc>> cycles;
  std::vector<int> seen_by(count, -1);  // the walk, by its first node
  for (int walk = 0; walk < count; ++walk) {
    if (left[walk] == 0 || seen_by[walk] >= 0) continue;
    int at = walk;
    while (seen_by[at] < 0) {
      seen_by[at] = walk;
      at = arcs[arc_into[at]].from;
    }
    if (seen_by[at] != walk) continue;
    std::vector<Arc>& cycle = cycles.emplace_back();
    const int start = at;
    do {
      cycle.push_back(arcs[arc_into[at]]);
      at = cycle.back().from;
    } while (at != start);
    Arrange(&cycle);
  }
  return cycles;
}

}  // namespace

NodeOrder SortTopologically(int count, absl::Span<const Arc> arcs) {
  // Successors of node n: targets[begin[n]] .. targets[begin[n + 1]].
  std::vector<int> begin(count + 1, 0);
  std::vector<int> left(count, 0);
  for (const Arc& arc : arcs) {
    ++begin[arc.from + 1];
    ++left[arc.to];
  }
  for (int i = 0; i < count; ++i) begin[i + 1] += begin[i];
  std::vector<int> targets(arcs.size());
  std::vector<int> next(begin.begin(), begin.end() - 1);
  for (const Arc& arc : arcs) targets[next[arc.from]++] = arc.to;

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
    result.cycles = FindCycles(arcs, left);
  }
  return result;
}

}  // namespace syncline
