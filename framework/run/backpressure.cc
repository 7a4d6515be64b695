#include "framework/run/backpressure.h"

#include <atomic>
#include <memory>
#include <vector>

#include "framework/base/mutex.h"
#include "framework/plan/graph_plan.h"

namespace syncline {

Backpressure::Backpressure(const GraphPlan& plan)
    : plan_(plan),
      num_sources_(static_cast<int>(plan.sources().size())),
      full_queues_(std::make_unique<std::atomic<int>[]>(num_sources_)),
      is_parked_(num_sources_, false) {}

void Backpressure::Note(int source_set, int change, std::vector<int>* resumed) {
  MutexLock lock(&mutex_);
  plan_.ForEachSource(source_set, [&](int source) {
    mutex_.AssertHeld();  // the visitor is called at once
    const int count = full_queues_[source].fetch_add(change) + change;
    if (change > 0 || count != 0) return;
    const bool is_node = plan_.sources()[source].node >= 0;
    if (is_node && !is_parked_[source]) return;  // it is not waiting
    is_parked_[source] = false;
    resumed->push_back(source);
  });
}

bool Backpressure::ParkIfPaused(int source) {
  if (!IsPaused(source)) return false;
  MutexLock lock(&mutex_);
  if (!IsPaused(source)) return false;
  is_parked_[source] = true;
  return true;
}

std::vector<int> Backpressure::UnparkAll() {
  std::vector<int> parked;
  MutexLock lock(&mutex_);
  for (int source = 0; source < num_sources_; ++source) {
    if (is_parked_[source]) parked.push_back(source);
    is_parked_[source] = false;
  }
  return parked;
}

}  // namespace syncline
