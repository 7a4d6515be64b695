// What every executor promises, as tests. For an executor of yours:
//
//   INSTANTIATE_TEST_SUITE_P(
//       Mine, ExecutorConformanceTest,
//       ::testing::Values(ExecutorUnderTest{
//           .name = "MyExecutor",
//           .make = [] { return std::make_unique<MyExecutor>(); }}),
//       ExecutorUnderTest::Name);
//
// To be included by one test file of a program.

#ifndef SYNCLINE_FRAMEWORK_SCHEDULER_EXECUTOR_CONFORMANCE_SUITE_H_
#define SYNCLINE_FRAMEWORK_SCHEDULER_EXECUTOR_CONFORMANCE_SUITE_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <ostream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/steady_time.h"
#include "framework/scheduler/executor.h"
#include "gtest/gtest.h"

namespace syncline {

struct ExecutorUnderTest {
  std::string name;
  // Its tasks have to run without further ado.
  std::function<std::unique_ptr<Executor>()> make;
  // Destroying it runs what was added before.
  bool drains = false;
  // A function given to Schedule may throw.
  bool catches = false;
  // Watch returns true.
  bool watches = false;

  static std::string Name(
      const ::testing::TestParamInfo<ExecutorUnderTest>& info) {
    return info.param.name;
  }
  // For messages of failures.
  friend void PrintTo(const ExecutorUnderTest& under_test, std::ostream* out) {
    *out << under_test.name;
  }
};

class ExecutorConformanceTest
    : public ::testing::TestWithParam<ExecutorUnderTest> {
 protected:
  // Calls `function` for each RunNextTask, and counts after it.
  class Queue : public TaskQueue {
   public:
    explicit Queue(std::function<void()> function = [] {})
        : function_(std::move(function)) {}
    void RunNextTask() override {
      function_();
      runs.fetch_add(1);
    }
    void OnTaskLost() override { lost.fetch_add(1); }

    std::atomic<int> runs{0};
    std::atomic<int> lost{0};

   private:
    const std::function<void()> function_;
  };

  // A queue as one that has work watched: `waiting` tasks, each taken by a call
  // of RunNextTask.
  class WatchedQueue : public TaskQueue {
   public:
    void RunNextTask() override { Take(); }
    // False if there was nothing.
    bool Take() {
      int waiting = work.waiting.load();
      while (waiting > 0 &&
             !work.waiting.compare_exchange_weak(waiting, waiting - 1)) {
      }
      if (waiting == 0) return false;
      work.returns.fetch_add(1);
      taken.fetch_add(1);
      return true;
    }
    // As the owner of a queue leaves a task to the watch.
    void Leave(Executor* executor) {
      work.waiting.fetch_add(1);
      if (!flag.exchange(true)) {
        EXPECT_TRUE(executor->Watch(this, &work, &flag));
      }
    }

    WatchedWork work;
    std::atomic<bool> flag{false};
    std::atomic<int> taken{0};
  };

  // Waits, for a test that fails half a minute.
  static bool Eventually(const std::function<bool()>& condition) {
    const absl::Time end = absl::Now() + absl::Seconds(30);
    while (!condition()) {
      if (absl::Now() > end) return false;
      absl::SleepFor(absl::Microseconds(200));
    }
    return true;
  }

  static void OnThreads(int count, const std::function<void()>& code) {
    std::vector<std::thread> threads;
    for (int i = 0; i < count; ++i) threads.emplace_back(code);
    for (std::thread& thread : threads) thread.join();
  }

  std::unique_ptr<Executor> Make() const { return GetParam().make(); }
};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ExecutorConformanceTest);

