// How threads help with the short tasks of a queue.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "framework/base/misuse.h"
#include "framework/base/mutex.h"
#include "framework/base/steady_time.h"
#include "framework/scheduler/help_trial.h"
#include "framework/scheduler/helpers.h"
#include "framework/scheduler/scheduler_queue.h"
#include "framework/scheduler/task.h"
#include "framework/scheduler/wake_up_rule.h"

namespace syncline {
namespace {

// Fewer tasks than that are run before another thread has come.
constexpr std::size_t kFewestToHelpWith = 2;
// A thread that has nothing left looks for tasks so often, each microsecond: to
// be woken would take as long.
constexpr int kLooksForTasks = 50;
void PassAMicrosecond() {
  const std::int64_t end = SteadyNowNs() + 1000;
  while (SteadyNowNs() < end) {
  }
}

}  // namespace

// While one of these lives, its thread is a helper of the queue, if there is
// still need of it.
class SchedulerQueue::Helping {
 public:
  explicit Helping(SchedulerQueue* queue) : queue_(queue) {
    if (!queue->TakeIn(&tasks_)) return;
    role_.helper_of = queue;
    role_.tasks = &tasks_;
  }
  ~Helping() {
    role_.helper_of = nullptr;
    MutexLock lock(&queue_->mutex_);
    tasks_.Close(&queue_->tasks_);
    queue_->helpers_.Remove(&tasks_, queue_->work_.returns.load());
    queue_->Publish();
  }
  Helping(const Helping&) = delete;
  Helping& operator=(const Helping&) = delete;

 private:
  SchedulerQueue* const queue_;
  HelperTasks tasks_;
};

bool SchedulerQueue::WantsHelp() {
  if (!helpers_.allowed()) return false;
  if (!helpers_.AreMostlyShort(TasksRun())) {
    helpers_.trial().Interrupt(TasksRun());
    return false;
  }
  if (tasks_.size() < kFewestToHelpWith || threads_.asked > 0 ||
      threads_.serving == 0 ||
      threads_.serving >= std::min(core_use_.cores(), most_.threads)) {
    return false;
  }
  const std::uint64_t tasks = TasksRun();
  return helpers_.trial().IsTimeToLook(tasks) &&
         helpers_.trial().Look(tasks, SteadyNowNs());
}

bool SchedulerQueue::MayHelp() {
  HelpTrial& trial = helpers_.trial();
  if (trial.state() != HelpTrial::State::kAsked) return false;
  const bool may_help = !orders_.paused && threads_.serving > helpers_.size() &&
                        threads_.serving < most_.threads;
  if (!may_help) trial.Interrupt(TasksRun());
  return may_help;
}

void SchedulerQueue::RunAsHelper() {
  const Helping helping(this);
  Task* const task = Next({});
  if (task != nullptr) runner_->RunTasks(task, this, most_.tasks);
}

bool SchedulerQueue::TakeIn(HelperTasks* helper) {
  MutexLock lock(&mutex_);
  // Since MayHelp, another thread may have come in as the helper, or the trial
  // may be over.
  if (helpers_.trial().state() != HelpTrial::State::kAsked) return false;
  // Or the others have left, or an order has come. There is always a thread
  // that serves the queue itself.
  absl::Status status;
  if (orders_.paused || threads_.serving < helpers_.size() + 2) {
    status = absl::CancelledError();
  } else {
    status = CatchExceptions([&] {
      mutex_.AssertHeld();
      helpers_.Add(helper);
    });
  }
  if (!status.ok()) {
    helpers_.trial().Interrupt(TasksRun());
    return false;
  }
  helpers_.trial().Begin(TasksRun(), SteadyNowNs());
  Publish();
  return true;
}

bool SchedulerQueue::RunsNextOfHelper(const Task& task) {
  const std::uint64_t top = role_.tasks->top_key();
  if (IsLasting(task) ||
      (top != 0 && (task.priority.Key() <= top || task.priority.IsSource()))) {
    return false;
  }
  role_.tasks->CountReturn();
  CoreUse::SetRunsSource(false);
  return true;
}

Task* SchedulerQueue::NextOfHelper(absl::Span<Task* const> ready) {
  HelperTasks* const mine = role_.tasks;
  // Others may take what lasts.
  const auto is_lasting = [](const Task* task) { return IsLasting(*task); };
  if (std::any_of(ready.begin(), ready.end(), is_lasting)) {
    return NextFromAll(ready);
  }
  Task* next = mine->PushAndPop(ready);
  if (next == nullptr && mine->is_closed()) {
    role_.helper_of = nullptr;
    return NextFromAll(ready);
  }
  if (next == nullptr) next = TakeForHelper();
  if (next == nullptr) return nullptr;
  if (IsLasting(*next)) return NextFromAll({&next, 1});
  mine->CountReturn();
  if (mine->IsTimeToJudge() && !HelpPays()) {
    LeaveWith({&next, 1});
    return nullptr;
  }
  WillRun(*next);
  return next;
}

bool SchedulerQueue::HelpPays() {
  const std::int64_t now_ns = SteadyNowNs();
  MutexLock lock(&mutex_);
  TakeFromStuck();
  Publish();
  return !helpers_.IsLast(role_.tasks) ||
         helpers_.trial().Judge(TasksRun(), now_ns);
}

void SchedulerQueue::LookForStuck() {
  MutexLock lock(&mutex_);
  TakeFromStuck();
  Publish();
}

void SchedulerQueue::TakeFromStuck() {
  if (!helpers_.IsTimeToLook(TasksRun())) return;
  helpers_.TakeFromStuck(&tasks_, SteadyNowNs(), work_.returns.load(),
                         IsHelper() ? role_.tasks : nullptr);
}

Task* SchedulerQueue::TakeForHelper() {
  HelperTasks* const mine = role_.tasks;
  for (int look = 0; look < kLooksForTasks && HelpPays(); ++look) {
    if (look > 0) PassAMicrosecond();
    {
      MutexLock lock(&mutex_);
      if (mine->is_closed()) break;
      helpers_.TakeFor(mine, &tasks_);
      Publish();
    }
    Task* const next = mine->PushAndPop({});
    if (next != nullptr) return next;
  }
  if (mine->is_closed()) {
    role_.helper_of = nullptr;
    return NextFromAll({});
  }
  LeaveWith({});
  return nullptr;
}

Task* SchedulerQueue::TakeFromHelpers() {
  Task* next = nullptr;
  for (int look = 0; look < kLooksForTasks && next == nullptr; ++look) {
    if (look > 0) PassAMicrosecond();
    MutexLock lock(&mutex_);
    if (helpers_.empty()) break;
    next = PopOrTake();
    Publish();
  }
  FollowUp follow_up;
  if (next == nullptr) {
    MutexLock lock(&mutex_);
    next = Pop();
    if (next == nullptr) StopServing(&follow_up);
    Publish();
  }
  Act(follow_up);
  if (next != nullptr) WillRun(*next);
  return next;
}

Task* SchedulerQueue::PopOrTake() {
  Task* const next = Pop();
  if (next != nullptr || helpers_.empty() || orders_.paused) return next;
  helpers_.TakeForQueue(&tasks_);
  return Pop();
}

}  // namespace syncline
