#include "framework/scheduler/scheduler_queue.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "framework/scheduler/executor.h"
#include "framework/scheduler/scheduler_queue_test_support.h"
#include "framework/scheduler/task.h"
#include "framework/scheduler/task_priority.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST_F(SchedulerQueueTest, AsksForNobodyWhilePaused) {
  Task* const tasks[] = {&one_};
  queue_->Add(tasks);
  EXPECT_THAT(executor_.asked, IsEmpty());
  EXPECT_TRUE(activity_.busy());
  queue_->Resume();
  EXPECT_EQ(executor_.asked.size(), 1u);
  executor_.RunOne();
  EXPECT_THAT(runner_.ran, ElementsAre(1));
  EXPECT_EQ(runner_.idle, 1);
}

TEST_F(SchedulerQueueTest, RunsTheMostUrgentOfTheMoment) {
  queue_->Resume();
  Task* const first[] = {&one_};
  queue_->Add(first);
  Task* const then[] = {&three_, &two_};
  queue_->Add(then);
  executor_.RunOne();
  EXPECT_THAT(runner_.ran, ElementsAre(3, 2, 1));
  EXPECT_FALSE(activity_.busy());
}

TEST_F(SchedulerQueueTest, AnEarlierThreadLeavesNothingForALaterOne) {
  queue_->Resume();
  Task* const tasks[] = {&one_};
  queue_->Add(tasks);
  executor_.asked.push_back(queue_.get());  // one more than asked for
  executor_.RunOne();
  executor_.RunOne();
  EXPECT_THAT(runner_.ran, ElementsAre(1));
}

TEST_F(SchedulerQueueTest, ContinuesWithWhatBecameReadyUnlessMoreUrgentWaits) {
  queue_->Resume();
  NumberedTask zero(0, TaskPriority::ForNode(0));
  runner_.then = [&](int id) -> std::vector<Task*> {
    if (id == 3) return {&zero};
    return {};
  };
  Task* const tasks[] = {&three_, &one_};
  queue_->Add(tasks);
  executor_.RunOne();
  EXPECT_THAT(runner_.ran, ElementsAre(3, 1, 0));
}

TEST_F(SchedulerQueueTest, ShortTasksThatWaitForABusyThreadAreWatchedOnly) {
  queue_->Resume();
  runner_.then = [&](int id) -> std::vector<Task*> {
    if (id == 1) return {&two_, &three_};
    EXPECT_THAT(executor_.asked, IsEmpty());
    if (id == 3) {
      EXPECT_NE(executor_.watching, nullptr);
      EXPECT_EQ(executor_.watched_work->waiting, 1);
    }
    return {};
  };
  Task* const tasks[] = {&one_};
  queue_->Add(tasks);
  executor_.RunOne();
  EXPECT_THAT(runner_.ran, ElementsAre(1, 3, 2));
  EXPECT_EQ(executor_.watched_work->waiting, 0);
}

TEST_F(SchedulerQueueTest, AGuestRunsWhatItBringsTheMostUrgentFirst) {
  queue_->Resume();
  Task* const tasks[] = {&one_, &three_, &two_};
  queue_->ServeWith(tasks);
  EXPECT_THAT(runner_.ran, ElementsAre(3, 2, 1));
  EXPECT_THAT(executor_.asked, IsEmpty());
  EXPECT_NE(executor_.watching, nullptr) << "should one of them get stuck";
  EXPECT_FALSE(activity_.busy());
  EXPECT_EQ(runner_.idle, 1);
}

TEST_F(SchedulerQueueTest, AGuestLeavesAfterAsManyTasksAsItBrought) {
  queue_->Resume();
  NumberedTask four(4, TaskPriority::ForNode(4));
  runner_.then = [&](int id) -> std::vector<Task*> {
    EXPECT_TRUE(queue_->ShouldLeave());
    if (id == 2) return {&four, &three_};
    return {};
  };
  Task* const tasks[] = {&one_, &two_};
  queue_->ServeWith(tasks);
  // What became ready was more urgent; the rest is for a thread of its own.
  EXPECT_THAT(runner_.ran, ElementsAre(2, 4));
  EXPECT_EQ(executor_.asked.size(), 1u);
  EXPECT_TRUE(activity_.busy());
  executor_.RunOne();
  EXPECT_THAT(runner_.ran, ElementsAre(2, 4, 3, 1));
  EXPECT_FALSE(activity_.busy());
}

