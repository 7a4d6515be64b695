#include "framework/scheduler/helpers.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "framework/base/misuse.h"
#include "framework/base/mutex.h"
#include "framework/scheduler/task.h"
#include "framework/scheduler/waiting_tasks.h"

namespace syncline {

Task* HelperTasks::PushAndPop(absl::Span<Task* const> ready) {
  MutexLock lock(&mutex_);
  if (closed_) return nullptr;
  tasks_.Reserve(ready.size());  // first, as it may throw
  Task* const next = tasks_.PushAndPop(ready);
  Publish();
  return next;
}

bool HelperTasks::AddGivingWay(Task* source) {
  MutexLock lock(&mutex_);
  if (closed_) return false;
  tasks_.Reserve(1);  // first, as it may throw
  tasks_.GiveWay();
  tasks_.Push({&source, 1});
  Publish();
  return true;
}

void HelperTasks::MoveTo(WaitingTasks* to) {
  MutexLock lock(&mutex_);
  tasks_.MoveTo(to);
  Publish();
}

void HelperTasks::Close(WaitingTasks* to) {
  MutexLock lock(&mutex_);
  const absl::Status status = CatchExceptions([&] {
    mutex_.AssertHeld();
    tasks_.MoveTo(to);
  });
  if (!status.ok()) tasks_.Clear();
  closed_ = true;
  Publish();
}

bool HelperTasks::GiveHalf(WaitingTasks* other, bool most_urgent) {
  MutexLock lock(&mutex_);
  const bool gives = tasks_.MoveHalfTo(other, most_urgent);
  Publish();
  return gives;
}

void HelperTasks::TakeHalf(WaitingTasks* other) {
  MutexLock lock(&mutex_);
  if (!closed_) other->MoveHalfTo(&tasks_, /*most_urgent=*/false);
  Publish();
}

void HelperTasks::TakeAll(WaitingTasks* other) {
  MutexLock lock(&mutex_);
  if (!closed_) other->MoveTo(&tasks_);
  Publish();
}

std::uint64_t Helpers::returns() const {
  std::uint64_t returns = returns_of_former_;
  for (const HelperTasks* const helper : helpers_) returns += helper->returns();
  return returns;
}

void Helpers::NoteLong(std::uint64_t tasks) {
  const std::uint64_t earliest = tasks > 4 * kAWhile ? tasks - 4 * kAWhile : 0;
  short_since_ =
      std::min(tasks, std::max(short_since_, earliest) + kShortForOneLong);
}

void Helpers::Add(HelperTasks* helper) { helpers_.push_back(helper); }

void Helpers::Remove(const HelperTasks* helper, std::uint64_t queue_returns) {
  const auto it = std::find(helpers_.begin(), helpers_.end(), helper);
  if (it == helpers_.end()) return;
  if (IsLast(helper)) trial_.End(returns() + queue_returns);
  returns_of_former_ += helper->returns();
  helpers_.erase(it);
}

void Helpers::TakeFor(HelperTasks* helper, WaitingTasks* queue) {
  // The queue has number 0, so a helper gets the less urgent half.
  if (queue->size() > 0) return helper->TakeHalf(queue);
  bool is_smaller = false;
  for (HelperTasks* const other : helpers_) {
    if (other == helper) {
      is_smaller = true;
    } else if (other->GiveHalf(queue, /*most_urgent=*/is_smaller)) {
      return helper->TakeAll(queue);
    }
  }
}

void Helpers::TakeForQueue(WaitingTasks* queue) {
  for (HelperTasks* const helper : helpers_) {
    if (helper->GiveHalf(queue, /*most_urgent=*/true)) return;
  }
}

void Helpers::TakeFromStuck(WaitingTasks* queue, std::int64_t now_ns,
                            std::uint64_t queue_returns, HelperTasks* caller) {
  if (now_ns - looked_ns_ < kNsBetweenLooks) return;
  looked_ns_ = now_ns;
  for (HelperTasks* const helper : helpers_) {
    if (helper->StandsStill()) helper->MoveTo(queue);
  }
  const bool queue_stands_still = queue_returns == seen_queue_returns_;
  seen_queue_returns_ = queue_returns;
  if (queue_stands_still && caller != nullptr) caller->TakeHalf(queue);
}

void Helpers::LeaveQueueToOne(WaitingTasks* queue,
                              std::uint64_t queue_returns) {
  if (helpers_.empty()) return;
  helpers_.front()->Close(queue);
  Remove(helpers_.front(), queue_returns);
}

void Helpers::CloseAll(WaitingTasks* queue, std::uint64_t queue_returns) {
  while (!helpers_.empty()) LeaveQueueToOne(queue, queue_returns);
}

}  // namespace syncline
