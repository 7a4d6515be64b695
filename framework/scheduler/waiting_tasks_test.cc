// Which of the tasks that wait is next: by priority, by turns, as a chooser
// says, and in a round.

#include "framework/scheduler/waiting_tasks.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <random>
#include <set>
#include <vector>

#include "framework/scheduler/task.h"
#include "framework/scheduler/task_chooser.h"
#include "framework/scheduler/task_priority.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class TestTask : public Task {
 public:
  explicit TestTask(TaskPriority at) { priority = at; }
};

TestTask Node(int id) { return TestTask(TaskPriority::ForNode(id)); }
TestTask Source(int layer, int id) {
  return TestTask(TaskPriority::ForSource(layer, 0, id));
}

class WaitingTasksTest : public ::testing::Test {
 protected:
  void Push(Task* task) { tasks_.Push({&task, 1}); }
  std::vector<Task*> PopAll() {
    std::vector<Task*> popped;
    while (Task* const task = tasks_.Pop()) popped.push_back(task);
    return popped;
  }
  std::vector<Task*> TakeRound() {
    std::vector<Task*> taken;
    while (tasks_.in_round()) taken.push_back(tasks_.TakeOfRound());
    return taken;
  }
  // The next source, which gives way and comes again.
  Task* PopAndGiveWay() {
    Task* const task = tasks_.Pop();
    tasks_.GiveWay();
    Push(task);
    return task;
  }

  WaitingTasks tasks_{nullptr};
};

TEST_F(WaitingTasksTest, HalfOfThemIsLeftToAnotherListByUrgency) {
  TestTask one = Node(1), two = Node(2), three = Node(3);
  WaitingTasks other(nullptr);
  EXPECT_FALSE(tasks_.MoveHalfTo(&other, /*most_urgent=*/true));
  for (TestTask* const task : {&two, &one, &three}) Push(task);
  EXPECT_TRUE(tasks_.MoveHalfTo(&other, /*most_urgent=*/true));
  EXPECT_THAT(PopAll(), ElementsAre(&one));
  EXPECT_EQ(other.Pop(), &three);
  EXPECT_EQ(other.Pop(), &two);
  EXPECT_TRUE(other.empty());

  for (TestTask* const task : {&two, &one, &three}) Push(task);
  EXPECT_TRUE(tasks_.MoveHalfTo(&other, /*most_urgent=*/false));
  EXPECT_THAT(PopAll(), ElementsAre(&three));
  EXPECT_EQ(other.Pop(), &two);
  EXPECT_EQ(other.Pop(), &one);
}

TEST_F(WaitingTasksTest, TheMostUrgentIsNext) {
  TestTask one = Node(1), two = Node(2), three = Node(3);
  EXPECT_TRUE(tasks_.empty());
  EXPECT_EQ(tasks_.Pop(), nullptr);
  EXPECT_EQ(tasks_.TopKey(), 0);
  Task* const all[] = {&two, &three, &one};
  tasks_.Reserve(3);
  tasks_.Push(all);
  EXPECT_EQ(tasks_.size(), 3);
  EXPECT_FALSE(tasks_.empty());
  EXPECT_EQ(tasks_.TopKey(), three.priority.Key());
  EXPECT_THAT(PopAll(), ElementsAre(&three, &two, &one));
  EXPECT_TRUE(tasks_.empty());
}

// More and less than the number of tasks that are kept sorted, which come in
// random order.
TEST(WaitingTasksOrderTest, FewAndManyGoByUrgency) {
  constexpr int kTasks = 150;
  std::deque<TestTask> all;
  for (int id = 0; id < kTasks; ++id) {
    all.emplace_back(TaskPriority::ForNode(id));
  }
  std::mt19937 random(1);
  for (const std::size_t most : {20, 33, 40, 100}) {
    WaitingTasks tasks(nullptr);
    std::set<int> waiting;
    for (int round = 0; round < 40; ++round) {
      while (waiting.size() < most) {
        const int id = static_cast<int>(random() % kTasks);
        if (!waiting.insert(id).second) continue;
        Task* const task = &all[id];
        tasks.Push({&task, 1});
        ASSERT_EQ(tasks.TopKey(), all[*waiting.rbegin()].priority.Key());
      }
      const std::size_t left = random() % most;
      while (waiting.size() > left) {
        ASSERT_EQ(tasks.Pop(), &all[*waiting.rbegin()])
            << "of at most " << most;
        waiting.erase(*waiting.rbegin());
        ASSERT_EQ(tasks.size(), waiting.size());
      }
      if (round % 5 == 0) {
        WaitingTasks half(nullptr);
        if (!tasks.MoveHalfTo(&half, /*most_urgent=*/round % 2 == 0)) continue;
        half.MoveTo(&tasks);
      }
    }
  }
}