TEST_F(SchedulerQueueTest, AGuestWithALongTaskGetsThreadsForTheRest) {
  queue_->Resume();
  NumberedTask slow(9, TaskPriority::ForNode(9), kLongTaskNs);
  runner_.then = [&](int id) -> std::vector<Task*> {
    if (id == 9) {
      EXPECT_FALSE(executor_.asked.empty());
    }
    return {};
  };
  Task* const tasks[] = {&one_, &slow};
  queue_->ServeWith(tasks);
  EXPECT_THAT(runner_.ran, ElementsAre(9, 1));
}

TEST_F(SchedulerQueueTest, AGuestLeavesItsTasksWhereNoMoreThreadsMayRun) {
  executor_.max_parallel = 1;
  queue_ = std::make_shared<SchedulerQueue>(&executor_, &runner_, &activity_,
                                            /*chooser=*/nullptr, /*cores=*/8);
  queue_->Resume();
  // As another thread would, in the middle of a task.
  runner_.then = [&](int id) -> std::vector<Task*> {
    if (id != 1) return {};
    Task* const tasks[] = {&two_};
    queue_->ServeWith(tasks);
    EXPECT_THAT(runner_.ran, ElementsAre(1));
    return {};
  };
  Task* const tasks[] = {&one_};
  queue_->Add(tasks);
  executor_.RunOne();
  EXPECT_THAT(runner_.ran, ElementsAre(1, 2));
  EXPECT_FALSE(activity_.busy());
}

TEST_F(SchedulerQueueTest, WhatAGuestBringsWhilePausedWaits) {
  Task* const tasks[] = {&one_, &two_};
  queue_->ServeWith(tasks);
  EXPECT_THAT(runner_.ran, IsEmpty());
  EXPECT_THAT(executor_.asked, IsEmpty());
  EXPECT_TRUE(activity_.busy());
  queue_->Resume();
  executor_.RunOne();
  EXPECT_THAT(runner_.ran, ElementsAre(2, 1));
  while (!executor_.asked.empty()) executor_.RunOne();
}

TEST_F(SchedulerQueueTest, ALongTaskGetsAThreadForWhatItLeavesBehind) {
  queue_->Resume();
  NumberedTask slow(9, TaskPriority::ForNode(9), kLongTaskNs);
  runner_.then = [&](int id) -> std::vector<Task*> {
    if (id == 1) return {&two_, &slow};
    if (id == 9) {
      EXPECT_EQ(executor_.asked.size(), 1u);
    }
    return {};
  };
  Task* const tasks[] = {&one_};
  queue_->Add(tasks);
  executor_.RunOne();
  EXPECT_THAT(runner_.ran, ElementsAre(1, 9, 2));
}

TEST_F(SchedulerQueueTest, ATaskThatWasNeverMeasuredCountsAsLong) {
  queue_->Resume();
  NumberedTask unknown(9, TaskPriority::ForNode(9), Task::kUnknownCost);
  Task* const tasks[] = {&one_, &two_, &unknown};
  queue_->Add(tasks);
  EXPECT_EQ(executor_.asked.size(), 3u);
  queue_->TakeAll();
}

TEST_F(SchedulerQueueTest, WithoutAWatchEachTaskGetsAThread) {
  executor_.can_watch = false;
  queue_->Resume();
  runner_.then = [&](int id) -> std::vector<Task*> {
    if (id == 1) return {&two_, &three_};
    if (id == 3) {
      EXPECT_EQ(executor_.asked.size(), 1u);
    }
    return {};
  };
  Task* const tasks[] = {&one_};
  queue_->Add(tasks);
  executor_.RunOne();
}

TEST_F(SchedulerQueueTest, NeverAsksForMoreThreadsThanThereAre) {
  HandExecutor executor;
  executor.max_parallel = 1;
  auto queue =
      std::make_shared<SchedulerQueue>(&executor, &runner_, &activity_);
  queue->Resume();
  NumberedTask slow(9, TaskPriority::ForNode(9), kLongTaskNs);
  runner_.then = [&](int id) -> std::vector<Task*> {
    if (id == 1) return {&two_, &slow};
    EXPECT_THAT(executor.asked, IsEmpty());
    return {};
  };
  Task* const tasks[] = {&one_};
  queue->Add(tasks);
  executor.RunOne();
  EXPECT_THAT(runner_.ran, ElementsAre(1, 9, 2));
  queue->Shutdown();
}

// --- One thread, which keeps what it has made ready as its own tasks

