// The real clock is the machine's, and its sleeps are long enough.
#include "framework/base/clock.h"

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(ClockTest, TheRealClockIsTheMachines) {
  const absl::Time before = absl::Now();
  const absl::Time now = Clock::RealClock()->TimeNow();
  EXPECT_GE(now, before);
  EXPECT_LE(now, absl::Now());
  EXPECT_EQ(Clock::RealClock(), Clock::RealClock());
}

TEST(ClockTest, SleepIsLongEnough) {
  Clock* const clock = Clock::RealClock();
  const absl::Time start = clock->TimeNow();
  clock->Sleep(absl::Milliseconds(20));
  EXPECT_GE(clock->TimeNow() - start, absl::Milliseconds(20));
}

TEST(ClockTest, SleepUntilWaitsForThatTime) {
  Clock* const clock = Clock::RealClock();
  const absl::Time end = clock->TimeNow() + absl::Milliseconds(20);
  clock->SleepUntil(end);
  EXPECT_GE(clock->TimeNow(), end);
}

TEST(ClockTest, APastTimeIsNotWaitedFor) {
  Clock* const clock = Clock::RealClock();
  const absl::Time start = clock->TimeNow();
  clock->Sleep(-absl::InfiniteDuration());
  clock->SleepUntil(absl::InfinitePast());
  clock->SleepUntil(start);
  EXPECT_LT(clock->TimeNow() - start, absl::Seconds(10));
}

}  // namespace
}  // namespace syncline