TEST_F(WaitingTasksTest, SourcesThatGiveWayHaveTurns) {
  TestTask a = Source(0, 1), b = Source(0, 2), c = Source(0, 3);
  TestTask later = Source(1, 4);
  for (TestTask* const task : {&a, &b, &c, &later}) Push(task);
  EXPECT_EQ(PopAndGiveWay(), &a);
  EXPECT_EQ(PopAndGiveWay(), &a) << "the first turn";
  EXPECT_EQ(PopAndGiveWay(), &b);
  EXPECT_EQ(PopAndGiveWay(), &c);
  EXPECT_EQ(PopAndGiveWay(), &a) << "and from the start again";
  EXPECT_EQ(tasks_.Pop(), &b);
  EXPECT_EQ(tasks_.Pop(), &a) << "nobody has given way since";
  EXPECT_THAT(PopAll(), ElementsAre(&c, &later));
}

TEST(WaitingTasksTurnsTest, TheOthersKeepTheirOrderWhenOneHasATurn) {
  for (int count = 2; count <= 12; ++count) {
    std::deque<TestTask> sources;
    for (int id = 0; id < count; ++id) {
      sources.emplace_back(TaskPriority::ForSource(/*layer=*/0, 0, id));
    }
    for (int turn = 0; turn < count; ++turn) {
      WaitingTasks tasks(nullptr);
      // The least urgent first, so that the last places are not in order.
      for (int id = count; id-- > 0;) {
        Task* const task = &sources[id];
        tasks.Push({&task, 1});
      }
      for (int i = 0; i < turn; ++i) {
        tasks.GiveWay();
        Task* const task = tasks.Pop();
        ASSERT_EQ(task, &sources[i]);
        tasks.Push({&task, 1});
      }
      tasks.GiveWay();
      EXPECT_EQ(tasks.Pop(), &sources[turn]);
      for (int id = 0; id < count; ++id) {
        if (id == turn) continue;
        EXPECT_EQ(tasks.Pop(), &sources[id]) << "of " << count;
      }
    }
  }
}

TEST_F(WaitingTasksTest, ANodeIsNextThoughASourceGivesWay) {
  TestTask a = Source(0, 1), b = Source(0, 2), node = Node(9);
  Push(&b);
  tasks_.GiveWay();
  Push(&a);
  Push(&node);
  EXPECT_EQ(tasks_.Pop(), &node);
  EXPECT_EQ(tasks_.Pop(), &a) << "a turn, of which it is the first";
  EXPECT_EQ(tasks_.Pop(), &b);
}

TEST_F(WaitingTasksTest, ASourceAloneGivesWayToNobody) {
  TestTask a = Source(0, 1), b = Source(0, 2);
  Push(&a);
  Push(&b);
  EXPECT_EQ(PopAndGiveWay(), &a);
  EXPECT_EQ(tasks_.Pop(), &a);
  EXPECT_EQ(tasks_.Pop(), &b);
  // Not: the next turn were that of `b`.
  tasks_.GiveWay();
  Push(&a);
  Push(&b);
  EXPECT_EQ(tasks_.Pop(), &a);
}

TEST_F(WaitingTasksTest, AllCanBeTaken) {
  TestTask one = Node(1), two = Node(2), three = Node(3);
  Push(&one);
  Push(&two);
  tasks_.BeginRound();
  Push(&three);
  EXPECT_THAT(tasks_.TakeAll(), UnorderedElementsAre(&one, &two, &three));
  EXPECT_TRUE(tasks_.empty());
  EXPECT_FALSE(tasks_.in_round());
  EXPECT_EQ(tasks_.Pop(), nullptr);
  EXPECT_THAT(tasks_.TakeAll(), IsEmpty());
}

TEST_F(WaitingTasksTest, ARoundHasWhatWaitsTheMostUrgentFirst) {
  TestTask one = Node(1), two = Node(2), three = Node(3);
  Push(&one);
  Push(&two);
  EXPECT_FALSE(tasks_.in_round());
  tasks_.BeginRound();
  EXPECT_TRUE(tasks_.in_round());
  EXPECT_EQ(tasks_.size(), 0);
  EXPECT_FALSE(tasks_.empty());
  Push(&three);
  EXPECT_THAT(TakeRound(), ElementsAre(&two, &one));
  EXPECT_THAT(PopAll(), ElementsAre(&three));
}

