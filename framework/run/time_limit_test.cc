// What ends a run by time: max_duration of the graph's clock, and a quiet time
// that lasts for deadlock_timeout.

#include "framework/run/time_limit.h"

#include <cstdint>
#include <limits>

#include "gtest/gtest.h"

namespace syncline {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

TEST(TimeLimitTest, ThereIsNoneByItself) {
  TimeLimit limit;
  EXPECT_FALSE(limit.is_set());
  EXPECT_FALSE(limit.IsAwaited());
  limit.Start(5, -1);
  EXPECT_FALSE(limit.is_set());
  EXPECT_EQ(limit.end_ns(), TimeLimit::kNone);
  EXPECT_FALSE(limit.HasCome(kMost - 1));
}

TEST(TimeLimitTest, ItsEndComesOnceAndEndsTheRunOnce) {
  TimeLimit limit;
  limit.Start(5, 10);
  EXPECT_TRUE(limit.is_set());
  EXPECT_EQ(limit.end_ns(), 15);
  EXPECT_FALSE(limit.HasCome(14));
  EXPECT_TRUE(limit.HasCome(15));
  EXPECT_TRUE(limit.IsAwaited());
  EXPECT_FALSE(limit.is_over());
  EXPECT_TRUE(limit.ClaimEnd());
  EXPECT_TRUE(limit.is_over());
  EXPECT_FALSE(limit.IsAwaited());
  EXPECT_FALSE(limit.ClaimEnd());
}

TEST(TimeLimitTest, ZeroIsALimitAndALongOneStopsAtTheEndOfTime) {
  TimeLimit none, all;
  none.Start(5, 0);
  EXPECT_TRUE(none.HasCome(5));
  all.Start(5, kMost);
  EXPECT_FALSE(all.is_set());
}

TEST(QuietTimeTest, NeverEndsWithoutTheSetting) {
  QuietTime off(/*stop_on_deadlock=*/false, 10), never(true, -1);
  for (const std::int64_t now_ns : {0, 10, 100}) {
    for (QuietTime* const quiet : {&off, &never}) {
      const QuietTime::Verdict verdict = quiet->Look(1, now_ns);
      EXPECT_FALSE(verdict.ends);
      EXPECT_FALSE(verdict.ask_at_ns.has_value());
    }
  }
}

TEST(QuietTimeTest, EndsAtOnceWithoutATimeout) {
  EXPECT_TRUE(QuietTime(true, 0).Look(1, 100).ends);
}

TEST(QuietTimeTest, EndsWhenOnePeriodHasLastedLongEnough) {
  QuietTime quiet(true, 10);
  EXPECT_FALSE(quiet.Look(0, 100).ends);
  EXPECT_EQ(quiet.Look(0, 101).ask_at_ns, 110) << "since it was first quiet";
  EXPECT_FALSE(quiet.Look(0, 109).ends);
  EXPECT_TRUE(quiet.Look(0, 110).ends);
}

TEST(QuietTimeTest, AnotherPeriodBeginsAnew) {
  QuietTime quiet(true, 10);
  EXPECT_EQ(quiet.Look(1, 100).ask_at_ns, 110);
  EXPECT_EQ(quiet.Look(2, 105).ask_at_ns, 115);
  EXPECT_FALSE(quiet.Look(2, 114).ends);
  EXPECT_EQ(quiet.Look(3, 115).ask_at_ns, 125);
}

}  // namespace
}  // namespace syncline
