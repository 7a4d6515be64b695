// How the threads of a queue divide its tasks, and where tasks go when a thread
// leaves or stands still.

#include "framework/scheduler/helpers.h"

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "framework/scheduler/task.h"
#include "framework/scheduler/task_priority.h"
#include "framework/scheduler/waiting_tasks.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::IsEmpty;
using ::testing::Le;

constexpr std::int64_t kSecond = 1'000'000'000;

class TestTask : public Task {
 public:
  explicit TestTask(int id) : id(id) { priority = TaskPriority::ForNode(id); }
  const int id;
};

class HelpersTest : public ::testing::Test {
 protected:
  HelpersTest() {
    for (int id = 0; id < 10; ++id) {
      tasks_.push_back(std::make_unique<TestTask>(id));
    }
  }
  static int IdOf(const Task* task) {
    return static_cast<const TestTask*>(task)->id;
  }
  void Push(WaitingTasks* to, int first, int last) {
    for (int id = first; id <= last; ++id) {
      Task* const task = tasks_[id].get();
      to->Push({&task, 1});
    }
  }
  // The helper runs one of these tasks, and has the others.
  void Give(HelperTasks* to, int first, int last) {
    WaitingTasks given(nullptr);
    Push(&given, first, last);
    to->TakeAll(&given);
  }
  // What is taken, in order.
  static std::vector<int> PopAll(WaitingTasks* from) {
    std::vector<int> ids;
    while (const Task* const task = from->Pop()) ids.push_back(IdOf(task));
    return ids;
  }
  static std::vector<int> PopAll(HelperTasks* from) {
    std::vector<int> ids;
    while (const Task* const task = from->PushAndPop({})) {
      ids.push_back(IdOf(task));
    }
    return ids;
  }

  std::vector<std::unique_ptr<TestTask>> tasks_;
  Helpers helpers_{/*allowed=*/true};
  HelperTasks first_;
  HelperTasks second_;
  WaitingTasks queue_{nullptr};
};

TEST_F(HelpersTest, AHelperTakesTheLessUrgentHalfOfTheQueue) {
  helpers_.Add(&first_);
  Push(&queue_, 0, 6);
  helpers_.TakeFor(&first_, &queue_);
  EXPECT_THAT(PopAll(&first_), ElementsAre(3, 2, 1, 0));
  EXPECT_THAT(PopAll(&queue_), ElementsAre(6, 5, 4));
}

TEST_F(HelpersTest, TheQueueTakesTheMoreUrgentHalfOfAHelper) {
  helpers_.Add(&first_);
  Give(&first_, 0, 6);
  helpers_.TakeForQueue(&queue_);
  EXPECT_THAT(PopAll(&queue_), ElementsAre(6, 5, 4, 3));
  EXPECT_THAT(PopAll(&first_), ElementsAre(2, 1, 0));
}

TEST_F(HelpersTest, OfTwoHelpersTheOneThatCameFirstGetsTheMoreUrgentHalf) {
  helpers_.Add(&first_);
  helpers_.Add(&second_);
  Give(&second_, 0, 3);
  helpers_.TakeFor(&first_, &queue_);
  EXPECT_THAT(PopAll(&first_), ElementsAre(3, 2));
  EXPECT_THAT(PopAll(&second_), ElementsAre(1, 0));

  Give(&first_, 4, 7);
  helpers_.TakeFor(&second_, &queue_);
  EXPECT_THAT(PopAll(&first_), ElementsAre(7, 6));
  EXPECT_THAT(PopAll(&second_), ElementsAre(5, 4));
  EXPECT_TRUE(queue_.empty());
}

TEST_F(HelpersTest, TheOnlyTaskIsTakenToo) {
  helpers_.Add(&first_);
  Push(&queue_, 5, 5);
  helpers_.TakeFor(&first_, &queue_);
  EXPECT_TRUE(queue_.empty());
  helpers_.TakeForQueue(&queue_);
  EXPECT_THAT(PopAll(&queue_), ElementsAre(5));
  helpers_.TakeForQueue(&queue_);
  helpers_.TakeFor(&first_, &queue_);
  EXPECT_TRUE(queue_.empty());
  EXPECT_EQ(first_.PushAndPop({}), nullptr);
}

TEST_F(HelpersTest, AHelpersNextTaskIsTheMostUrgentOfItsOwn) {
  Give(&first_, 2, 4);
  EXPECT_EQ(first_.top_key(), tasks_[4]->priority.Key());
  Task* const ready[] = {tasks_[1].get(), tasks_[5].get()};
  EXPECT_EQ(IdOf(first_.PushAndPop(ready)), 5);
  EXPECT_THAT(PopAll(&first_), ElementsAre(4, 3, 2, 1));
  EXPECT_EQ(first_.top_key(), 0u);
}

TEST_F(HelpersTest, ASourceThatGivesWayComesAfterTheOthersOfItsLayer) {
  for (int id = 0; id < 3; ++id) {
    tasks_[id]->priority = TaskPriority::ForSource(0, 0, id);
  }
  Give(&first_, 0, 2);
  std::vector<int> times(3);
  for (int i = 0; i < 30; ++i) {
    Task* const next = first_.PushAndPop({});
    ++times[IdOf(next)];
    EXPECT_TRUE(first_.AddGivingWay(next));
  }
  EXPECT_THAT(times, Each(AllOf(Ge(9), Le(11))));
}