TEST_P(ExecutorConformanceTest, EachAddTaskGivesOneRunNextTask) {
  Queue first, second;
  std::atomic<int> functions{0};
  {
    const std::unique_ptr<Executor> executor = Make();
    OnThreads(4, [&] {
      for (int i = 0; i < 100; ++i) {
        executor->AddTask(&first);
        executor->Schedule([&] { functions.fetch_add(1); });
        executor->AddTask(&second);
      }
    });
    EXPECT_TRUE(Eventually([&] {
      return first.runs >= 400 && second.runs >= 400 && functions >= 400;
    }));
  }
  EXPECT_EQ(first.runs, 400);
  EXPECT_EQ(second.runs, 400);
  EXPECT_EQ(functions, 400);
  EXPECT_EQ(first.lost, 0);
}

TEST_P(ExecutorConformanceTest, NothingRunsInsideOfAddTaskAndSchedule) {
  static thread_local bool is_adding = false;
  std::atomic<int> inside{0};
  std::atomic<int> left{500};
  Executor* adder = nullptr;
  std::function<void()> add;
  Queue queue([&] {
    if (is_adding) inside.fetch_add(1);
    if (left.fetch_sub(1) > 0) add();
  });
  add = [&] {
    is_adding = true;
    adder->AddTask(&queue);
    adder->Schedule([&] {
      if (is_adding) inside.fetch_add(1);
    });
    is_adding = false;
  };
  const std::unique_ptr<Executor> executor = Make();
  adder = executor.get();
  add();
  EXPECT_TRUE(Eventually([&] { return queue.runs == 501; }));
  EXPECT_EQ(inside, 0);
}

TEST_P(ExecutorConformanceTest, RunNextTaskMayAddTasks) {
  Executor* adder = nullptr;
  std::atomic<int> left{500};
  Queue* self = nullptr;
  // A tree of them: each adds two.
  Queue queue([&] {
    for (int i = 0; i < 2; ++i) {
      if (left.fetch_sub(1) > 0) adder->AddTask(self);
    }
  });
  self = &queue;
  const std::unique_ptr<Executor> executor = Make();
  adder = executor.get();
  executor->AddTask(&queue);
  EXPECT_TRUE(Eventually([&] { return queue.runs == 501; }));
}

TEST_P(ExecutorConformanceTest, DestroyingItRunsWhatWasAdded) {
  if (!GetParam().drains) GTEST_SKIP() << "It does not promise that.";
  for (int round = 0; round < 20; ++round) {
    Executor* adder = nullptr;
    Queue leaves;
    Queue queue([&] { adder->AddTask(&leaves); });
    {
      const std::unique_ptr<Executor> executor = Make();
      adder = executor.get();
      for (int i = 0; i < 50; ++i) executor->AddTask(&queue);
    }
    ASSERT_EQ(queue.runs, 50);
    ASSERT_EQ(leaves.runs, 50);
  }
}

TEST_P(ExecutorConformanceTest, RunsAsManyAtOnceAsItSaysAndNoMore) {
  const std::unique_ptr<Executor> executor = Make();
  const int parallel = std::min(executor->MaxParallelTasks(), 16);
  ASSERT_GE(parallel, 1);
  EXPECT_GE(executor->MaxTasksInARow(), 1);
  std::atomic<int> running{0};
  std::atomic<int> most{0};
  // Each waits for all others to have begun.
  Queue queue([&] {
    const int now = running.fetch_add(1) + 1;
    int seen = most.load();
    while (seen < now && !most.compare_exchange_weak(seen, now)) {
    }
    EXPECT_TRUE(Eventually([&] { return most >= parallel; }));
    absl::SleepFor(absl::Milliseconds(1));
    running.fetch_sub(1);
  });
  for (int i = 0; i < 3 * parallel; ++i) executor->AddTask(&queue);
  EXPECT_TRUE(Eventually([&] { return queue.runs == 3 * parallel; }));
  EXPECT_LE(most, executor->MaxParallelTasks());
}

