#include "framework/graph/node_timers.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "framework/base/mutex.h"

namespace syncline {
namespace {

constexpr int kBelow = 4;

}  // namespace

void NodeTimers::Set(int node, std::int64_t target_ns) {
  MutexLock lock(&mutex_);
  int place = places_[node];
  if (place < 0) {
    place = static_cast<int>(heap_.size());
    heap_.emplace_back();
  }
  Sift(place, {target_ns, node});
}

void NodeTimers::Remove(int node) {
  MutexLock lock(&mutex_);
  if (places_[node] >= 0) RemoveAt(places_[node]);
}

std::int64_t NodeTimers::Next(int* node) const {
  MutexLock lock(&mutex_);
  if (heap_.empty()) return kNone;
  if (node != nullptr) *node = heap_[0].node;
  return heap_[0].target_ns;
}

void NodeTimers::TakeDue(std::int64_t now_ns, std::vector<int>* due) {
  MutexLock lock(&mutex_);
  while (!heap_.empty() && heap_[0].target_ns <= now_ns) {
    due->push_back(heap_[0].node);
    RemoveAt(0);
  }
}

void NodeTimers::RemoveAt(int place) {
  places_[heap_[place].node] = -1;
  const Entry last = heap_.back();
  heap_.pop_back();
  if (place < static_cast<int>(heap_.size())) Sift(place, last);
}

void NodeTimers::Sift(int place, Entry entry) {
  while (place > 0 && entry < heap_[(place - 1) / kBelow]) {
    Put(place, heap_[(place - 1) / kBelow]);
    place = (place - 1) / kBelow;
  }
  const int size = static_cast<int>(heap_.size());
  for (;;) {
    const int first = kBelow * place + 1;
    if (first >= size) break;
    const auto begin = heap_.begin() + first;
    const auto earliest =
        std::min_element(begin, begin + std::min(kBelow, size - first));
    if (!(*earliest < entry)) break;
    Put(place, *earliest);
    place = static_cast<int>(earliest - heap_.begin());
  }
  Put(place, entry);
}

}  // namespace syncline