TEST_F(HelpersTest, WhoLeavesTheQueueLeavesItToTheFirstHelper) {
  helpers_.Add(&first_);
  helpers_.Add(&second_);
  Give(&first_, 0, 1);
  Give(&second_, 2, 3);
  helpers_.LeaveQueueToOne(&queue_, /*queue_returns=*/0);
  EXPECT_TRUE(first_.is_closed());
  EXPECT_FALSE(second_.is_closed());
  EXPECT_EQ(helpers_.size(), 1);
  EXPECT_THAT(PopAll(&queue_), ElementsAre(1, 0));

  Task* const ready[] = {tasks_[5].get()};
  EXPECT_EQ(first_.PushAndPop(ready), nullptr);
  EXPECT_FALSE(first_.AddGivingWay(tasks_[5].get()));
  Push(&queue_, 6, 7);
  first_.TakeHalf(&queue_);
  first_.TakeAll(&queue_);
  EXPECT_THAT(PopAll(&queue_), ElementsAre(7, 6));
  EXPECT_THAT(PopAll(&first_), IsEmpty());
}

TEST_F(HelpersTest, AllTasksWaitInTheQueueOnceAllAreClosed) {
  helpers_.Add(&first_);
  helpers_.Add(&second_);
  Give(&first_, 0, 1);
  Give(&second_, 2, 3);
  helpers_.CloseAll(&queue_, /*queue_returns=*/0);
  EXPECT_TRUE(helpers_.empty());
  EXPECT_TRUE(second_.is_closed());
  EXPECT_THAT(PopAll(&queue_), ElementsAre(3, 2, 1, 0));
}

TEST_F(HelpersTest, WithoutHelpersNobodyLooksForStuckOnes) {
  EXPECT_FALSE(helpers_.IsTimeToLook(1'000'000));
  helpers_.Add(&first_);
  EXPECT_TRUE(helpers_.IsTimeToLook(1'000'000));
  EXPECT_FALSE(helpers_.IsTimeToLook(1'000'001));
  EXPECT_TRUE(helpers_.IsTimeToLook(1'001'000));
}

TEST_F(HelpersTest, TasksOfAHelperThatStandsStillAreTaken) {
  helpers_.Add(&first_);
  helpers_.Add(&second_);
  helpers_.TakeFromStuck(&queue_, kSecond, 1, nullptr);
  Give(&first_, 0, 1);
  Give(&second_, 2, 3);
  second_.CountReturn();
  helpers_.TakeFromStuck(&queue_, kSecond + 1, 2, nullptr);
  EXPECT_TRUE(queue_.empty()) << "it is not time yet";
  helpers_.TakeFromStuck(&queue_, 2 * kSecond, 3, nullptr);
  EXPECT_THAT(PopAll(&queue_), ElementsAre(1, 0));
  EXPECT_THAT(PopAll(&second_), ElementsAre(3, 2));
}

TEST_F(HelpersTest, AHelperTakesTasksOfAQueueWhoseThreadStandsStill) {
  helpers_.Add(&first_);
  helpers_.TakeFromStuck(&queue_, kSecond, 1, &first_);
  Push(&queue_, 0, 3);
  first_.CountReturn();
  helpers_.TakeFromStuck(&queue_, 2 * kSecond, 2, &first_);
  EXPECT_EQ(queue_.size(), 4u) << "the thread of the queue has come back";
  first_.CountReturn();
  helpers_.TakeFromStuck(&queue_, 3 * kSecond, 2, &first_);
  EXPECT_THAT(PopAll(&first_), ElementsAre(1, 0));
  EXPECT_THAT(PopAll(&queue_), ElementsAre(3, 2));
}

TEST_F(HelpersTest, TheTasksOfFormerHelpersCountToo) {
  helpers_.Add(&first_);
  helpers_.Add(&second_);
  first_.CountReturn();
  second_.CountReturn();
  second_.CountReturn();
  EXPECT_EQ(helpers_.returns(), 3u);
  EXPECT_TRUE(helpers_.IsLast(&second_));
  helpers_.Remove(&second_, /*queue_returns=*/0);
  helpers_.Remove(&second_, /*queue_returns=*/0);
  EXPECT_EQ(helpers_.returns(), 3u);
  EXPECT_EQ(helpers_.size(), 1);
  EXPECT_TRUE(helpers_.IsLast(&first_));
}

TEST_F(HelpersTest, OneLongTaskAmongManyLeavesThemMostlyShort) {
  EXPECT_FALSE(helpers_.AreMostlyShort(100)) << "too early to tell";
  EXPECT_TRUE(helpers_.AreMostlyShort(10'000));
  std::uint64_t tasks = 10'000;
  helpers_.NoteLong(tasks);
  EXPECT_TRUE(helpers_.AreMostlyShort(tasks));
  for (int i = 0; i < 100; ++i) helpers_.NoteLong(tasks += 10);
  EXPECT_FALSE(helpers_.AreMostlyShort(tasks));
  for (int i = 0; i < 100; ++i) helpers_.NoteLong(tasks += 1000);
  EXPECT_TRUE(helpers_.AreMostlyShort(tasks));
}

}  // namespace
}  // namespace syncline
