#include "framework/node/overlapping_calls.h"

#include <memory>
#include <utility>

#include "glog/logging.h"

namespace syncline {

OverlappingCalls::OverlappingCalls(int max_in_flight, Invocation* first)
    : max_in_flight_(max_in_flight), free_({first}) {}

Invocation* OverlappingCalls::Add(std::unique_ptr<Invocation> invocation) {
  made_.push_back(std::move(invocation));
  free_.push_back(made_.back().get());
  return free_.back();
}

void OverlappingCalls::Begin(Invocation* invocation) {
  DCHECK(invocation == Next() && !IsFull());
  free_.pop_back();
  invocation->is_finished = false;
  in_order_.push_back(invocation);
}

Invocation* OverlappingCalls::Complete(Invocation* invocation) {
  invocation->is_finished = true;
  if (is_sending_ || invocation != in_order_.front()) return nullptr;
  is_sending_ = true;
  return invocation;
}

Invocation* OverlappingCalls::Finish(Invocation* invocation) {
  DCHECK(is_sending_ && invocation == in_order_.front());
  in_order_.pop_front();
  free_.push_back(invocation);
  is_sending_ = !in_order_.empty() && in_order_.front()->is_finished;
  return is_sending_ ? in_order_.front() : nullptr;
}

void OverlappingCalls::Clear() {
  in_order_.clear();
  free_.clear();
  made_.clear();
}

}  // namespace syncline
