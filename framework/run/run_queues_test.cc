// All queues of a run pause and go on together, and what waits is dropped where
// it must not run any more.

#include "framework/run/run_queues.h"

#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "framework/scheduler/executor.h"
#include "framework/scheduler/scheduler_queue.h"
#include "framework/scheduler/task.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

// Keeps what it is asked for until the test runs it.
class HandExecutor : public Executor {
 public:
  ~HandExecutor() override { RunAll(); }
  void AddTask(TaskQueue* task_queue) override { asked.push_back(task_queue); }
  void Schedule(std::function<void()>) override {}
  void Unwatch(TaskQueue*) override { ++unwatched; }
  void RunAll() {
    while (!asked.empty()) {
      TaskQueue* const queue = asked.front();
      asked.pop_front();
      queue->RunNextTask();
    }
  }

  std::deque<TaskQueue*> asked;
  int unwatched = 0;
};

class TestTask : public Task {};

class CountingRunner : public TaskRunner {
 public:
  void RunTasks(Task* task, SchedulerQueue* queue, int max_tasks) override {
    for (; task != nullptr; task = queue->Next({})) ++runs;
  }
  void OnIdle() override {}
  void OnTaskLost(SchedulerQueue*) override {}

  int runs = 0;
};

class RunQueuesTest : public ::testing::Test {
 protected:
  RunQueuesTest() {
    for (int i = 0; i < 2; ++i) {
      queues_.Add(
          std::make_shared<SchedulerQueue>(&executor_, &runner_, &activity_));
    }
  }
  ~RunQueuesTest() override {
    queues_.Shutdown();
    EXPECT_FALSE(activity_.busy());
  }

  // Gives each queue a task. How many have run by now.
  int AddTasks() {
    Task* const first[] = {&tasks_[0]};
    Task* const second[] = {&tasks_[1]};
    queues_[0]->Add(first);
    queues_[1]->Add(second);
    return Runs();
  }
  // How many tasks have run so far.
  int Runs() {
    executor_.RunAll();
    return runner_.runs;
  }

  HandExecutor executor_;
  CountingRunner runner_;
  Activity activity_;
  TestTask tasks_[2];
  RunQueues queues_;
};

TEST_F(RunQueuesTest, NothingRunsBeforeStart) {
  EXPECT_EQ(queues_.size(), 2);
  EXPECT_NE(queues_[0], queues_[1]);
  EXPECT_EQ(AddTasks(), 0);
  queues_.Start();
  EXPECT_EQ(Runs(), 2);
}

TEST_F(RunQueuesTest, WhatWaitsForTheEndOfAPauseRunsThen) {
  queues_.Start();
  queues_.Pause();
  EXPECT_EQ(AddTasks(), 0);
  queues_.Resume();
  EXPECT_EQ(Runs(), 2);
  EXPECT_EQ(AddTasks(), 4);
}

TEST_F(RunQueuesTest, APauseThatIsEndedDropsWhatWaits) {
  queues_.Start();
  queues_.Pause();
  EXPECT_EQ(AddTasks(), 0);
  queues_.EndPause();
  EXPECT_EQ(Runs(), 0);
  EXPECT_FALSE(activity_.busy());
  EXPECT_EQ(AddTasks(), 2) << "queues go on";
}

TEST_F(RunQueuesTest, EndPauseDropsNothingWithoutAPause) {
  EXPECT_EQ(AddTasks(), 0);
  queues_.EndPause();
  queues_.Start();
  EXPECT_EQ(Runs(), 2);
  queues_.Pause();
  queues_.Resume();
  queues_.EndPause();
  queues_.Pause();
  queues_.EndPause();
  EXPECT_EQ(AddTasks(), 4) << "each pause is ended";
}

TEST_F(RunQueuesTest, APauseIsEndedOnce) {
  queues_.Start();
  Task* const first[] = {&tasks_[0]};
  queues_.Pause();
  queues_.Resume();
  queues_[0]->Add(first);
  queues_.EndPause();
  EXPECT_EQ(Runs(), 1) << "Resume has ended the pause";
  queues_.Pause();
  queues_.EndPause();
  queues_[0]->Add(first);
  queues_.EndPause();
  EXPECT_EQ(Runs(), 2) << "EndPause has ended the pause";
}

TEST_F(RunQueuesTest, DropAllDropsWhatWaitsAndQueuesGoOn) {
  EXPECT_EQ(AddTasks(), 0);
  queues_.DropAll();
  EXPECT_EQ(Runs(), 0);
  EXPECT_EQ(AddTasks(), 2);
}

TEST_F(RunQueuesTest, NothingRunsAfterShutdown) {
  queues_.Start();
  Task* const first[] = {&tasks_[0]};
  queues_[1]->Add(first);
  ASSERT_EQ(executor_.asked.size(), 1);
  queues_.DropAll();
  queues_.Shutdown();
  EXPECT_EQ(executor_.unwatched, 2) << "each queue was shut down";
  EXPECT_EQ(Runs(), 0);
}

TEST_F(RunQueuesTest, TheTasksOfOneQueueAreKeptAndTheOthersAreQueued) {
  queues_.Start();
  TestTask first, second, third;
  std::vector<Task*> ready = {&first, &second, &third};
  queues_.KeepFor(queues_[0], &ready,
                  [&](const Task& task) { return &task == &second ? 1 : 0; });
  EXPECT_EQ(ready, (std::vector<Task*>{&first, &third}));
  executor_.RunAll();
  EXPECT_EQ(runner_.runs, 1);
  queues_.KeepFor(nullptr, &ready, [](const Task&) { return 1; });
  EXPECT_TRUE(ready.empty());
  executor_.RunAll();
  EXPECT_EQ(runner_.runs, 3);
}

}  // namespace
}  // namespace syncline
