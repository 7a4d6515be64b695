// Queues are called at their times, once, and not after they were cancelled.

#include "framework/scheduler/alarm_thread.h"

#include <atomic>
#include <chrono>
#include <cstdint>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/scheduler/executor.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

std::int64_t InMs(int ms) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
             .count() +
         std::int64_t{ms} * 1000000;
}

class CountingQueue : public TaskQueue {
 public:
  void RunNextTask() override {
    steady_ns = InMs(0);
    runs.fetch_add(1);
  }
  bool WaitFor(int count) const {
    for (int i = 0; i < 30000 && runs < count; ++i) {
      absl::SleepFor(absl::Milliseconds(1));
    }
    return runs >= count;
  }

  std::atomic<int> runs{0};
  std::atomic<std::int64_t> steady_ns{0};
};

class AlarmThreadTest : public ::testing::Test {
 protected:
  void SetAlarm(TaskQueue* queue, std::int64_t steady_ns) {
    EXPECT_TRUE(alarms_.Set(queue, steady_ns).ok());
  }

  AlarmThread alarms_;
};

TEST_F(AlarmThreadTest, CallsOnceAndNotBeforeTheTime) {
  CountingQueue queue;
  const std::int64_t time = InMs(20);
  SetAlarm(&queue, time);
  ASSERT_TRUE(queue.WaitFor(1));
  EXPECT_GE(queue.steady_ns, time);
  absl::SleepFor(absl::Milliseconds(30));
  EXPECT_EQ(queue.runs, 1);
  alarms_.Cancel(&queue);
}

TEST_F(AlarmThreadTest, TheEarlierOfTwoTimesCounts) {
  CountingQueue queue;
  SetAlarm(&queue, InMs(3600 * 1000));
  SetAlarm(&queue, InMs(5));
  SetAlarm(&queue, InMs(3600 * 1000));
  EXPECT_TRUE(queue.WaitFor(1));
  alarms_.Cancel(&queue);
}

TEST_F(AlarmThreadTest, WhatIsCancelledIsNotCalled) {
  CountingQueue cancelled;
  CountingQueue other;
  SetAlarm(&cancelled, InMs(20));
  SetAlarm(&other, InMs(40));
  alarms_.Cancel(&cancelled);
  EXPECT_TRUE(other.WaitFor(1));
  EXPECT_EQ(cancelled.runs, 0);
  alarms_.Cancel(&other);
}

TEST_F(AlarmThreadTest, CancelWaitsForACallThatGoesOn) {
  struct Slow : TaskQueue {
    void RunNextTask() override {
      entered = true;
      absl::SleepFor(absl::Milliseconds(30));
      left = true;
    }
    std::atomic<bool> entered{false};
    std::atomic<bool> left{false};
  } slow;
  SetAlarm(&slow, InMs(0));
  while (!slow.entered) absl::SleepFor(absl::Milliseconds(1));
  alarms_.Cancel(&slow);
  EXPECT_TRUE(slow.left);
}

TEST_F(AlarmThreadTest, WhatTakesLongInOneHoldsUpNoOther) {
  struct Stuck : TaskQueue {
    void RunNextTask() override {
      while (!is_over) absl::SleepFor(absl::Milliseconds(1));
    }
    std::atomic<bool> is_over{false};
  } stuck;
  SetAlarm(&stuck, InMs(0));
  AlarmThread others;
  CountingQueue queue;
  EXPECT_TRUE(others.Set(&queue, InMs(0)).ok());
  EXPECT_TRUE(queue.WaitFor(1));
  others.Cancel(&queue);
  stuck.is_over = true;
  alarms_.Cancel(&stuck);
}

TEST_F(AlarmThreadTest, NothingIsCalledAfterItWasStopped) {
  CountingQueue queue;
  SetAlarm(&queue, InMs(3600 * 1000));
  alarms_.Cancel(&queue);
  alarms_.Stop();
  SetAlarm(&queue, InMs(0));
  absl::SleepFor(absl::Milliseconds(10));
  EXPECT_EQ(queue.runs, 0);
}

}  // namespace
}  // namespace syncline
