#include "framework/scheduler/scheduler_queue.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "framework/base/misuse.h"
#include "framework/base/mutex.h"
#include "framework/scheduler/executor.h"
#include "framework/scheduler/task.h"
#include "glog/logging.h"

namespace syncline {

namespace {

// What the executor says, made sense of: at least 1.
template <typename Ask>
int AtLeastOne(Ask ask) {
  int number = 1;
  const absl::Status status = CallUserCode([&] {
    number = ask();
    return absl::OkStatus();
  });
  if (!status.ok()) LOG(ERROR) << "An executor failed: " << status;
  return std::max(1, number);
}

}  // namespace

SchedulerQueue::SchedulerQueue(Executor* executor, TaskRunner* runner,
                               Activity* activity, TaskChooser* chooser)
    : executor_(executor),
      runner_(runner),
      activity_(activity),
      max_threads_(AtLeastOne([&] { return executor->MaxParallelTasks(); })),
      max_tasks_(chooser == nullptr
                     ? AtLeastOne([&] { return executor->MaxTasksInARow(); })
                     : 1),
      chooser_(chooser) {
  MutexLock lock(&mutex_);
  Publish();
}

SchedulerQueue::~SchedulerQueue() = default;

void SchedulerQueue::Push(absl::Span<Task* const> tasks) {
  // First, as it may throw.
  if (heap_.capacity() - heap_.size() < tasks.size()) {
    heap_.reserve(std::max(2 * heap_.capacity(), heap_.size() + tasks.size()));
  }
  if (!tasks.empty() && !IsActive()) activity_->Add();
  for (Task* const task : tasks) {
    heap_.push_back({task->priority, task});
    if (chooser_ == nullptr) std::push_heap(heap_.begin(), heap_.end());
  }
}

Task* SchedulerQueue::Pop() {
  if (paused_ || heap_.empty()) return nullptr;
  if (chooser_ != nullptr) {
    // No heap any more, but nobody needs one.
    const size_t chosen =
        heap_.size() == 1 ? 0 : chooser_->Choose(heap_.size());
    Task* const task = heap_[chosen].task;
    heap_.erase(heap_.begin() + static_cast<std::ptrdiff_t>(chosen));
    return task;
  }
  if (ABSL_PREDICT_FALSE(gives_way_) && heap_.front().priority.IsSource()) {
    return PopByTurns();
  }
  std::pop_heap(heap_.begin(), heap_.end());
  Task* const task = heap_.back().task;
  heap_.pop_back();
  return task;
}

Task* SchedulerQueue::PopByTurns() {
  gives_way_ = false;
  // Of the same layer, the one after the last; else the first.
  const TaskPriority& top = heap_.front().priority;
  const auto is_earlier = [&](const Entry& a, const Entry& b) {
    const bool a_is_next = a.priority.Key() < last_turn_;
    const bool b_is_next = b.priority.Key() < last_turn_;
    if (a_is_next != b_is_next) return a_is_next;
    return a.priority.Key() > b.priority.Key();
  };
  auto chosen = heap_.begin();
  for (auto entry = heap_.begin(); entry != heap_.end(); ++entry) {
    if (!entry->priority.IsOfSameLayer(top)) continue;
    if (is_earlier(*entry, *chosen)) chosen = entry;
  }
  last_turn_ = chosen->priority.Key();
  Task* const task = chosen->task;
  *chosen = heap_.back();
  heap_.pop_back();
  std::make_heap(heap_.begin(), heap_.end());
  return task;
}

void SchedulerQueue::Publish() {
  std::uint64_t key = 0;
  if (paused_ || chooser_ != nullptr) {
    key = std::numeric_limits<std::uint64_t>::max();
  } else if (!heap_.empty()) {
    key = heap_.front().priority.Key();
  }
  top_key_.store(key, std::memory_order_relaxed);
  const int waiting = paused_ ? 0 : static_cast<int>(heap_.size());
  if (work_.waiting.load(std::memory_order_relaxed) != waiting) {
    work_.waiting.store(waiting);
  }
}

void SchedulerQueue::PlanThreads(int added, bool is_long, FollowUp* follow_up) {
  const int waiting = static_cast<int>(heap_.size());
  if (paused_ || waiting == 0) return;
  const int coming = asked_ + serving_;
  if (coming >= max_threads_) return;
  int ask = coming == 0 ? 1 : 0;
  if (is_long) {
    // Those that were left to a watch are no longer in good hands.
    ask = std::max(added, 1);
  } else if (coming > 0 && asked_ < waiting) {
    if (!watched_.exchange(true)) follow_up->watch = true;
  }
  ask = std::min({ask, waiting - asked_, max_threads_ - coming});
  if (ask <= 0) return;
  asked_ += ask;
  follow_up->threads_to_ask = ask;
}

void SchedulerQueue::StopServing(FollowUp* follow_up) {
  --serving_;
  if (!IsActive()) follow_up->became_idle = activity_->Remove();
}

void SchedulerQueue::Act(const FollowUp& follow_up) {
  AskForThreads(follow_up.threads_to_ask);
  if (follow_up.watch && !AskToWatch()) {
    // This executor does not watch: a thread for each task, as it expects.
    int ask = 0;
    {
      MutexLock lock(&mutex_);
      watched_.store(false);
      ask = std::min(static_cast<int>(heap_.size()) - asked_,
                     max_threads_ - asked_ - serving_);
      if (paused_ || ask < 0) ask = 0;
      asked_ += ask;
    }
    AskForThreads(ask);
  }
  if (follow_up.became_idle) runner_->OnIdle();
}

void SchedulerQueue::AskForThreads(int count) {
  for (int i = 0; i < count; ++i) {
    const absl::Status status = CallUserCode([this] {
      executor_->AddTask(this);
      return absl::OkStatus();
    });
    if (status.ok()) continue;
    runner_->OnExecutorError(status);
    OnTaskLost();
  }
}

bool SchedulerQueue::AskToWatch() {
  bool watches = false;
  const absl::Status status = CallUserCode([&] {
    watches = executor_->Watch(&watch_entrance_, &work_, &watched_);
    return absl::OkStatus();
  });
  if (!status.ok()) runner_->OnExecutorError(status);
  return watches;
}

void SchedulerQueue::Add(absl::Span<Task* const> tasks) {
  if (tasks.empty()) return;
  FollowUp follow_up;
  {
    MutexLock lock(&mutex_);
    Push(tasks);
    const bool is_long =
        std::any_of(tasks.begin(), tasks.end(),
                    [](const Task* task) { return IsLong(*task); });
    Publish();
    PlanThreads(static_cast<int>(tasks.size()), is_long, &follow_up);
  }
  Act(follow_up);
}

void SchedulerQueue::AddAndGiveWay(Task* source) {
  {
    MutexLock lock(&mutex_);
    // With nobody to give way to, the source itself would be next.
    gives_way_ = !heap_.empty();
  }
  Add({&source, 1});
}

Task* SchedulerQueue::NextFromAll(absl::Span<Task* const> ready) {
  FollowUp follow_up;
  Task* next = nullptr;
  {
    MutexLock lock(&mutex_);
    Push(ready);
    next = Pop();
    Publish();
    if (next == nullptr) {
      StopServing(&follow_up);
    } else {
      const bool is_long =
          IsLong(*next) ||
          std::any_of(ready.begin(), ready.end(),
                      [](const Task* task) { return IsLong(*task); });
      PlanThreads(static_cast<int>(ready.size()) - 1, is_long, &follow_up);
    }
    CountTurn();
  }
  Act(follow_up);
  return next;
}

bool SchedulerQueue::ShouldLeave() {
  if (chooser_ != nullptr || guest_of_ == this) return true;
  bool others_wait = true;
  const absl::Status status = CallUserCode([&] {
    others_wait = executor_->OthersWait();
    return absl::OkStatus();
  });
  if (!status.ok()) runner_->OnExecutorError(status);
  return others_wait;
}

void SchedulerQueue::LeaveWith(absl::Span<Task* const> ready) {
  FollowUp follow_up;
  {
    MutexLock lock(&mutex_);
    Push(ready);
    StopServing(&follow_up);
    Publish();
    PlanThreads(0, false, &follow_up);
    CountTurn();
  }
  Act(follow_up);
}

void SchedulerQueue::Pause() {
  MutexLock lock(&mutex_);
  paused_ = true;
  Publish();
}

void SchedulerQueue::Resume() {
  FollowUp follow_up;
  {
    MutexLock lock(&mutex_);
    if (!paused_) return;
    paused_ = false;
    Publish();
    PlanThreads(static_cast<int>(heap_.size()), true, &follow_up);
  }
  Act(follow_up);
}

std::vector<Task*> SchedulerQueue::TakeAll() {
  std::vector<Task*> tasks;
  FollowUp follow_up;
  {
    MutexLock lock(&mutex_);
    if (heap_.empty() && pass_.empty()) return tasks;
    // Without memory for them, they are forgotten all the same.
    const absl::Status status = CatchExceptions([&] {
      tasks.reserve(heap_.size() + pass_.size());
      return absl::OkStatus();
    });
    if (status.ok()) {
      for (const Entry& entry : heap_) tasks.push_back(entry.task);
      for (const Entry& entry : pass_) tasks.push_back(entry.task);
    }
    heap_.clear();
    pass_.clear();
    if (!IsActive()) follow_up.became_idle = activity_->Remove();
    Publish();
  }
  Act(follow_up);
  return tasks;
}

void SchedulerQueue::Shutdown() {
  {
    MutexLock lock(&mutex_);
    shut_down_ = true;
    while (inside_ > 0) nobody_inside_.Wait(&mutex_);
    DCHECK(heap_.empty());
    if (asked_ > 0) self_ = shared_from_this();
  }
  const absl::Status status = CallUserCode([this] {
    executor_->Unwatch(&watch_entrance_);
    return absl::OkStatus();
  });
  if (!status.ok()) runner_->OnExecutorError(status);
}

void SchedulerQueue::ServeWith(absl::Span<Task* const> tasks) {
  const SchedulerQueue* const outer = std::exchange(guest_of_, this);
  Enter(/*was_asked=*/false, tasks, static_cast<int>(tasks.size()));
  guest_of_ = outer;
}

void SchedulerQueue::RunOneTask() {
  const SchedulerQueue* const outer = std::exchange(guest_of_, this);
  Enter(/*was_asked=*/true, {}, /*max_tasks=*/1);
  guest_of_ = outer;
}

int SchedulerQueue::RunEachOnce(bool* has_called) {
  std::shared_ptr<SchedulerQueue> self;  // outlives the lock
  {
    MutexLock lock(&mutex_);
    if (asked_ > 0) --asked_;
    if (shut_down_) {
      if (asked_ == 0) self = std::move(self_);
      return 0;
    }
    ++inside_;
  }
  const SchedulerQueue* const outer = std::exchange(guest_of_, this);
  int count = 0;
  const absl::Status status = CatchExceptions([&] {
    BeginPass();
    while (Task* const task = TakeOfPass()) {
      if (!task->priority.IsOpen()) *has_called = true;
      ++count;
      runner_->RunTasks(task, this, /*max_tasks=*/1);
    }
    return absl::OkStatus();
  });
  if (ABSL_PREDICT_FALSE(!status.ok())) {
    runner_->OnExecutorError(status);
    TakeAll();  // nobody would come for what is left
  }
  guest_of_ = outer;
  Exit();
  return count;
}

void SchedulerQueue::BeginPass() {
  MutexLock lock(&mutex_);
  // Another thread is at it, or nobody may be.
  if (paused_ || !pass_.empty()) return;
  // First, as it may throw.
  pass_.reserve(heap_.size());
  std::swap(pass_, heap_);
  std::sort(pass_.begin(), pass_.end());
  KeepOneOfEachNode();
  Publish();
}

// Calls of a node that may overlap are several tasks, of one priority.
void SchedulerQueue::KeepOneOfEachNode() {
  std::size_t kept = 0;
  for (const Entry& entry : pass_) {
    const bool is_another = kept > 0 && !entry.priority.IsSource() &&
                            entry.priority == pass_[kept - 1].priority;
    if (is_another) {
      heap_.push_back(entry);
    } else {
      pass_[kept++] = entry;
    }
  }
  pass_.erase(pass_.begin() + static_cast<std::ptrdiff_t>(kept), pass_.end());
  if (chooser_ == nullptr) std::make_heap(heap_.begin(), heap_.end());
}

Task* SchedulerQueue::TakeOfPass() {
  FollowUp follow_up;
  Task* task = nullptr;
  {
    MutexLock lock(&mutex_);
    if (pass_.empty()) return nullptr;
    if (!paused_ && serving_ < max_threads_) {
      task = pass_.back().task;
      pass_.pop_back();
      ++serving_;
      return task;
    }
    // The rest waits with the others.
    heap_.insert(heap_.end(), pass_.begin(), pass_.end());
    pass_.clear();
    if (chooser_ == nullptr) std::make_heap(heap_.begin(), heap_.end());
    Publish();
    PlanThreads(0, /*is_long=*/false, &follow_up);
  }
  Act(follow_up);
  return nullptr;
}

void SchedulerQueue::Enter(bool was_asked, absl::Span<Task* const> tasks,
                           int max_tasks) {
  std::shared_ptr<SchedulerQueue> self;  // outlives the lock
  Task* task = nullptr;
  FollowUp follow_up;
  {
    MutexLock lock(&mutex_);
    // An executor may come more often than it was asked to.
    if (was_asked && asked_ > 0) --asked_;
    if (shut_down_) {
      if (asked_ == 0) self = std::move(self_);
      return;
    }
    Push(tasks);
    ++inside_;
    if (serving_ < max_threads_) task = Pop();
    if (task != nullptr) ++serving_;
    if (task != nullptr || !tasks.empty()) {
      Publish();
      PlanThreads(static_cast<int>(tasks.size()),
                  task == nullptr || IsLong(*task), &follow_up);
      CountTurn();
    }
  }
  Act(follow_up);
  if (task != nullptr) {
    runner_->RunTasks(task, this, max_tasks == 0 ? max_tasks_ : max_tasks);
  }
  Exit();
}

void SchedulerQueue::OnTaskLost() {
  std::shared_ptr<SchedulerQueue> self;  // outlives the lock
  {
    MutexLock lock(&mutex_);
    if (asked_ > 0) --asked_;
    if (shut_down_) {
      if (asked_ == 0) self = std::move(self_);
      return;
    }
    ++inside_;
  }
  runner_->OnTaskLost(this);
  Exit();
}

void SchedulerQueue::Exit() {
  MutexLock lock(&mutex_);
  if (--inside_ == 0 && shut_down_) nobody_inside_.SignalAll();
}

}  // namespace syncline