TEST_F(WaitingTasksTest, ARoundHasOneTaskOfEachNode) {
  TestTask one = Node(1), again = Node(1), two = Node(2), third = Node(2);
  TestTask a = Source(0, 5), b = Source(0, 5);
  for (TestTask* const task : {&one, &again, &two, &third, &a, &b}) Push(task);
  tasks_.BeginRound();
  EXPECT_EQ(tasks_.size(), 2);
  EXPECT_EQ(TakeRound().size(), 4) << "sources of one priority are several";
  EXPECT_EQ(tasks_.TopKey(), two.priority.Key());
  EXPECT_EQ(PopAll().size(), 2);
}

TEST_F(WaitingTasksTest, WhatIsLeftOfARoundWaitsWithTheOthers) {
  TestTask one = Node(1), two = Node(2), three = Node(3), four = Node(4);
  for (TestTask* const task : {&one, &three, &four}) Push(task);
  tasks_.BeginRound();
  Push(&two);
  EXPECT_EQ(tasks_.TakeOfRound(), &four);
  tasks_.EndRound();
  EXPECT_FALSE(tasks_.in_round());
  EXPECT_EQ(tasks_.size(), 3);
  EXPECT_EQ(tasks_.TopKey(), three.priority.Key());
  EXPECT_THAT(PopAll(), ElementsAre(&three, &two, &one));
}

// Chooses the last, and writes down among how many.
class LastChooser : public TaskChooser {
 public:
  std::size_t Choose(std::size_t count) override {
    counts.push_back(count);
    return count - 1;
  }
  std::vector<std::size_t> counts;
};

TEST(WaitingTasksChooserTest, DecidesInPlaceOfThePriorities) {
  LastChooser chooser;
  WaitingTasks tasks(&chooser);
  EXPECT_EQ(tasks.TopKey(), WaitingTasks::kGreatestKey);
  EXPECT_EQ(tasks.Pop(), nullptr);
  TestTask one = Node(1), two = Node(2), three = Node(3);
  Task* const all[] = {&two, &three, &one};
  tasks.Push(all);
  EXPECT_EQ(tasks.Pop(), &one) << "they wait in the order of their coming";
  EXPECT_EQ(tasks.Pop(), &three);
  EXPECT_EQ(tasks.Pop(), &two);
  EXPECT_THAT(chooser.counts, ElementsAre(3, 2)) << "of one there is no choice";
}

TEST(WaitingTasksChooserTest, ARoundKeepsTheOrderOfTheRest) {
  LastChooser chooser;
  WaitingTasks tasks(&chooser);
  TestTask one = Node(1), two = Node(1), nine = Node(9), third = Node(1);
  Task* const all[] = {&one, &two, &third};
  tasks.Push(all);
  tasks.BeginRound();
  EXPECT_EQ(tasks.size(), 2);
  Task* const more[] = {&nine};
  tasks.Push(more);
  tasks.EndRound();
  EXPECT_EQ(tasks.size(), 4);
  EXPECT_NE(tasks.Pop(), &nine) << "what is left of the round comes last";
  tasks.Pop();
  EXPECT_EQ(tasks.size(), 2);
}

// Some tasks wait, and some come: all cases of five tasks, two of which are
// sources, with and without a source that has given way.
TEST(PushAndPopTest, DoesWhatPushAndThenPopDo) {
  TestTask tasks[] = {Node(1), Node(2), Node(3), Source(0, 4), Source(0, 5)};
  for (int waiting = 0; waiting < 32; ++waiting) {
    for (int coming = 0; coming < 32; ++coming) {
      if ((waiting & coming) != 0) continue;
      for (const bool gives_way : {false, true}) {
        WaitingTasks together(nullptr), apart(nullptr);
        std::vector<Task*> come;
        for (int i = 0; i < 5; ++i) {
          Task* const task = &tasks[i];
          if ((waiting >> i & 1) != 0) together.Push({&task, 1});
          if ((waiting >> i & 1) != 0) apart.Push({&task, 1});
          if ((coming >> i & 1) != 0) come.push_back(task);
        }
        if (gives_way) together.GiveWay();
        if (gives_way) apart.GiveWay();
        apart.Push(come);
        ASSERT_EQ(together.PushAndPop(come), apart.Pop());
        ASSERT_EQ(together.size(), apart.size());
        while (Task* const task = apart.Pop()) ASSERT_EQ(together.Pop(), task);
      }
    }
  }
}

TEST(PushAndPopTest, AChooserChoosesAmongAll) {
  class Last : public TaskChooser {
   public:
    std::size_t Choose(std::size_t count) override { return count - 1; }
  } last;
  WaitingTasks tasks(&last);
  TestTask one = Node(1), two = Node(2), three = Node(3);
  Task* const first = &three;
  tasks.Push({&first, 1});
  Task* const both[] = {&two, &one};
  EXPECT_EQ(tasks.PushAndPop(both), &one);
  EXPECT_EQ(tasks.PushAndPop({}), &two);
}

}  // namespace
}  // namespace syncline
