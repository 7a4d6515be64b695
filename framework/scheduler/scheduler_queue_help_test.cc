// Threads that help with the short tasks of a queue: when they come, that each
// task still runs once and no more, and what becomes of their tasks when the
// queue is paused, emptied, or left.

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "absl/types/span.h"
#include "framework/base/steady_time.h"
#include "framework/scheduler/executor.h"
#include "framework/scheduler/scheduler_queue.h"
#include "framework/scheduler/scheduler_queue_test_support.h"
#include "framework/scheduler/task.h"
#include "framework/scheduler/task_priority.h"
#include "framework/scheduler/thread_pool_executor.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

class SourceTask : public Task {
 public:
  explicit SourceTask(int id) : id(id) {
    cost_ns = 100;
    ComesLast();
  }
  // The tasks are sources, which run by turns: one that has run often does not
  // have to wait for the others to have run as often.
  void ComesLast() {
    priority = TaskPriority::ForSource(0, last_order_.fetch_add(1) + 1, id);
  }
  const int id;
  std::atomic<int> left{0};
  std::atomic<bool> runs{false};

 private:
  inline static std::atomic<std::int64_t> last_order_{0};
};

// A queue keeps its threads as long as it has tasks for them. Nobody watches.
class LastingThreads : public ThreadForEach {
 public:
  using ThreadForEach::ThreadForEach;
  bool OthersWait() override { return false; }
  bool Watch(TaskQueue*, const WatchedWork*, std::atomic<bool>*) override {
    return true;
  }
};

// A task is ready again after it has run, as often as it has `left`.
class Repeater : public TaskRunner {
 public:
  void RunTasks(Task* task, SchedulerQueue* queue, int max_tasks) override {
    int left = max_tasks;
    while (task != nullptr) {
      auto* const source = static_cast<SourceTask*>(task);
      if (source->runs.exchange(true)) ran_twice_at_once = true;
      ran.fetch_add(1, std::memory_order_relaxed);
      if (then) then(*source);
      // About as long as it says.
      const std::int64_t end = SteadyNowNs() + 100;
      while (SteadyNowNs() < end) {
      }
      source->ComesLast();
      source->runs.store(false);
      const bool again = source->left.fetch_sub(1) > 1;
      const absl::Span<Task* const> ready(&task, again ? 1 : 0);
      if (--left == 0) {
        left = max_tasks;
        if (queue->ShouldLeave()) return queue->LeaveWith(ready);
      }
      task = queue->Next(ready);
    }
  }
  void OnIdle() override { idle.fetch_add(1); }
  void OnTaskLost(SchedulerQueue*) override {}

  std::function<void(const SourceTask&)> then;
  std::atomic<std::int64_t> ran{0};
  std::atomic<bool> ran_twice_at_once{false};
  std::atomic<int> idle{0};
};

// With so many threads, and as many cores for all that the queue knows.
class SchedulerQueueHelpTest : public ::testing::TestWithParam<int> {
 protected:
  static constexpr int kTasks = 16;

