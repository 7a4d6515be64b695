// Who waits for output returns once for what was noted meanwhile. What happens
// while it waits comes from tasks that its own thread runs at the wait point.

#include "framework/run/observed_output.h"

#include <atomic>
#include <functional>
#include <memory>
#include <thread>
#include <utility>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/scheduler/application_thread_executor.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

bool Never() { return false; }
bool Always() { return true; }

class ObservedOutputTest : public ::testing::Test {
 protected:
  void RunWhileWaiting(std::function<void()> function) {
    executor_.Schedule(std::move(function));
  }

  const std::shared_ptr<WaitPoint> wait_point_ = std::make_shared<WaitPoint>();
  ApplicationThreadExecutor executor_{wait_point_};
  ObservedOutput output_{wait_point_.get()};
};

TEST_F(ObservedOutputTest, WhatWasNotedBeforeEndsOneWait) {
  output_.Note();
  output_.Note();
  EXPECT_TRUE(output_.Wait(Never));
  EXPECT_FALSE(output_.Wait(Always)) << "both were seen";
  output_.Note();
  EXPECT_TRUE(output_.Wait(Always)) << "what came is told before the end";
}

TEST_F(ObservedOutputTest, ANoteEndsAWaitThatGoesOn) {
  bool has_run = false;
  RunWhileWaiting([&] { has_run = true; });
  RunWhileWaiting([&] { output_.Note(); });
  EXPECT_TRUE(output_.Wait(Never));
  EXPECT_TRUE(has_run) << "which was not the end of it";
}

TEST_F(ObservedOutputTest, TheEndEndsAWaitThatGoesOn) {
  bool is_over = false;
  RunWhileWaiting([&] { is_over = true; });
  EXPECT_FALSE(output_.Wait([&] { return is_over; }));
}

TEST_F(ObservedOutputTest, IsAskedForTheEndWithTheLockHeld) {
  EXPECT_FALSE(output_.Wait([&] {
    bool is_free = true;
    std::thread([&] {
      const bool locked = wait_point_->mutex.TryLock();
      if (locked) wait_point_->mutex.Unlock();
      is_free = locked;
    }).join();
    return !is_free;
  }));
}

// Each sleeps until it is noted, and is woken by that alone.
TEST_F(ObservedOutputTest, WakesSleepersEachTime) {
  std::atomic<int> waits{0};
  std::thread sleeper([&] {
    for (int i = 0; i < 3; ++i) {
      EXPECT_TRUE(output_.Wait(Never));
      ++waits;
    }
  });
  for (int i = 0; i < 3; ++i) {
    while (waits < i) absl::SleepFor(absl::Milliseconds(1));
    absl::SleepFor(absl::Milliseconds(20));  // so that it sleeps
    EXPECT_EQ(waits, i);
    output_.Note();
  }
  sleeper.join();
}

TEST_F(ObservedOutputTest, WakesNobodyWhoWaitsForSomethingElse) {
  RunWhileWaiting([] {});
  RunWhileWaiting([&] { output_.Note(); });
  EXPECT_TRUE(output_.Wait(Never));
  // From here on nobody waits for output.
  std::atomic<int> tests{0};
  std::atomic<bool> is_over{false};
  std::thread other([&] {
    wait_point_->Wait([&] {
      ++tests;
      return is_over.load();
    });
  });
  // It sleeps once it has tested twice.
  while (tests < 2) std::this_thread::yield();
  for (int i = 0; i < 10; ++i) {
    output_.Note();
    absl::SleepFor(absl::Milliseconds(1));
  }
  EXPECT_LE(tests, 4) << "apart from a wake-up without cause";
  is_over = true;
  wait_point_->SignalAtomicChange();
  other.join();
}

}  // namespace
}  // namespace syncline