TEST_P(ExecutorConformanceTest, ATaskThatThrowsHurtsNobody) {
  if (!GetParam().catches) GTEST_SKIP() << "It does not promise that.";
  const std::unique_ptr<Executor> executor = Make();
  Queue queue;
  for (int i = 0; i < 20; ++i)
    executor->Schedule([] { throw std::bad_alloc(); });
  executor->Schedule([] { throw 5; });
  executor->Schedule(nullptr);
  executor->AddTask(&queue);
  EXPECT_TRUE(Eventually([&] { return queue.runs == 1; }));
}

TEST_P(ExecutorConformanceTest, ATaskIsForgottenOnceItHasRun) {
  const std::unique_ptr<Executor> executor = Make();
  auto held = std::make_shared<int>(0);
  executor->Schedule([held] {});
  EXPECT_TRUE(Eventually([&] { return held.use_count() == 1; }));
}

TEST_P(ExecutorConformanceTest, ItSaysWhetherItWatches) {
  const std::unique_ptr<Executor> executor = Make();
  WatchedQueue queue;
  queue.flag = true;
  EXPECT_EQ(executor->Watch(&queue, &queue.work, &queue.flag),
            GetParam().watches);
  executor->Unwatch(&queue);
}

TEST_P(ExecutorConformanceTest, WorkThatIsStuckIsPickedUp) {
  if (!GetParam().watches) GTEST_SKIP() << "It does not watch.";
  const std::unique_ptr<Executor> executor = Make();
  WatchedQueue queues[3];
  for (WatchedQueue& queue : queues) {
    queue.Leave(executor.get());
    queue.Leave(executor.get());
  }
  for (WatchedQueue& queue : queues) {
    EXPECT_TRUE(Eventually([&] { return queue.taken == 2; }));
  }
  for (WatchedQueue& queue : queues) {
    EXPECT_TRUE(Eventually([&] { return !queue.flag; }));
    executor->Unwatch(&queue);
  }
}

TEST_P(ExecutorConformanceTest, WorkThatMovesIsLeftAlone) {
  if (!GetParam().watches) GTEST_SKIP() << "It does not watch.";
  const std::unique_ptr<Executor> executor = Make();
  std::atomic<int> runs{0};
  struct Moving : TaskQueue {
    explicit Moving(std::atomic<int>* runs) : runs(runs) {}
    void RunNextTask() override { runs->fetch_add(1); }
    std::atomic<int>* runs;
    WatchedWork work;
    std::atomic<bool> flag{true};
  } queue(&runs);
  queue.work.waiting = 1;
  std::atomic<bool> stop{false};
  // On a busy machine the mover itself stands still now and then, for so long.
  absl::Duration still;
  std::thread mover([&] {
    absl::Time last = absl::Now();
    while (!stop) {
      queue.work.returns.fetch_add(1);
      const absl::Time now = absl::Now();
      if (now - last > absl::Microseconds(200)) still += now - last;
      last = now;
    }
  });
  ASSERT_TRUE(executor->Watch(&queue, &queue.work, &queue.flag));
  absl::SleepFor(absl::Milliseconds(100));
  EXPECT_TRUE(queue.flag);
  const int called = runs;
  stop = true;
  mover.join();
  EXPECT_LE(called, 2 + absl::ToInt64Milliseconds(2 * still));
  executor->Unwatch(&queue);
}

TEST_P(ExecutorConformanceTest, NothingIsLostBetweenOwnerAndWatch) {
  if (!GetParam().watches) GTEST_SKIP() << "It does not watch.";
  const std::unique_ptr<Executor> executor = Make();
  WatchedQueue queue;
  constexpr int kTasks = 400;
  // The owner sometimes comes back for its work, and sometimes does not.
  for (int i = 0; i < kTasks; ++i) {
    queue.Leave(executor.get());
    if (i % 4 != 0) queue.Take();
    if (i % 16 == 0) absl::SleepFor(absl::Microseconds(700 + 10 * i));
  }
  EXPECT_TRUE(Eventually([&] { return queue.taken == kTasks; }));
  EXPECT_TRUE(Eventually([&] { return !queue.flag; }));
  executor->Unwatch(&queue);
}

