// TopologicalSorter: puts the numbers 0 to n-1 into an order in which each
// number comes after those it depends on. If there are several such orders, it
// takes the smallest possible number each time. If there is a cycle, it returns
// the cycle.
//
//   TopologicalSorter sorter(3);
//   sorter.AddEdge(0, 2);           // 0 before 2
//   int node; bool cyclic; std::vector<int> cycle;
//   while (sorter.GetNext(&node, &cyclic, &cycle)) ...
//   if (cyclic) ...                 // the nodes of `cycle`, in order
//
// Takes time n log n in nodes and edges.
//
// Thread rule: used by one thread.
// Tested by topologicalsorter_test.

#ifndef SYNCLINE_FRAMEWORK_PORT_TOPOLOGICALSORTER_H_
#define SYNCLINE_FRAMEWORK_PORT_TOPOLOGICALSORTER_H_

#include <functional>
#include <queue>
#include <vector>

namespace syncline {

class TopologicalSorter {
 public:
  explicit TopologicalSorter(int num_nodes);
  TopologicalSorter(const TopologicalSorter&) = delete;
  TopologicalSorter& operator=(const TopologicalSorter&) = delete;

  // `from` comes before `to`. Edges may be added twice. REQUIRES: both are
  // nodes, and GetNext was not called yet.
  void AddEdge(int from, int to);

  // The next node in order. False at the end; then *cyclic_ptr says whether
  // some nodes are left because they depend on each other in a cycle, and
  // *output_cycle_nodes, if it is not null, is such a cycle: the first that
  // closes on a walk in depth from the smallest node left, beginning with the
  // node where it closes. Followers are walked in the order of AddEdge.
  bool GetNext(int* node_index, bool* cyclic_ptr,
               std::vector<int>* output_cycle_nodes = nullptr);

 private:
  void Start();
  std::vector<int> FindCycle() const;

  std::vector<std::vector<int>> followers_;
  // For each node: how many edges lead to it from nodes that were not returned
  // yet.
  std::vector<int> waiting_for_;
  std::priority_queue<int, std::vector<int>, std::greater<int>> ready_;
  int given_ = 0;
  bool started_ = false;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PORT_TOPOLOGICALSORTER_H_
