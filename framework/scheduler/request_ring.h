// RequestRing: what a pool was asked to run, first in, first out.
//
// Room that was needed once is kept, so that adding and taking cost no memory
// in the long run; a deque would get and return a block every few requests.
//
// Thread rule: the owner has a lock for it.
// Tested by request_ring_test.

#ifndef SYNCLINE_FRAMEWORK_SCHEDULER_REQUEST_RING_H_
#define SYNCLINE_FRAMEWORK_SCHEDULER_REQUEST_RING_H_

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "framework/scheduler/executor.h"

namespace syncline {

// One of the two is set.
struct Request {
  TaskQueue* task_queue = nullptr;
  std::function<void()> task;
};

class RequestRing {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  void Push(Request request) {
    if (size_ == slots_.size()) Grow();
    slots_[(first_ + size_) & (slots_.size() - 1)] = std::move(request);
    ++size_;
  }

  // REQUIRES: !empty()
  Request Pop() {
    // A moved-from function may keep what it held.
    Request request = std::exchange(slots_[first_], Request());
    first_ = (first_ + 1) & (slots_.size() - 1);
    --size_;
    return request;
  }

 private:
  void Grow() {
    std::vector<Request> larger(slots_.empty() ? 16 : 2 * slots_.size());
    for (std::size_t i = 0; i < size_; ++i) {
      larger[i] = std::move(slots_[(first_ + i) & (slots_.size() - 1)]);
    }
    slots_ = std::move(larger);
    first_ = 0;
  }

  std::vector<Request> slots_;  // a power of two of them
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_SCHEDULER_REQUEST_RING_H_
