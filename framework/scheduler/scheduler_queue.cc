#include "framework/scheduler/scheduler_queue.h"

#include <sched.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "framework/base/misuse.h"
#include "framework/base/mutex.h"
#include "framework/base/thread_state.h"
#include "framework/scheduler/core_use.h"
#include "framework/scheduler/executor.h"
#include "framework/scheduler/task.h"
#include "glog/logging.h"

namespace syncline {

namespace {

// The number that the executor's function returns; at least 1, also if the
// function throws.
template <typename Ask>
int AtLeastOne(Ask ask) {
  int number = 1;
  const absl::Status status = CallUserCode([&] { number = ask(); });
  if (!status.ok()) LOG(ERROR) << "An executor failed: " << status;
  return std::max(1, number);
}

}  // namespace

// While one of these lives, its thread has another role.
class SchedulerQueue::InRole {
 public:
  explicit InRole(const Role& role) : outer_(std::exchange(role_, role)) {}
  ~InRole() { role_ = outer_; }
  InRole(const InRole&) = delete;
  InRole& operator=(const InRole&) = delete;

 private:
  const Role outer_;
};

SchedulerQueue::SchedulerQueue(Executor* executor, TaskRunner* runner,
                               Activity* activity, TaskChooser* chooser,
                               int cores, bool has_turns)
    : executor_(executor),
      runner_(runner),
      activity_(activity),
      most_{.threads = AtLeastOne([&] { return executor->MaxParallelTasks(); }),
            .tasks = chooser == nullptr ? AtLeastOne([&] {
              return executor->MaxTasksInARow();
            })
                                        : 1},
      has_chooser_(chooser != nullptr),
      own_{.are_kept = most_.threads == 1 && !has_chooser_ && !has_turns},
      core_use_(most_.threads, cores),
      helpers_(most_.threads > 1 && !has_chooser_),
      tasks_(chooser) {
  MutexLock lock(&mutex_);
  Publish();
}

SchedulerQueue::~SchedulerQueue() = default;

void SchedulerQueue::Push(absl::Span<Task* const> tasks) {
  // First, as it may throw.
  tasks_.Reserve(tasks.size());
  if (!tasks.empty() && !IsActive()) activity_->Add();
  tasks_.Push(tasks);
}

void SchedulerQueue::Publish() {
  top_key_.store(orders_.paused || orders_.drops_own
                     ? WaitingTasks::kGreatestKey
                     : tasks_.TopKey(),
                 std::memory_order_relaxed);
  // What helpers have is not counted: something may wait while there are any.
  const int waiting = orders_.paused ? 0
                                     : static_cast<int>(tasks_.size()) +
                                           (helpers_.empty() ? 0 : 1);
  if (work_.waiting.load(std::memory_order_relaxed) != waiting) {
    work_.waiting.store(waiting);
    if (waiting == 0) work_.lacks_cores.store(false);
  }
}

void SchedulerQueue::GiveOwn() {
  if (orders_.drops_own) own_.tasks.Clear();
  own_.tasks.MoveTo(&tasks_);
  orders_.drops_own = false;
  own_.top_key = 0;
}

void SchedulerQueue::PlanThreads(int added, const Kinds& kinds,
                                 FollowUp* follow_up) {
  if (orders_.paused) return;
  const bool has_long =
      helpers_.AreMostlyShort(TasksRun()) ? kinds.has_lasting : kinds.has_long;
  const WakeUps wake_ups =
      DecideWakeUps({.waiting = static_cast<int>(tasks_.size()),
                     .added = added,
                     .has_long = has_long,
                     .sleepers = kinds.sleepers,
                     .asked = threads_.asked,
                     .serving = threads_.serving,
                     .asleep = core_use_.asleep(),
                     .max_threads = most_.threads,
                     .cores = core_use_.cores()});
  // Publish takes it back once nothing waits.
  if (wake_ups.lacks_cores) work_.lacks_cores.store(true);
  const bool wants_help = wake_ups.threads == 0 && WantsHelp();
  if (wake_ups.watch && !watched_.exchange(true)) follow_up->watch = true;
  follow_up->threads_to_ask = wants_help ? 1 : wake_ups.threads;
  threads_.asked += follow_up->threads_to_ask;
}

void SchedulerQueue::BeginServing() {
  ++threads_.serving;
  core_use_.Begin();
}

bool SchedulerQueue::OnlyLacksCores() {
  std::vector<pid_t> computing;
  {
    MutexLock lock(&mutex_);
    computing = core_use_.Computing(work_.returns.load());
  }
  return core_use_.LackCores(computing);
}

void SchedulerQueue::StopServing(FollowUp* follow_up) {
  --threads_.serving;
  core_use_.End(ThisThreadId());
  if (!helpers_.empty()) {
    if (HasOwnTasks()) {
      helpers_.Remove(role_.tasks, work_.returns.load());
    } else if (threads_.serving == helpers_.size()) {
      helpers_.LeaveQueueToOne(&tasks_, work_.returns.load());
    }
    Publish();
  }
  if (IsActive()) return;
  helpers_.trial().Interrupt(TasksRun());
  follow_up->became_idle = activity_->Remove();
}

void SchedulerQueue::Act(const FollowUp& follow_up) {
  AskForThreads(follow_up.threads_to_ask);
  if (follow_up.watch && !AskToWatch()) {
    // This executor does not watch, so it is asked for a thread for each task
    // that waits, however many threads compute. Nobody would notice if one of
    // these threads began to wait for something.
    int ask = 0;
    {
      MutexLock lock(&mutex_);
      watched_.store(false);
      ask = std::min(static_cast<int>(tasks_.size()) - threads_.asked,
                     most_.threads - threads_.asked - threads_.serving);
      if (orders_.paused || ask < 0) ask = 0;
      threads_.asked += ask;
    }
    AskForThreads(ask);
  }
  if (follow_up.became_idle) runner_->OnIdle();
}

template <typename Call>
bool SchedulerQueue::CallExecutor(Call call) {
  const absl::Status status = CallUserCode(call);
  if (!status.ok()) runner_->OnExecutorError(status);
  return status.ok();
}

void SchedulerQueue::AskForThreads(int count) {
  for (int i = 0; i < count; ++i) {
    if (!CallExecutor([this] { executor_->AddTask(this); })) OnTaskLost();
  }
}

bool SchedulerQueue::AskToWatch() {
  bool watches = false;
  CallExecutor(
      [&] { watches = executor_->Watch(&watch_entrance_, &work_, &watched_); });
  return watches;
}

void SchedulerQueue::Add(absl::Span<Task* const> tasks) {
  if (tasks.empty()) return;
  FollowUp follow_up;
  {
    MutexLock lock(&mutex_);
    Push(tasks);
    Kinds kinds;
    kinds.Add(tasks);
    Publish();
    PlanThreads(static_cast<int>(tasks.size()), kinds, &follow_up);
  }
  Act(follow_up);
}

void SchedulerQueue::AddAndGiveWay(Task* source) {
  if (IsHelper() && !IsLasting(*source) && role_.tasks->AddGivingWay(source)) {
    return;
  }
  {
    MutexLock lock(&mutex_);
    tasks_.GiveWay();
  }
  Add({&source, 1});
}

Task* SchedulerQueue::NextFromAll(absl::Span<Task* const> ready) {
  FollowUp follow_up;
  Task* next = nullptr;
  bool asks_helpers = false;
  {
    MutexLock lock(&mutex_);
    if (own_.are_kept) GiveOwn();
    if (IsHelper()) role_.tasks->MoveTo(&tasks_);
    if (!helpers_.empty()) TakeFromStuck();
    if (orders_.paused) {
      Push(ready);
    } else {
      tasks_.Reserve(ready.size());  // first, as it may throw
      next = tasks_.PushAndPop(ready);
    }
    Publish();
    if (next != nullptr) {
      PlanForRest(*next, ready, &follow_up);
      if (follow_up.leaves) {
        tasks_.Push({&next, 1});
        next = nullptr;
      }
    } else {
      asks_helpers = !orders_.paused && !helpers_.empty() && !IsHelper();
    }
    if (next == nullptr && !asks_helpers) StopServing(&follow_up);
    if (follow_up.leaves) Publish();
    CountReturn();
  }
  if (ABSL_PREDICT_FALSE(asks_helpers)) return TakeFromHelpers();
  if (follow_up.threads_to_ask > 0 || follow_up.watch ||
      follow_up.became_idle) {
    Act(follow_up);
  }
  if (next != nullptr) WillRun(*next);
  return next;
}

void SchedulerQueue::PlanForRest(const Task& next,
                                 absl::Span<Task* const> ready,
                                 FollowUp* follow_up) {
  if (!helpers_.allowed() && !MayNeedThreads()) return;
  Kinds kinds;
  kinds.Add(next);
  kinds.Add(ready);
  if (MayNeedThreads()) {
    PlanThreads(static_cast<int>(ready.size()) - 1, kinds, follow_up);
  }
  if (!helpers_.allowed()) return;
  if (kinds.has_long) {
    helpers_.NoteLong(TasksRun());
  } else if (threads_.serving > helpers_.size() + 1 && !IsHelper() &&
             role_.sent_to != this && helpers_.AreMostlyShort(TasksRun())) {
    follow_up->leaves = true;
  }
}

void SchedulerQueue::GiveCoreToNeighbour() {
  CoreUse::Neighbours neighbours;
  {
    MutexLock lock(&mutex_);
    neighbours = core_use_.NeighboursOf(CoreUse::ThisThread());
  }
  const bool lacks_core =
      std::any_of(neighbours.begin(), neighbours.end(), IsRunnable);
  if (lacks_core) sched_yield();
  core_use_.HasLooked(/*in_vain=*/!neighbours.empty() && !lacks_core);
}

bool SchedulerQueue::ShouldLeave() {
  if (has_chooser_ || role_.guest_of == this) return true;
  if (most_.threads > 1) LookForStuck();
  bool others_wait = true;
  CallExecutor([&] { others_wait = executor_->OthersWait(); });
  return others_wait;
}

void SchedulerQueue::LeaveWith(absl::Span<Task* const> ready) {
  FollowUp follow_up;
  {
    MutexLock lock(&mutex_);
    if (own_.are_kept) GiveOwn();
    if (IsHelper()) role_.tasks->MoveTo(&tasks_);
    // A helper takes no task of the queue in turn, so the queue may stand still
    // all the same.
    if (!HasOwnTasks()) CountReturn();
    Push(ready);
    StopServing(&follow_up);
    Publish();
    PlanThreads(0, {}, &follow_up);
  }
  Act(follow_up);
}

void SchedulerQueue::Pause() {
  MutexLock lock(&mutex_);
  orders_.paused = true;
  helpers_.CloseAll(&tasks_, work_.returns.load());
  Publish();
}

void SchedulerQueue::Resume() {
  FollowUp follow_up;
  {
    MutexLock lock(&mutex_);
    if (!orders_.paused) return;
    orders_.paused = false;
    Publish();
    PlanThreads(static_cast<int>(tasks_.size()),
                {.has_long = true,
                 .has_lasting = true,
                 .sleepers = static_cast<int>(tasks_.size())},
                &follow_up);
  }
  Act(follow_up);
}

std::vector<Task*> SchedulerQueue::TakeAll() {
  std::vector<Task*> tasks;
  FollowUp follow_up;
  {
    MutexLock lock(&mutex_);
    orders_.drops_own = own_.are_kept && threads_.serving > 0;
    helpers_.CloseAll(&tasks_, work_.returns.load());
    if (orders_.drops_own) Publish();
    if (tasks_.empty()) return tasks;
    // If there is no memory for the list, the tasks are dropped all the same.
    const absl::Status status = CatchExceptions([&] {
      mutex_.AssertHeld();
      tasks = tasks_.TakeAll();
    });
    if (!status.ok()) tasks_.Clear();
    if (!IsActive()) follow_up.became_idle = activity_->Remove();
    Publish();
  }
  Act(follow_up);
  return tasks;
}

void SchedulerQueue::Shutdown() {
  {
    MutexLock lock(&mutex_);
    orders_.shut_down = true;
    while (threads_.inside > 0) nobody_inside_.Wait(&mutex_);
    DCHECK(tasks_.size() == 0);
    if (threads_.asked > 0) self_ = shared_from_this();
  }
  CallExecutor([this] { executor_->Unwatch(&watch_entrance_); });
}

void SchedulerQueue::ServeWith(absl::Span<Task* const> tasks) {
  const InRole guest({.guest_of = this});
  Enter(/*was_asked=*/false, tasks, static_cast<int>(tasks.size()));
}

void SchedulerQueue::RunOneTask() {
  const InRole guest({.guest_of = this});
  Enter(/*was_asked=*/true, {}, /*max_tasks=*/1);
}

int SchedulerQueue::RunEachOnce(bool* has_called) {
  std::shared_ptr<SchedulerQueue> self;  // outlives the lock
  {
    MutexLock lock(&mutex_);
    if (!MayComeIn(/*was_asked=*/true, &self)) return 0;
    ++threads_.inside;
  }
  const InRole guest({.guest_of = this});
  int count = 0;
  const absl::Status status = CatchExceptions([&] {
    BeginRound();
    while (Task* const task = TakeOfRound()) {
      if (!task->priority.IsOpen()) *has_called = true;
      ++count;
      runner_->RunTasks(task, this, /*max_tasks=*/1);
    }
  });
  Exit(status);
  return count;
}

bool SchedulerQueue::MayComeIn(bool was_asked,
                               std::shared_ptr<SchedulerQueue>* self) {
  // An executor may come more often than it was asked to.
  if (was_asked && threads_.asked > 0) --threads_.asked;
  if (!orders_.shut_down) return true;
  if (threads_.asked == 0) *self = std::move(self_);
  return false;
}

void SchedulerQueue::BeginRound() {
  MutexLock lock(&mutex_);
  // Another thread is at it, or nobody may be.
  if (orders_.paused || tasks_.in_round()) return;
  tasks_.BeginRound();
  Publish();
}

Task* SchedulerQueue::TakeOfRound() {
  FollowUp follow_up;
  {
    MutexLock lock(&mutex_);
    if (!tasks_.in_round()) return nullptr;
    if (!orders_.paused && threads_.serving < most_.threads) {
      BeginServing();
      return tasks_.TakeOfRound();
    }
    tasks_.EndRound();
    Publish();
    PlanThreads(0, {}, &follow_up);
  }
  Act(follow_up);
  return nullptr;
}

// The thread that woke this one runs something more urgent than a source. If no
// core is free, the kernel takes the core from that thread for this one,
// because this one has slept. But the source that this one would run for some
// milliseconds is of no use before the urgent task is done.
void SchedulerQueue::GiveCoreBack() {
  if (!TaskPriority::IsSourceKey(top_key_.load(std::memory_order_relaxed)) ||
      role_.guest_of == this) {
    return;
  }
  {
    MutexLock lock(&mutex_);
    if (core_use_.NeighboursOf(CoreUse::ThisThread()).empty()) return;
  }
  sched_yield();
}

void SchedulerQueue::Enter(bool was_asked, absl::Span<Task* const> tasks,
                           int max_tasks) {
  std::shared_ptr<SchedulerQueue> self;  // outlives the lock
  Task* task = nullptr;
  bool helps = false;
  FollowUp follow_up;
  const InRole role(
      {.guest_of = role_.guest_of, .sent_to = was_asked ? nullptr : this});
  if (was_asked) GiveCoreBack();
  {
    MutexLock lock(&mutex_);
    if (!MayComeIn(was_asked, &self)) return;
    Push(tasks);  // may throw: the thread is not inside then
    ++threads_.inside;
    helps = was_asked && MayHelp();
    if (!helps && threads_.serving < most_.threads) task = PopOrTake();
    if (helps || task != nullptr) BeginServing();
    if (task != nullptr || !tasks.empty()) {
      Publish();
      Kinds kinds = {.has_long = task == nullptr,
                     .has_lasting = task == nullptr};
      if (task != nullptr) kinds.Add(*task);
      PlanThreads(static_cast<int>(tasks.size()), kinds, &follow_up);
      CountReturn();
    }
  }
  Exit(CatchExceptions([&] {
    Act(follow_up);
    if (helps) return RunAsHelper();
    if (task == nullptr) return;
    CoreUse::SetRunsSource(task->priority.IsSource());
    runner_->RunTasks(task, this, max_tasks == 0 ? most_.tasks : max_tasks);
  }));
}

void SchedulerQueue::OnTaskLost() {
  std::shared_ptr<SchedulerQueue> self;  // outlives the lock
  {
    MutexLock lock(&mutex_);
    if (!MayComeIn(/*was_asked=*/true, &self)) return;
    ++threads_.inside;
  }
  Exit(CatchExceptions([&] { runner_->OnTaskLost(this); }));
}

void SchedulerQueue::Exit(const absl::Status& status) {
  if (ABSL_PREDICT_FALSE(!status.ok())) {
    runner_->OnExecutorError(status);
    TakeAll();  // nobody would come for what is left
  }
  MutexLock lock(&mutex_);
  if (--threads_.inside == 0 && orders_.shut_down) nobody_inside_.SignalAll();
}

}  // namespace syncline
