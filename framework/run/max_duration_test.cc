// When max_duration is over: by the graph's clock, from the start of the run.
#include "framework/run/max_duration.h"

#include <cstdint>
#include <limits>

#include "gtest/gtest.h"

namespace syncline {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

TEST(MaxDurationTest, ThereIsNoneByItself) {
  MaxDuration duration;
  EXPECT_FALSE(duration.is_set());
  EXPECT_FALSE(duration.IsAwaited());
  duration.Start(5, -1);
  EXPECT_FALSE(duration.is_set());
  EXPECT_EQ(duration.end_ns(), MaxDuration::kNone);
  EXPECT_FALSE(duration.HasCome(kMost - 1));
}

TEST(MaxDurationTest, ItsEndComesOnceAndEndsTheRunOnce) {
  MaxDuration duration;
  duration.Start(5, 10);
  EXPECT_TRUE(duration.is_set());
  EXPECT_EQ(duration.end_ns(), 15);
  EXPECT_FALSE(duration.HasCome(14));
  EXPECT_TRUE(duration.HasCome(15));
  EXPECT_TRUE(duration.IsAwaited());
  EXPECT_FALSE(duration.is_over());
  EXPECT_TRUE(duration.ClaimEnd());
  EXPECT_TRUE(duration.is_over());
  EXPECT_FALSE(duration.IsAwaited());
  EXPECT_FALSE(duration.ClaimEnd());
}

TEST(MaxDurationTest, ZeroEndsTheRunAtOnceAndAVeryLongOneNever) {
  MaxDuration none, all;
  none.Start(5, 0);
  EXPECT_TRUE(none.HasCome(5));
  all.Start(5, kMost);
  EXPECT_FALSE(all.is_set());
}

}  // namespace
}  // namespace syncline
