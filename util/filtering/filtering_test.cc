// The filters: LowPassFilter, OneEuroFilter, RelativeVelocityFilter.

#include <cmath>
#include <limits>

#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "util/filtering/low_pass_filter.h"
#include "util/filtering/one_euro_filter.h"
#include "util/filtering/relative_velocity_filter.h"

namespace syncline {
namespace {

absl::Duration Frame(int n) { return absl::Microseconds(33333) * n; }

TEST(LowPassFilterTest, TheFirstValueIsTakenAsItIs) {
  LowPassFilter filter(0.5f);
  EXPECT_FALSE(filter.HasLastRawValue());
  EXPECT_EQ(filter.Apply(100), 100);
  EXPECT_TRUE(filter.HasLastRawValue());
}

TEST(LowPassFilterTest, FollowsSlowly) {
  LowPassFilter filter(0.25f);
  filter.Apply(2);
  EXPECT_FLOAT_EQ(filter.Apply(10), 4);
  EXPECT_EQ(filter.LastRawValue(), 10);
  EXPECT_FLOAT_EQ(filter.LastValue(), 4);
  EXPECT_FLOAT_EQ(filter.ApplyWithAlpha(10, 0.5f), 7);
  EXPECT_FLOAT_EQ(filter.Apply(9), 8);
}

TEST(LowPassFilterTest, AnAlphaOutOfRangeChangesNothing) {
  LowPassFilter filter(0.5f);
  filter.Apply(0);
  for (const float alpha : {-0.1f, 1.1f, std::nanf("")}) {
    const float before = filter.LastValue();
    EXPECT_FLOAT_EQ(filter.ApplyWithAlpha(100, alpha), (before + 100) / 2);
  }
  LowPassFilter still(7);
  still.Apply(1);
  EXPECT_EQ(still.Apply(100), 1);
}

TEST(OneEuroFilterTest, AValueThatStandsStaysAndOneThatTremblesIsCalmed) {
  OneEuroFilter filter(30, 1, 0, 1);
  EXPECT_EQ(filter.Apply(Frame(1), 5), 5);
  EXPECT_FLOAT_EQ(filter.Apply(Frame(2), 5), 5);
  const double after = filter.Apply(Frame(3), 6);
  EXPECT_GT(after, 5);
  EXPECT_LT(after, 5.3);
}

TEST(OneEuroFilterTest, FollowsFastChangesFaster) {
  OneEuroFilter calm(30, 1, 0, 1);
  OneEuroFilter quick(30, 1, 10, 1);
  for (int i = 1; i < 10; ++i) {
    calm.Apply(Frame(i), 0);
    quick.Apply(Frame(i), 0);
  }
  const double slow = calm.Apply(Frame(10), 100);
  const double fast = quick.Apply(Frame(10), 100);
  EXPECT_LT(slow, 50);
  EXPECT_GT(fast, 90);
}

TEST(OneEuroFilterTest, TimeThatDoesNotIncreaseChangesNothing) {
  OneEuroFilter filter(30, 1, 0, 1);
  filter.Apply(Frame(2), 5);
  EXPECT_EQ(filter.Apply(Frame(2), 100), 100);
  EXPECT_EQ(filter.Apply(Frame(1), 100), 100);
  EXPECT_FLOAT_EQ(filter.Apply(Frame(3), 5), 5);
}

TEST(OneEuroFilterTest, BeginsAfterTimeZero) {
  OneEuroFilter filter(30, 1, 0, 1);
  EXPECT_EQ(filter.Apply(-absl::Seconds(1), 3), 3);
  EXPECT_EQ(filter.Apply(absl::ZeroDuration(), 5), 5);
  EXPECT_EQ(filter.Apply(Frame(1), 6), 6);
  const double after = filter.Apply(Frame(2), 7);
  EXPECT_GT(after, 6);
  EXPECT_LT(after, 6.3);
}

// 0.1 s later the weight is 1 / (1 + 10 / (2 pi)), whatever the first frequency
// is.
TEST(OneEuroFilterTest, TimestampsTellTheFrequency) {
  for (const double frequency : {1, 30, 1000}) {
    OneEuroFilter filter(frequency, 1, 0, 1);
    filter.Apply(absl::Seconds(5), 0);
    EXPECT_NEAR(filter.Apply(absl::Seconds(5.1), 1), 0.38587, 1e-5);
  }
}

TEST(OneEuroFilterTest, SettingsOutOfRangeAreReplaced) {
  OneEuroFilter filter(0, -1, 0, std::numeric_limits<double>::quiet_NaN());
  filter.Apply(Frame(1), 5);
  EXPECT_TRUE(std::isfinite(filter.Apply(Frame(2), 6)));
}

TEST(RelativeVelocityFilterTest, WithoutAWeightTheFirstValueStays) {
  RelativeVelocityFilter filter(5, 0);
  EXPECT_EQ(filter.Apply(Frame(1), 1, 95.5f), 95.5f);
  EXPECT_EQ(filter.Apply(Frame(2), 1, 200.5f), 95.5f);
  EXPECT_EQ(filter.Apply(Frame(3), 1, 1000.5f), 95.5f);
}

TEST(RelativeVelocityFilterTest, AGreatWeightPassesEverything) {
  RelativeVelocityFilter filter(1, std::numeric_limits<float>::max());
  EXPECT_EQ(filter.Apply(Frame(1), 1, 95.5f), 95.5f);
  EXPECT_FLOAT_EQ(filter.Apply(Frame(2), 1, 200.5f), 200.5f);
}

TEST(RelativeVelocityFilterTest, TheSpeedIsThatOfTheLastChanges) {
  // One change: 3 in a hundredth of a second, times a weight of 0.01, is 3.
  RelativeVelocityFilter filter(5, 0.01f);
  filter.Apply(absl::Milliseconds(10), 1, 0);
  EXPECT_FLOAT_EQ(filter.Apply(absl::Milliseconds(20), 1, 3), 0.75f * 3);
  // Two changes: 3 in two hundredths of a second.
  EXPECT_FLOAT_EQ(filter.Apply(absl::Milliseconds(30), 1, 3),
                  0.6f * 3 + 0.4f * 2.25f);
}

TEST(RelativeVelocityFilterTest, AfterAPauseOnlyTheLastChangeCounts) {
  RelativeVelocityFilter filter(5, 1);
  filter.Apply(absl::Milliseconds(10), 1, 0);
  filter.Apply(absl::Milliseconds(20), 1, 100);
  const float last = filter.Apply(absl::Seconds(20), 1, 100);
  // At a speed of 0, nothing of the new value passes.
  EXPECT_EQ(filter.Apply(absl::Seconds(40), 1, 500) < 500, true);
  EXPECT_LT(last, 100);
}

TEST(RelativeVelocityFilterTest, DistancesAreMeasuredInTheModeItIsTold) {
  // The object becomes half as large, and the value does not change.
  RelativeVelocityFilter each_by_its_own(5, 1);
  RelativeVelocityFilter by_the_later(
      5, 1, RelativeVelocityFilter::DistanceEstimationMode::kForceCurrentScale);
  each_by_its_own.Apply(Frame(1), 1, 100);
  by_the_later.Apply(Frame(1), 1, 100);
  EXPECT_EQ(by_the_later.Apply(Frame(2), 2, 100), 100);
  EXPECT_GT(each_by_its_own.Apply(Frame(2), 2, 101), 100.5f);
}

TEST(RelativeVelocityFilterTest, TimeThatDoesNotIncreaseChangesNothing) {
  RelativeVelocityFilter filter(5, 1);
  filter.Apply(Frame(2), 1, 5);
  EXPECT_EQ(filter.Apply(Frame(2), 1, 100), 100);
  EXPECT_EQ(filter.Apply(Frame(1), 1, 100), 100);
}

}  // namespace
}  // namespace syncline
