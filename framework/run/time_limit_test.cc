// When max_duration is over: by the graph's clock, from the start of the run.
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

}  // namespace
}  // namespace syncline