class OneThreadTest : public SchedulerQueueTest {
 protected:
  OneThreadTest() {
    queue_->Shutdown();
    executor_.max_parallel = 1;
    queue_ = std::make_shared<SchedulerQueue>(&executor_, &runner_, &activity_);
    queue_->Resume();
  }
  void Add(Task* task) { queue_->Add({&task, 1}); }

  NumberedTask four_{4, TaskPriority::ForNode(4)};
  NumberedTask source_{9, TaskPriority::ForSource(0, 0, 9)};
};

TEST_F(OneThreadTest, RunsTheMostUrgentOfWhatIsReadyAndWhatCameFromOutside) {
  runner_.then = [&](int id) -> std::vector<Task*> {
    if (id == 1) return {&two_, &source_};
    if (id == 2) {
      Add(&three_);  // from outside: its own tasks wait with it
      return {&four_};
    }
    return {};
  };
  Add(&one_);
  executor_.RunOne();
  EXPECT_THAT(runner_.ran, ElementsAre(1, 2, 4, 3, 9));
  EXPECT_FALSE(activity_.busy());
  EXPECT_EQ(runner_.idle, 1);
}

TEST_F(OneThreadTest, ItsOwnTasksNeedNoThreadAndNoWatch) {
  runner_.then = [&](int id) -> std::vector<Task*> {
    EXPECT_THAT(executor_.asked, IsEmpty());
    if (id == 1) return {&two_, &three_, &source_};
    return {};
  };
  Add(&one_);
  executor_.RunOne();
  EXPECT_THAT(runner_.ran, ElementsAre(1, 3, 2, 9));
  EXPECT_EQ(executor_.watching, nullptr);
}

TEST_F(OneThreadTest, WhatBecameReadyIsNextOnlyIfItIsMoreUrgentThanItsOwn) {
  runner_.then = [&](int id) -> std::vector<Task*> {
    if (id == 1) return {&four_, &three_};
    if (id == 4) return {&two_};
    return {};
  };
  Add(&one_);
  executor_.RunOne();
  EXPECT_THAT(runner_.ran, ElementsAre(1, 4, 3, 2));
}

TEST_F(OneThreadTest, WhilePausedItsOwnTasksWait) {
  runner_.then = [&](int id) -> std::vector<Task*> {
    if (id == 1) return {&two_, &three_, &source_};
    if (id == 3) queue_->Pause();
    return {};
  };
  Add(&one_);
  executor_.RunOne();
  EXPECT_THAT(runner_.ran, ElementsAre(1, 3));
  EXPECT_TRUE(activity_.busy());
  queue_->Resume();
  executor_.RunOne();
  EXPECT_THAT(runner_.ran, ElementsAre(1, 3, 2, 9));
}

TEST_F(OneThreadTest, ItsOwnTasksAreTakenAwayToo) {
  runner_.then = [&](int id) -> std::vector<Task*> {
    if (id == 1) return {&two_, &three_, &source_};
    if (id == 3) queue_->TakeAll();
    if (id == 4) return {&two_, &three_};
    return {};
  };
  Add(&one_);
  executor_.RunOne();
  EXPECT_THAT(runner_.ran, ElementsAre(1, 3));
  EXPECT_FALSE(activity_.busy());
  runner_.ran.clear();
  runner_.then = [&](int id) -> std::vector<Task*> {
    if (id == 4) return {&two_, &source_};
    return {};
  };
  Add(&four_);
  executor_.RunOne();
  EXPECT_THAT(runner_.ran, ElementsAre(4, 2, 9)) << "later ones run";
}

TEST_F(OneThreadTest, AThreadThatLeavesLeavesItsOwnTasks) {
  executor_.max_parallel = 1;
  runner_.then = [&](int id) -> std::vector<Task*> {
    if (id == 2) return {&three_, &source_};
    return {};
  };
  Task* const tasks[] = {&one_, &two_};
  queue_->ServeWith(tasks);  // runs two tasks
  EXPECT_THAT(runner_.ran, ElementsAre(2, 3));
  EXPECT_TRUE(activity_.busy());
  executor_.RunOne();
  EXPECT_THAT(runner_.ran, ElementsAre(2, 3, 1, 9));
}