TEST_P(ExecutorConformanceTest, ABlockedCallHoldsUpNoOther) {
  if (!GetParam().watches) GTEST_SKIP() << "It does not watch.";
  const std::unique_ptr<Executor> executor = Make();
  if (executor->MaxParallelTasks() < 3) GTEST_SKIP() << "Too few threads.";
  // Two calls of the queue that only the third lets go on.
  struct Blocking : TaskQueue {
    void RunNextTask() override {
      work.waiting.fetch_sub(1);
      work.returns.fetch_add(1);
      entered.fetch_add(1);
      EXPECT_TRUE(Eventually([&] { return entered == 3; }));
      left.fetch_add(1);
    }
    WatchedWork work;
    std::atomic<bool> flag{true};
    std::atomic<int> entered{0};
    std::atomic<int> left{0};
  } queue;
  queue.work.waiting = 3;
  ASSERT_TRUE(executor->Watch(&queue, &queue.work, &queue.flag));
  EXPECT_TRUE(Eventually([&] { return queue.left == 3; }));
  executor->Unwatch(&queue);
}

TEST_P(ExecutorConformanceTest, QueuesThatAreStuckTogetherAreHelpedTogether) {
  if (!GetParam().watches) GTEST_SKIP() << "It does not watch.";
  constexpr int kQueues = 4;
  const std::unique_ptr<Executor> executor = Make();
  if (executor->MaxParallelTasks() < kQueues) GTEST_SKIP() << "Too few.";
  std::atomic<int> entered{0};
  std::atomic<int> left{0};
  // Each waits for all others.
  struct Blocking : TaskQueue {
    void RunNextTask() override {
      if (work.waiting.exchange(0) == 0) return;
      entered->fetch_add(1);
      EXPECT_TRUE(Eventually([&] { return *entered == kQueues; }));
      left->fetch_add(1);
    }
    WatchedWork work;
    std::atomic<bool> flag{true};
    std::atomic<int>* entered;
    std::atomic<int>* left;
  } queues[kQueues];
  for (Blocking& queue : queues) {
    queue.entered = &entered;
    queue.left = &left;
    queue.work.waiting = 1;
    ASSERT_TRUE(executor->Watch(&queue, &queue.work, &queue.flag));
  }
  EXPECT_TRUE(Eventually([&] { return left == kQueues; }));
  for (Blocking& queue : queues) executor->Unwatch(&queue);
}

TEST_P(ExecutorConformanceTest, UnwatchWaitsForTheCallThatIsInTheQueue) {
  if (!GetParam().watches) GTEST_SKIP() << "It does not watch.";
  const std::unique_ptr<Executor> executor = Make();
  struct Slow : TaskQueue {
    void RunNextTask() override {
      inside.fetch_add(1);
      absl::SleepFor(absl::Milliseconds(20));
      inside.fetch_sub(1);
    }
    WatchedWork work;
    std::atomic<bool> flag{true};
    std::atomic<int> inside{0};
  } queue;
  queue.work.waiting = 1;
  ASSERT_TRUE(executor->Watch(&queue, &queue.work, &queue.flag));
  EXPECT_TRUE(Eventually([&] { return queue.inside > 0; }));
  executor->Unwatch(&queue);
  EXPECT_EQ(queue.inside, 0);
  absl::SleepFor(absl::Milliseconds(5));
  EXPECT_EQ(queue.inside, 0);
}

TEST_P(ExecutorConformanceTest, ATimedTaskComesOnceAndNotBeforeItsTime) {
  if (!GetParam().watches) GTEST_SKIP() << "It does not watch.";
  const std::unique_ptr<Executor> executor = Make();
  std::atomic<std::int64_t> came_ns{0};
  Queue queue([&] { came_ns = SteadyNowNs(); });
  const std::int64_t due_ns = SteadyNowNs() + 20'000'000;
  ASSERT_TRUE(executor->AddTaskAt(&queue, due_ns, /*caller_returns=*/false));
  EXPECT_TRUE(Eventually([&] { return queue.runs == 1; }));
  EXPECT_GE(came_ns, due_ns);
  absl::SleepFor(absl::Milliseconds(20));
  EXPECT_EQ(queue.runs, 1);
  executor->Unwatch(&queue);
}

