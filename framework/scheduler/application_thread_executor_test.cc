#include "framework/scheduler/application_thread_executor.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/mutex.h"
#include "framework/base/steady_time.h"
#include "framework/scheduler/executor.h"
#include "framework/scheduler/request.h"
#include "framework/scheduler/task_chooser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;

class CountingQueue : public TaskQueue {
 public:
  void RunNextTask() override { ++runs; }
  void OnTaskLost() override { ++lost; }
  int runs = 0;
  int lost = 0;
};

TEST(ApplicationThreadExecutorTest, RunsTasksOnlyInsideAWait) {
  auto wait_point = std::make_shared<WaitPoint>();
  ApplicationThreadExecutor executor(wait_point);
  CountingQueue queue;
  executor.AddTask(&queue);
  executor.AddTask(&queue);
  EXPECT_EQ(queue.runs, 0);
  EXPECT_TRUE(wait_point->Wait([&] { return queue.runs == 1; }));
  EXPECT_EQ(queue.runs, 1) << "no more than the wait needs";
  EXPECT_TRUE(wait_point->Wait([&] { return queue.runs == 2; }));
}

TEST(ApplicationThreadExecutorTest, WakesAThreadThatSleeps) {
  auto wait_point = std::make_shared<WaitPoint>();
  ApplicationThreadExecutor executor(wait_point);
  std::atomic<bool> has_run{false};
  std::thread other([&] {
    absl::SleepFor(absl::Milliseconds(5));
    executor.Schedule([&] { has_run = true; });
  });
  EXPECT_TRUE(wait_point->Wait([&] { return has_run.load(); }));
  other.join();
}

TEST(ApplicationThreadExecutorTest, AWaitMayHaveAnEnd) {
  WaitPoint wait_point;
  EXPECT_FALSE(wait_point.Wait([] { return false; }, absl::Milliseconds(3)));
  EXPECT_TRUE(wait_point.Wait([] { return true; }, absl::ZeroDuration()));
}

TEST(ApplicationThreadExecutorTest, ASignalMakesWaitersLookAgain) {
  WaitPoint wait_point;
  bool flag = false;
  std::thread other([&] {
    absl::SleepFor(absl::Milliseconds(5));
    MutexLock lock(&wait_point.mutex);
    flag = true;
    wait_point.Signal();
  });
  EXPECT_TRUE(wait_point.Wait([&] { return flag; }));
  other.join();
}

TEST(ApplicationThreadExecutorTest, ATimeThatIsNotTheNextWakesNobody) {
  constexpr std::int64_t kHourNs = 3'600'000'000'000;
  auto wait_point = std::make_shared<WaitPoint>();
  ApplicationThreadExecutor executor(wait_point);
  CountingQueue first, later;
  executor.AddTaskAt(&first, SteadyNowNs() + kHourNs, /*caller_returns=*/false);
  std::atomic<int> tests{0};
  std::atomic<bool> is_over{false};
  std::thread waiter([&] {
    wait_point->Wait([&] {
      ++tests;
      return is_over.load();
    });
  });
  // It sleeps once it has tested twice.
  while (tests < 2) std::this_thread::yield();
  for (int i = 1; i <= 10; ++i) {
    executor.AddTaskAt(&later, SteadyNowNs() + kHourNs + i * kHourNs,
                       /*caller_returns=*/false);
    absl::SleepFor(absl::Milliseconds(1));
  }
  EXPECT_LE(tests, 4) << "apart from a wake-up without cause";
  executor.AddTaskAt(&later, SteadyNowNs(), /*caller_returns=*/false);
  executor.Schedule([&] { is_over = true; });
  waiter.join();
  EXPECT_EQ(later.runs, 1);
  EXPECT_EQ(first.runs, 0);
  executor.Unwatch(&first);
}

// Two threads take turns, each waiting for the other's number: a signal that
// falls between the test of a condition and the sleep would stop both.
TEST(ApplicationThreadExecutorTest, NoSignalOfAnAtomicChangeIsMissed) {
  constexpr int kTurns = 20'000;
  WaitPoint wait_point;
  std::atomic<int> turn{0};
  const auto take_turns = [&](int first) {
    for (int mine = first; mine < kTurns; mine += 2) {
      wait_point.Wait([&] { return turn.load() == mine; });
      turn.store(mine + 1);
      wait_point.SignalAtomicChange();
    }
  };
  std::thread other([&] { take_turns(1); });
  take_turns(0);
  other.join();
  EXPECT_EQ(turn.load(), kTurns);
}

