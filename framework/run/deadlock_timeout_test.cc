// For how long a run may be quiet: a timeout belongs to one period, which it
// outlasts or which something ends.
#include "framework/run/deadlock_timeout.h"

#include <cstdint>
#include <limits>

#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(DeadlockTimeoutTest, NeverEndsWithoutTheSetting) {
  DeadlockTimeout off(/*stop_on_deadlock=*/false, 10), never(true, -1);
  for (const std::int64_t now_ns : {0, 10, 100}) {
    for (DeadlockTimeout* const timeout : {&off, &never}) {
      const DeadlockTimeout::Verdict verdict = timeout->Look(1, now_ns);
      EXPECT_FALSE(verdict.ends);
      EXPECT_FALSE(verdict.ask_at_ns.has_value());
    }
  }
}

TEST(DeadlockTimeoutTest, EndsAtOnceWithoutATimeout) {
  EXPECT_TRUE(DeadlockTimeout(true, 0).Look(1, 100).ends);
}

TEST(DeadlockTimeoutTest, EndsWhenOnePeriodHasLastedLongEnough) {
  DeadlockTimeout timeout(true, 10);
  EXPECT_FALSE(timeout.Look(7, 100).ends);
  EXPECT_EQ(timeout.Look(7, 101).ask_at_ns, 110) << "since it was first quiet";
  EXPECT_FALSE(timeout.Look(7, 109).ends);
  EXPECT_TRUE(timeout.Look(7, 110).ends);
}

TEST(DeadlockTimeoutTest, TheFirstPeriodMayHaveAnyNumber) {
  for (const std::uint64_t period : {0, 1, 7}) {
    DeadlockTimeout timeout(true, 10);
    EXPECT_EQ(timeout.Look(period, 100).ask_at_ns, 110) << period;
    EXPECT_TRUE(timeout.Look(period, 110).ends) << period;
  }
}

TEST(DeadlockTimeoutTest, ALongTimeoutEndsAtTheLastTimeThereIs) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(DeadlockTimeout(true, kMost).Look(1, 100).ask_at_ns, kMost);
}

TEST(DeadlockTimeoutTest, AnotherPeriodBeginsAnew) {
  DeadlockTimeout timeout(true, 10);
  EXPECT_EQ(timeout.Look(1, 100).ask_at_ns, 110);
  EXPECT_EQ(timeout.Look(2, 105).ask_at_ns, 115);
  EXPECT_FALSE(timeout.Look(2, 114).ends);
  EXPECT_EQ(timeout.Look(3, 115).ask_at_ns, 125);
}

}  // namespace
}  // namespace syncline