TEST_F(SchedulerQueueTest, TasksThatAreTakenAwayDoNotRun) {
  queue_->Resume();
  Task* const tasks[] = {&one_, &two_};
  queue_->Add(tasks);
  EXPECT_EQ(queue_->TakeAll().size(), 2u);
  EXPECT_FALSE(activity_.busy());
  EXPECT_EQ(runner_.idle, 1);
  executor_.RunOne();
  EXPECT_THAT(runner_.ran, IsEmpty());
}

TEST_F(SchedulerQueueTest, AThreadThatLeavesAsksForTheNextOne) {
  class Impatient : public HandExecutor {
   public:
    int MaxTasksInARow() const override { return 1; }
  } executor;
  auto queue =
      std::make_shared<SchedulerQueue>(&executor, &runner_, &activity_);
  queue->Resume();
  Task* const tasks[] = {&one_, &two_};
  queue->Add(tasks);
  executor.RunOne();
  EXPECT_THAT(runner_.ran, ElementsAre(2));
  ASSERT_EQ(executor.asked.size(), 1u);
  executor.RunOne();
  EXPECT_THAT(runner_.ran, ElementsAre(2, 1));
  queue->Shutdown();
}

TEST_F(SchedulerQueueTest, AThreadThatNobodyElseWaitsForNeedNotLeave) {
  class Shared : public HandExecutor {
   public:
    bool OthersWait() override {
      if (throws) throw std::runtime_error("who?");
      return others_wait;
    }
    bool others_wait = true;
    bool throws = false;
  } executor;
  auto queue =
      std::make_shared<SchedulerQueue>(&executor, &runner_, &activity_);
  EXPECT_TRUE(queue->ShouldLeave());
  executor.others_wait = false;
  EXPECT_FALSE(queue->ShouldLeave());
  executor.throws = true;
  EXPECT_TRUE(queue->ShouldLeave());
  queue->Shutdown();
  EXPECT_TRUE(queue_->ShouldLeave()) << "an executor that does not know";
}

TEST_F(SchedulerQueueTest, ARunnerThatThrowsHasLeftTheQueue) {
  runner_.then = [](int) -> std::vector<Task*> {
    throw std::runtime_error("no memory");
  };
  queue_->Resume();
  Task* const tasks[] = {&one_, &two_};
  queue_->Add(tasks);
  while (!executor_.asked.empty()) executor_.RunOne();
  ASSERT_THAT(runner_.errors, SizeIs(1)) << "no other task is begun";
  EXPECT_EQ(runner_.errors[0].message(), "An exception was thrown: no memory");
  EXPECT_THAT(queue_->TakeAll(), IsEmpty());
  queue_->Shutdown();  // returns, because nobody is inside
}

TEST_F(SchedulerQueueTest, OutlivesItsOwnerUntilLateThreadsHaveCome) {
  auto queue =
      std::make_shared<SchedulerQueue>(&executor_, &runner_, &activity_,
                                       /*chooser=*/nullptr, /*cores=*/8);
  queue->Resume();
  Task* const tasks[] = {&one_};
  queue->Add(tasks);
  queue->TakeAll();
  queue->Shutdown();
  const std::weak_ptr<SchedulerQueue> weak = queue;
  queue.reset();
  ASSERT_FALSE(weak.expired());
  executor_.RunOne();
  EXPECT_TRUE(weak.expired());
  EXPECT_THAT(runner_.ran, IsEmpty());
}

// Schedule only: the default AddTask makes functions of tasks.
class FunctionExecutor : public Executor {
 public:
  void Schedule(std::function<void()> task) override {
    functions.push_back(std::move(task));
  }
  std::vector<std::function<void()>> functions;
};

TEST_F(SchedulerQueueTest, AFunctionThatIsDroppedIsALostTask) {
  FunctionExecutor executor;
  auto queue =
      std::make_shared<SchedulerQueue>(&executor, &runner_, &activity_);
  queue->Resume();
  Task* const tasks[] = {&one_};
  queue->Add(tasks);
  ASSERT_EQ(executor.functions.size(), 1u);
  executor.functions.clear();
  EXPECT_EQ(runner_.lost, 1);
  queue->TakeAll();
  queue->Shutdown();
}

TEST_F(SchedulerQueueTest, AFunctionThatIsCalledTwiceRunsOnce) {
  FunctionExecutor executor;
  auto queue =
      std::make_shared<SchedulerQueue>(&executor, &runner_, &activity_);
  queue->Resume();
  Task* const tasks[] = {&one_};
  queue->Add(tasks);
  executor.functions[0]();
  executor.functions[0]();
  EXPECT_THAT(runner_.ran, ElementsAre(1));
  queue->Shutdown();
  executor.functions.clear();
  EXPECT_EQ(runner_.lost, 0);
}

