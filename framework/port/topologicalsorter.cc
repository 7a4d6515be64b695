#include "framework/port/topologicalsorter.h"

#include <algorithm>

#include "glog/logging.h"

namespace syncline {

TopologicalSorter::TopologicalSorter(int num_nodes)
    : followers_(num_nodes), waiting_for_(num_nodes, 0) {}

void TopologicalSorter::AddEdge(int from, int to) {
  const int count = static_cast<int>(followers_.size());
  CHECK(!started_) << "AddEdge after GetNext";
  CHECK(from >= 0 && from < count && to >= 0 && to < count)
      << "edge from " << from << " to " << to << " of " << count << " nodes";
  followers_[from].push_back(to);
  ++waiting_for_[to];
}

void TopologicalSorter::Start() {
  started_ = true;
  for (int node = 0; node < static_cast<int>(followers_.size()); ++node) {
    if (waiting_for_[node] == 0) ready_.push(node);
  }
}

bool TopologicalSorter::GetNext(int* node_index, bool* cyclic_ptr,
                                std::vector<int>* output_cycle_nodes) {
  if (!started_) Start();
  *cyclic_ptr = false;
  if (ready_.empty()) {
    *cyclic_ptr = given_ < static_cast<int>(followers_.size());
    if (output_cycle_nodes != nullptr) {
      *output_cycle_nodes = *cyclic_ptr ? FindCycle() : std::vector<int>();
    }
    return false;
  }
  *node_index = ready_.top();
  ready_.pop();
  ++given_;
  for (const int follower : followers_[*node_index]) {
    if (--waiting_for_[follower] == 0) ready_.push(follower);
  }
  return true;
}

std::vector<int> TopologicalSorter::FindCycle() const {
  // Every node that is left waits for another node that is left. So going from
  // each node to one that it waits for reaches some node for the second time,
  // and a cycle is found.
  const int count = static_cast<int>(followers_.size());
  std::vector<int> waits_for(count, -1);
  int node = -1;
  for (int from = count - 1; from >= 0; --from) {
    if (waiting_for_[from] == 0) continue;
    node = from;
    for (const int to : followers_[from]) waits_for[to] = from;
  }
  std::vector<bool> seen(count, false);
  while (!seen[node]) {
    seen[node] = true;
    node = waits_for[node];
  }
  std::vector<int> cycle;
  const int first = node;
  do {
    cycle.push_back(node);
    node = waits_for[node];
  } while (node != first);
  std::reverse(cycle.begin(), cycle.end());
  return cycle;
}

}  // namespace syncline
