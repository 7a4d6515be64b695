#include "framework/port/topologicalsorter.h"

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
  // A walk in depth from each node that is left, the smallest first. A node
  // that the walk meets while it is on the way to itself closes a cycle.
  const int count = static_cast<int>(followers_.size());
  std::vector<int> next_follower(count, 0);
  std::vector<int> place_on_way(count, -1);
  std::vector<int> way;
  for (int start = 0; start < count; ++start) {
    if (waiting_for_[start] == 0 || next_follower[start] > 0) continue;
    way.push_back(start);
    while (!way.empty()) {
      const int node = way.back();
      place_on_way[node] = static_cast<int>(way.size()) - 1;
      if (next_follower[node] == static_cast<int>(followers_[node].size())) {
        place_on_way[node] = -1;
        way.pop_back();
        continue;
      }
      const int follower = followers_[node][next_follower[node]++];
      if (place_on_way[follower] >= 0) {
        return {way.begin() + place_on_way[follower], way.end()};
      }
      if (next_follower[follower] == 0) way.push_back(follower);
    }
  }
  return {};
}

}  // namespace syncline