TEST(ApplicationThreadExecutorTest, QueuesHearThatNobodyComesAnyMore) {
  CountingQueue queue;
  {
    auto wait_point = std::make_shared<WaitPoint>();
    ApplicationThreadExecutor executor(wait_point);
    executor.AddTask(&queue);
    executor.AddTask(&queue);
  }
  EXPECT_EQ(queue.runs, 0);
  EXPECT_EQ(queue.lost, 2);
}

// RunReady asks its caller, and a clock of a user's, without the lock.
TEST(ApplicationThreadExecutorTest, WhoIsAskedMayThrow) {
  const auto wait_point = std::make_shared<WaitPoint>();
  ApplicationThreadExecutor executor(wait_point);
  CountingQueue queue;
  executor.AddTask(&queue);
  std::thread other;
  std::atomic<bool> has_lock{false}, had_lock{false};
  const auto throws = [&]() -> bool {
    other = std::thread([&] {
      MutexLock lock(&wait_point->mutex);
      has_lock = true;
      absl::SleepFor(absl::Milliseconds(20));
      had_lock = true;
    });
    while (!has_lock) std::this_thread::yield();
    throw std::runtime_error("what time is it?");
  };
  EXPECT_THROW(wait_point->RunReady(throws), std::runtime_error);
  EXPECT_TRUE(had_lock) << "the lock was another thread's, and not to open";
  other.join();
  // Keeps what it needs, should it wait for ever.
  std::atomic<std::int64_t> count{-1};
  std::thread next([&] { count = wait_point->RunReady([] { return true; }); });
  for (int i = 0; i < 5000 && count < 0; ++i) {
    absl::SleepFor(absl::Milliseconds(1));
  }
  ASSERT_EQ(count, 1) << "others may run what is ready";
  next.join();
  EXPECT_EQ(queue.runs, 1);
}

class LastFirst : public TaskChooser {
 public:
  std::size_t Choose(std::size_t count) override { return count - 1; }
};

TEST(ApplicationThreadExecutorTest, AChooserDecidesWhatRuns) {
  LastFirst chooser;
  auto wait_point = std::make_shared<WaitPoint>();
  wait_point->SetChooser(&chooser);
  ApplicationThreadExecutor executor(wait_point);
  std::vector<int> order;
  for (int i = 0; i < 3; ++i) {
    executor.Schedule([&order, i] { order.push_back(i); });
  }
  EXPECT_TRUE(wait_point->Wait([&] { return order.size() == 3; }));
  EXPECT_THAT(order, ElementsAre(2, 1, 0));
}

class NeverDecides : public TaskChooser {
 public:
  std::size_t Choose(std::size_t count) override {
    if (decides) return 0;
    throw std::runtime_error("hard to say");
  }
  bool decides = false;
};

TEST(ApplicationThreadExecutorTest, AChooserMayThrow) {
  NeverDecides chooser;
  WaitPoint wait_point;
  wait_point.SetChooser(&chooser);
  CountingQueue first, second;
  wait_point.Add(Request(&first));
  wait_point.Add(Request(&second));
  EXPECT_THROW(wait_point.RunEachOnce(), std::runtime_error);
  chooser.decides = true;
  EXPECT_EQ(wait_point.RunEachOnce(), 2);
}

TEST(ApplicationThreadExecutorTest, WhatATaskHoldsIsReleasedWithoutTheLock) {
  WaitPoint wait_point;
  int released = 0;
  for (const bool throws : {false, true}) {
    const std::shared_ptr<void> held(nullptr, [&](void*) {
      MutexLock lock(&wait_point.mutex);  // would wait for itself
      ++released;
    });
    wait_point.Add(Request([held, throws] {
      if (throws) throw std::runtime_error("of the test");
    }));
  }
  EXPECT_EQ(wait_point.RunReady([] { return true; }), 2);
  EXPECT_EQ(released, 2);
}

}  // namespace
}  // namespace syncline