// Many threads, tasks that make tasks: each runs once, and the end is noticed
// once.
class CountingRunner : public TaskRunner {
 public:
  explicit CountingRunner(std::vector<std::unique_ptr<NumberedTask>>* tasks)
      : tasks_(tasks) {}
  void RunTasks(Task* task, SchedulerQueue* queue, int) override {
    while (task != nullptr) {
      const size_t id = static_cast<NumberedTask*>(task)->id;
      runs.fetch_add(1);
      std::vector<Task*> ready;
      for (size_t child = 2 * id + 1; child <= 2 * id + 2; ++child) {
        if (child < tasks_->size()) ready.push_back((*tasks_)[child].get());
      }
      task = queue->Next(ready);
    }
  }
  void OnIdle() override { idle.fetch_add(1); }
  void OnTaskLost(SchedulerQueue*) override {}

  std::atomic<int> runs{0};
  std::atomic<int> idle{0};

 private:
  std::vector<std::unique_ptr<NumberedTask>>* const tasks_;
};

TEST(SchedulerQueueThreadsTest, RunsEachTaskOnceAndNoticesTheEnd) {
  for (int round = 0; round < 20; ++round) {
    std::vector<std::unique_ptr<NumberedTask>> tasks;
    for (int id = 0; id < 200; ++id) {
      tasks.push_back(std::make_unique<NumberedTask>(
          id, TaskPriority::ForNode(id), id % 3 == 0 ? 1000000 : 0));
    }
    ThreadForEach executor;
    Activity activity;
    CountingRunner runner(&tasks);
    auto queue =
        std::make_shared<SchedulerQueue>(&executor, &runner, &activity);
    queue->Resume();
    Task* const root[] = {tasks[0].get()};
    queue->Add(root);
    executor.Join();
    EXPECT_EQ(runner.runs, 200);
    EXPECT_EQ(runner.idle, 1);
    EXPECT_FALSE(activity.busy());
    queue->Shutdown();
  }
}

// All threads that were asked for come after the end, at the same moment: while
// one of them is in the queue, no other may take it away.
TEST(SchedulerQueueThreadsTest, LateThreadsMayComeAtOnce) {
  constexpr int kRounds = 2000;
  constexpr int kThreads = 8;
  HandExecutor executor;
  Recorder runner;
  Activity activity;
  std::vector<std::unique_ptr<NumberedTask>> tasks;
  std::vector<Task*> added;
  for (int id = 0; id < kThreads; ++id) {
    tasks.push_back(std::make_unique<NumberedTask>(
        id, TaskPriority::ForNode(id), kLongTaskNs));
    added.push_back(tasks.back().get());
  }
  std::atomic<SchedulerQueue*> late{nullptr};
  std::atomic<int> started{0};
  std::atomic<int> left{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (int round = 1; round <= kRounds; ++round) {
        started.wait(round - 1);
        late.load()->RunNextTask();
        left.fetch_add(1);
        left.notify_one();
      }
    });
  }
  for (int round = 1; round <= kRounds; ++round) {
    auto queue = std::make_shared<SchedulerQueue>(
        &executor, &runner, &activity, /*chooser=*/nullptr, /*cores=*/kThreads);
    queue->Resume();
    queue->Add(added);
    EXPECT_EQ(executor.asked.size(), added.size());
    executor.asked.clear();
    queue->TakeAll();
    queue->Shutdown();
    const std::weak_ptr<SchedulerQueue> observer = queue;
    late = queue.get();
    queue.reset();
    started.store(round);
    started.notify_all();
    for (int seen = left.load(); seen < kThreads * round; seen = left.load()) {
      left.wait(seen);
    }
    EXPECT_TRUE(observer.expired());
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(ActivityTest, IsIdleOnlyForTheQuietTimeThatWasDecidedOn) {
  Activity activity;
  activity.Add();
  const std::uint64_t period = activity.period();
  EXPECT_TRUE(activity.Remove());
  EXPECT_FALSE(activity.is_idle());
  activity.SetIdle(period);
  EXPECT_TRUE(activity.is_idle());
  activity.Add();
  EXPECT_FALSE(activity.is_idle());
  EXPECT_TRUE(activity.Remove());
  EXPECT_FALSE(activity.is_idle()) << "that was decided before";
}

}  // namespace
}  // namespace syncline