TEST_P(ExecutorConformanceTest, OfTwoTimesForOneQueueTheEarlierCounts) {
  if (!GetParam().watches) GTEST_SKIP() << "It does not watch.";
  constexpr std::int64_t kHourNs = 3'600'000'000'000;
  const std::unique_ptr<Executor> executor = Make();
  Queue queue;
  // The thread that waits for the later time has to hear of the earlier one.
  ASSERT_TRUE(executor->AddTaskAt(&queue, SteadyNowNs() + kHourNs,
                                  /*caller_returns=*/false));
  absl::SleepFor(absl::Milliseconds(5));
  ASSERT_TRUE(executor->AddTaskAt(&queue, SteadyNowNs() + 5'000'000,
                                  /*caller_returns=*/false));
  ASSERT_TRUE(executor->AddTaskAt(&queue, SteadyNowNs() + kHourNs,
                                  /*caller_returns=*/false));
  EXPECT_TRUE(Eventually([&] { return queue.runs == 1; }));
  executor->Unwatch(&queue);
}

TEST_P(ExecutorConformanceTest, ATimedTaskComesAlthoughTheThreadsAreBusy) {
  if (!GetParam().watches) GTEST_SKIP() << "It does not watch.";
  const std::unique_ptr<Executor> executor = Make();
  std::atomic<bool> stop{false};
  std::atomic<int> added{20};
  // There is always another task, so no thread ever sleeps.
  Queue* self = nullptr;
  Queue busy([&] {
    if (stop) return;
    added.fetch_add(1);
    executor->AddTask(self);
  });
  self = &busy;
  for (int i = 0; i < 20; ++i) executor->AddTask(&busy);
  Queue timed;
  EXPECT_TRUE(executor->AddTaskAt(&timed, SteadyNowNs() + 5'000'000,
                                  /*caller_returns=*/false));
  EXPECT_TRUE(Eventually([&] { return timed.runs == 1; }));
  stop = true;
  EXPECT_TRUE(Eventually([&] { return busy.runs == added; }));
  executor->Unwatch(&timed);
}

TEST_P(ExecutorConformanceTest, AfterUnwatchATimedTaskDoesNotCome) {
  if (!GetParam().watches) GTEST_SKIP() << "It does not watch.";
  const std::unique_ptr<Executor> executor = Make();
  OnThreads(3, [&] {
    for (int round = 0; round < 60; ++round) {
      // What is touched later, a sanitizer sees.
      auto queue = std::make_unique<Queue>();
      executor->AddTaskAt(queue.get(), SteadyNowNs() + round * 10'000,
                          /*caller_returns=*/false);
      if (round % 3 == 0) absl::SleepFor(absl::Microseconds(5 * round));
      executor->Unwatch(queue.get());
    }
  });
}

TEST_P(ExecutorConformanceTest, AfterUnwatchNothingIsTouched) {
  if (!GetParam().watches) GTEST_SKIP() << "It does not watch.";
  const std::unique_ptr<Executor> executor = Make();
  OnThreads(3, [&] {
    for (int round = 0; round < 60; ++round) {
      // What is touched later, a sanitizer sees.
      auto queue = std::make_unique<WatchedQueue>();
      for (int i = 0; i < 5; ++i) queue->Leave(executor.get());
      if (round % 3 == 0) absl::SleepFor(absl::Microseconds(1000 + round));
      executor->Unwatch(queue.get());
    }
  });
}

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_SCHEDULER_EXECUTOR_CONFORMANCE_SUITE_H_