  SchedulerQueueHelpTest() {
    for (int id = 0; id < kTasks; ++id) {
      tasks_.push_back(std::make_unique<SourceTask>(id));
      added_.push_back(tasks_.back().get());
    }
  }
  ~SchedulerQueueHelpTest() override {
    executor_.Join();
    queue_->Shutdown();
  }
  void Add(int times_each) {
    for (const auto& task : tasks_) task->left = times_each;
    queue_->Add(added_);
  }
  // Whether that comes true within some seconds.
  template <typename Condition>
  static bool Comes(Condition condition) {
    const std::int64_t end = SteadyNowNs() + 20'000'000'000;
    while (!condition()) {
      if (SteadyNowNs() > end) return false;
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    return true;
  }

  LastingThreads executor_{GetParam()};
  Repeater runner_;
  Activity activity_;
  std::shared_ptr<SchedulerQueue> queue_ = std::make_shared<SchedulerQueue>(
      &executor_, &runner_, &activity_,
      /*chooser=*/nullptr, /*cores=*/GetParam());
  std::vector<std::unique_ptr<SourceTask>> tasks_;
  std::vector<Task*> added_;
};

TEST_P(SchedulerQueueHelpTest, EachTaskRunsAsOftenAsItIsReady) {
  queue_->Resume();
  for (int round = 0; round < 10; ++round) {
    const std::int64_t before = runner_.ran;
    Add(1000);
    executor_.Join();
    EXPECT_EQ(runner_.ran - before, kTasks * 1000);
    EXPECT_FALSE(activity_.busy());
    EXPECT_EQ(runner_.idle, round + 1);
  }
  EXPECT_FALSE(runner_.ran_twice_at_once);
}

TEST_P(SchedulerQueueHelpTest, AThreadIsAskedForToHelpWithManyShortTasks) {
  queue_->Resume();
  Add(1'000'000'000);
  EXPECT_TRUE(Comes([&] { return executor_.started() > 1; }));
  for (const auto& task : tasks_) task->left = 1;
}

TEST_P(SchedulerQueueHelpTest, NobodyIsAskedForWhereOneTaskWaits) {
  queue_->Resume();
  for (int i = 0; i < 2; ++i) {
    tasks_[i]->left = 50'000;
    queue_->Add({&added_[i], 1});
  }
  executor_.Join();
  EXPECT_LE(executor_.started(), 2)
      << "no thread was there when each was added";
}

// A task that waits for another one, and which tasks these are, differ by the
// round; the other one is often among the own tasks of the thread that waits.
TEST_P(SchedulerQueueHelpTest, TasksOfAThreadThatStandsStillRunElsewhere) {
  ThreadPoolExecutor pool(GetParam());
  Activity activity;
  auto queue = std::make_shared<SchedulerQueue>(
      &pool, &runner_, &activity, /*chooser=*/nullptr, /*cores=*/GetParam());
  std::atomic<int> waits_for{-1};
  std::atomic<int> runs_until_wait{1000};
  std::atomic<int> waited{0};
  std::atomic<int> in_vain{0};
  runner_.then = [&](const SourceTask& task) {
    if (task.id == waits_for) waits_for = -1;
    if (runs_until_wait.fetch_sub(1) != 1) return;
    const int other = (task.id + 1) % kTasks;
    waits_for = other;
    const std::int64_t end = SteadyNowNs() + 5'000'000'000;
    while (waits_for == other && SteadyNowNs() < end) std::this_thread::yield();
    (waits_for == other ? in_vain : waited).fetch_add(1);
    runs_until_wait = 20'000;
  };
  for (const auto& task : tasks_) task->left = 1'000'000'000;
  queue->Resume();
  queue->Add(added_);
  EXPECT_TRUE(Comes([&] { return waited + in_vain >= 20; }));
  EXPECT_EQ(in_vain, 0);
  for (const auto& task : tasks_) task->left = 1;
  EXPECT_TRUE(Comes([&] { return !activity.busy(); }));
  queue->Shutdown();
}

// The executor sends a thread where the number of returns stays the same, so a
// helper that comes and goes must not change it.
TEST(SchedulerQueueHelpersTest,
     WhereAHelperLeavesTheQueueStandsStillAllTheSame) {
  class PatientExecutor : public HandExecutor {
   public:
    bool OthersWait() override { return false; }
  };
  PatientExecutor executor;
  Repeater runner;
  Activity activity;
  auto queue = std::make_shared<SchedulerQueue>(&executor, &runner, &activity,
                                                /*chooser=*/nullptr,
                                                /*cores=*/2);
  queue->Resume();
  std::vector<std::unique_ptr<SourceTask>> tasks;
  for (int id = 0; id < 16; ++id) {
    tasks.push_back(std::make_unique<SourceTask>(id));
    tasks.back()->left = 10'000'000;
    Task* const task = tasks.back().get();
    queue->Add({&task, 1});
  }
  bool helper_came = false;
  std::int64_t ran_by_helper = 0;
  runner.then = [&](const SourceTask&) {
    if (helper_came || executor.asked.empty()) return;
    // The only thread of the queue is in its task until the helper has left.
    for (const auto& task : tasks) task->left = 1;
    const std::uint64_t returns = executor.watched_work->returns;
    const std::int64_t ran = runner.ran;
    helper_came = true;
    std::thread([&] { executor.RunOne(); }).join();
    ran_by_helper = runner.ran - ran;
    EXPECT_EQ(executor.watched_work->returns, returns);
  };
  executor.RunOne();
  EXPECT_EQ(ran_by_helper, 15);
  EXPECT_FALSE(activity.busy());
  queue->Shutdown();
}

TEST_P(SchedulerQueueHelpTest, WhilePausedNoTaskRuns) {
  queue_->Resume();
  Add(1'000'000'000);
  for (int round = 0; round < 10; ++round) {
    ASSERT_TRUE(Comes([&] { return executor_.started() > 1; }));
    std::this_thread::sleep_for(std::chrono::milliseconds(round % 5));
    queue_->Pause();
    executor_.Join();  // they leave after their task
    const std::int64_t ran = runner_.ran;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(runner_.ran, ran);
    EXPECT_TRUE(activity_.busy());
    queue_->Resume();
  }
  for (const auto& task : tasks_) task->left = 1;
  executor_.Join();
  EXPECT_FALSE(activity_.busy());
}

TEST_P(SchedulerQueueHelpTest, TasksOfHelpersAreTakenAwayToo) {
  queue_->Resume();
  for (int round = 0; round < 10; ++round) {
    Add(1'000'000'000);
    ASSERT_TRUE(Comes([&] { return executor_.started() > 1 + round; }));
    std::this_thread::sleep_for(std::chrono::milliseconds(round % 5));
    queue_->Pause();
    std::size_t taken = queue_->TakeAll().size();
    executor_.Join();
    taken += queue_->TakeAll().size();
    EXPECT_EQ(taken, static_cast<std::size_t>(kTasks));
    EXPECT_FALSE(activity_.busy());
    queue_->Resume();
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, SchedulerQueueHelpTest,
                         ::testing::Values(2, 3, 8));

}  // namespace
}  // namespace syncline
