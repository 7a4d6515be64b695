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

TEST(AlarmThreadTest, CallsOnceAndNotBeforeTheTime) {
  CountingQueue queue;
  const std::int64_t time = InMs(20);
  AlarmThread::Set(&queue, time);
  ASSERT_TRUE(queue.WaitFor(1));
  EXPECT_GE(queue.steady_ns, time);
  absl::SleepFor(absl::Milliseconds(30));
  EXPECT_EQ(queue.runs, 1);
  AlarmThread::Cancel(&queue);
}

TEST(AlarmThreadTest, TheEarlierOfTwoTimesCounts) {
  CountingQueue queue;
  AlarmThread::Set(&queue, InMs(3600 * 1000));
  AlarmThread::Set(&queue, InMs(5));
  AlarmThread::Set(&queue, InMs(3600 * 1000));
  EXPECT_TRUE(queue.WaitFor(1));
  AlarmThread::Cancel(&queue);
}

TEST(AlarmThreadTest, WhatIsCancelledIsNotCalled) {
  CountingQueue cancelled;
  CountingQueue other;
  AlarmThread::Set(&cancelled, InMs(20));
  AlarmThread::Set(&other, InMs(40));
  AlarmThread::Cancel(&cancelled);
  EXPECT_TRUE(other.WaitFor(1));
  EXPECT_EQ(cancelled.runs, 0);
  AlarmThread::Cancel(&other);
}

TEST(AlarmThreadTest, CancelWaitsForACallThatGoesOn) {
  struct Slow : TaskQueue {
    void RunNextTask() override {
      entered = true;
      absl::SleepFor(absl::Milliseconds(30));
      left = true;
    }
    std::atomic<bool> entered{false};
    std::atomic<bool> left{false};
  } slow;
  AlarmThread::Set(&slow, InMs(0));
  while (!slow.entered) absl::SleepFor(absl::Milliseconds(1));
  AlarmThread::Cancel(&slow);
  EXPECT_TRUE(slow.left);
}

}  // namespace
}  // namespace syncline
