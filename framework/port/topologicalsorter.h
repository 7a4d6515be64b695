// TopologicalSorter: an order of the numbers 0 .. n-1 in which each stands
// after those it depends on; of all such orders the one that takes the smallest
// number each time. A cycle is found and given.
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
  // nodes are left that depend on one another in a circle, and
  // *output_cycle_nodes, when it is not null, is such a circle.
  bool GetNext(int* node_index, bool* cyclic_ptr,
               std::vector<int>* output_cycle_nodes = nullptr);

 private:
  void Start();
  std::vector<int> FindCycle() const;

  std::vector<std::vector<int>> followers_;
  // How many edges from nodes that were not given out yet lead to each node.
  std::vector<int> waiting_for_;
  std::priority_queue<int, std::vector<int>, std::greater<int>> ready_;
  int given_ = 0;
  bool started_ = false;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PORT_TOPOLOGICALSORTER_H_
