#include "framework/packet/timestamp.h"

#include <cstdint>
#include <limits>
#include <sstream>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "framework/base/misuse.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr std::int64_t kInt64Min = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kInt64Max = std::numeric_limits<std::int64_t>::max();

// The status of a call that may be a misuse.
template <typename Code>
absl::Status StatusOf(Code code) {
  return CallUserCode([&code] {
    (void)code();
    return absl::OkStatus();
  });
}

const std::vector<Timestamp>& AllSpecials() {
  static const auto& specials = *new std::vector<Timestamp>(
      {Timestamp::Unset(), Timestamp::Unstarted(), Timestamp::PreStream(),
       Timestamp::Min(), Timestamp::Max(), Timestamp::PostStream(),
       Timestamp::OneOverPostStream(), Timestamp::Done()});
  return specials;
}

TEST(TimestampTest, SpecialValuesHaveTheirNumbersInOrder) {
  EXPECT_EQ(Timestamp::Unset().Value(), kInt64Min);
  EXPECT_EQ(Timestamp::Unstarted().Value(), kInt64Min + 1);
  EXPECT_EQ(Timestamp::PreStream().Value(), kInt64Min + 2);
  EXPECT_EQ(Timestamp::Min().Value(), kInt64Min + 3);
  EXPECT_EQ(Timestamp::Max().Value(), kInt64Max - 3);
  EXPECT_EQ(Timestamp::PostStream().Value(), kInt64Max - 2);
  EXPECT_EQ(Timestamp::OneOverPostStream().Value(), kInt64Max - 1);
  EXPECT_EQ(Timestamp::Done().Value(), kInt64Max);
  EXPECT_EQ(Timestamp(), Timestamp::Unset());
}

TEST(TimestampTest, PredicatesSeparateSpecialRangeAndAllowed) {
  struct Row {
    Timestamp timestamp;
    bool special, range, allowed;
  };
  for (const Row& row : std::vector<Row>{
           {Timestamp::Unset(), true, false, false},
           {Timestamp::Unstarted(), true, false, false},
           {Timestamp::PreStream(), true, false, true},
           {Timestamp::Min(), true, true, true},
           {Timestamp::CreateNoErrorChecking(kInt64Min + 4), false, true, true},
           {Timestamp(0), false, true, true},
           {Timestamp::CreateNoErrorChecking(kInt64Max - 4), false, true, true},
           {Timestamp::Max(), true, true, true},
           {Timestamp::PostStream(), true, false, true},
           {Timestamp::OneOverPostStream(), true, false, false},
           {Timestamp::Done(), true, false, false}}) {
    EXPECT_EQ(row.timestamp.IsSpecialValue(), row.special) << row.timestamp;
    EXPECT_EQ(row.timestamp.IsRangeValue(), row.range) << row.timestamp;
    EXPECT_EQ(row.timestamp.IsAllowedInStream(), row.allowed) << row.timestamp;
  }
}

TEST(TimestampTest, ANumberOfASpecialValueIsAMisuse) {
  for (const Timestamp special : AllSpecials()) {
    EXPECT_THAT(StatusOf([special] { return Timestamp(special.Value()); }),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         AllOf(HasSubstr(std::to_string(special.Value())),
                               HasSubstr(special.DebugString()))));
    EXPECT_EQ(Timestamp::CreateNoErrorChecking(special.Value()), special);
  }
  EXPECT_EQ(Timestamp(kInt64Min + 4).Value(), kInt64Min + 4);
  EXPECT_EQ(Timestamp(kInt64Max - 4).Value(), kInt64Max - 4);
}

TEST(TimestampDeathTest, OutsideOfACalculatorMisuseEndsTheProcess) {
  EXPECT_DEATH(Timestamp{kInt64Max}, "Timestamp::Done\\(\\)");
}

TEST(TimestampTest, ComparesInOrder) {
  std::vector<Timestamp> ordered = AllSpecials();
  ordered.insert(ordered.begin() + 4, {Timestamp(-1), Timestamp(1)});
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    for (std::size_t j = 0; j < ordered.size(); ++j) {
      EXPECT_EQ(ordered[i] == ordered[j], i == j);
      EXPECT_EQ(ordered[i] != ordered[j], i != j);
      EXPECT_EQ(ordered[i] < ordered[j], i < j);
      EXPECT_EQ(ordered[i] <= ordered[j], i <= j);
      EXPECT_EQ(ordered[i] > ordered[j], i > j);
      EXPECT_EQ(ordered[i] >= ordered[j], i >= j);
    }
  }
}

TEST(TimestampTest, SecondsAndMillisecondsRoundToTheNearestMicrosecond) {
  EXPECT_EQ(Timestamp::FromSeconds(1.5), Timestamp(1500000));
  EXPECT_EQ(Timestamp::FromSeconds(-0.0000014), Timestamp(-1));
  EXPECT_EQ(Timestamp::FromSeconds(0.0000025), Timestamp(3));
  EXPECT_EQ(Timestamp::FromMilliseconds(0.5), Timestamp(500));
  EXPECT_EQ(Timestamp::FromMilliseconds(-2.0006), Timestamp(-2001));
  EXPECT_EQ(Timestamp::FromMicroseconds(7), Timestamp(7));
  EXPECT_EQ(Timestamp(1500000).Seconds(), 1.5);
  EXPECT_EQ(Timestamp(1500).Milliseconds(), 1.5);
  EXPECT_EQ(Timestamp(1500).Microseconds(), 1500);
  EXPECT_EQ(Timestamp::kTimestampUnitsPerSecond, 1e6);
  EXPECT_EQ(Timestamp::kTimestampUnitsPerMillisecond, 1000);
}

TEST(TimestampTest, SecondsThatAreNoTimeAreAMisuse) {
  for (const double seconds : {1e300, -1e300, 9223372036855.0, -9223372036855.0,
                               std::numeric_limits<double>::infinity(),
                               std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THAT(StatusOf([&] { return Timestamp::FromSeconds(seconds); }),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("Timestamp::FromSeconds(")));
    EXPECT_THAT(StatusOf([&] {
                  return TimestampDiff::FromMilliseconds(1e3 * seconds);
                }),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("TimestampDiff::FromMilliseconds(")));
  }
}

TEST(TimestampTest, AddingADifferenceStopsAtTheEndsOfTheRange) {
  EXPECT_EQ(Timestamp(5) + 3, Timestamp(8));
  EXPECT_EQ(Timestamp(5) - 3, Timestamp(2));
  EXPECT_EQ(TimestampDiff(3) + Timestamp(5), Timestamp(8));
  EXPECT_EQ(Timestamp::Max() + 1, Timestamp::Max());
  EXPECT_EQ(Timestamp::Min() - 1, Timestamp::Min());
  EXPECT_EQ(Timestamp::Max() + kInt64Max, Timestamp::Max());
  EXPECT_EQ(Timestamp::Min() - kInt64Max, Timestamp::Min());
  EXPECT_EQ(Timestamp::Min() + kInt64Min, Timestamp::Min());
  EXPECT_EQ(Timestamp::Max() - kInt64Min, Timestamp::Max());
  EXPECT_EQ(Timestamp(0) + kInt64Max, Timestamp::Max());
  EXPECT_EQ(Timestamp(0) + kInt64Min, Timestamp::Min());
  EXPECT_EQ(Timestamp(0) - kInt64Min, Timestamp::Max());
  EXPECT_EQ(Timestamp(1) + (kInt64Max - 4), Timestamp::Max());
  EXPECT_EQ((Timestamp(0) + (kInt64Max - 4)).Value(), kInt64Max - 4);
  EXPECT_EQ(Timestamp::Min() + 1, Timestamp(kInt64Min + 4));
}

TEST(TimestampTest, StepsAndAssignmentsGoTheSameWay) {
  Timestamp timestamp(5);
  EXPECT_EQ(timestamp += 3, Timestamp(8));
  EXPECT_EQ(timestamp -= 10, Timestamp(-2));
  EXPECT_EQ(++timestamp, Timestamp(-1));
  EXPECT_EQ(timestamp++, Timestamp(-1));
  EXPECT_EQ(--timestamp, Timestamp(-1));
  EXPECT_EQ(timestamp--, Timestamp(-1));
  EXPECT_EQ(timestamp, Timestamp(-2));
  Timestamp max = Timestamp::Max();
  EXPECT_EQ(++max, Timestamp::Max());
}

TEST(TimestampTest, TheDifferenceOfRangeValuesIsExact) {
  EXPECT_EQ(Timestamp(8) - Timestamp(5), TimestampDiff(3));
  EXPECT_EQ(Timestamp(-8) - Timestamp(5), TimestampDiff(-13));
  EXPECT_EQ(Timestamp::Max() - Timestamp(0), TimestampDiff(kInt64Max - 3));
  EXPECT_THAT(StatusOf([] { return Timestamp::Max() - Timestamp::Min(); }),
              StatusIs(absl::StatusCode::kOutOfRange,
                       HasSubstr("does not fit in 64 bits")));
}

TEST(TimestampTest, ArithmeticOnOtherSpecialValuesIsAMisuseThatNamesThem) {
  for (const Timestamp special : AllSpecials()) {
    if (special.IsRangeValue()) continue;
    const auto fails = StatusIs(absl::StatusCode::kInvalidArgument,
                                HasSubstr(special.DebugString()));
    EXPECT_THAT(StatusOf([&] { return special + 1; }), fails);
    EXPECT_THAT(StatusOf([&] { return special - TimestampDiff(1); }), fails);
    EXPECT_THAT(StatusOf([&] { return special - Timestamp(1); }), fails);
    EXPECT_THAT(StatusOf([&] { return Timestamp(1) - special; }), fails);
    EXPECT_THAT(StatusOf([&] { return TimestampDiff(1) + special; }), fails);
    Timestamp copy = special;
    EXPECT_THAT(StatusOf([&] { return ++copy; }), fails);
    EXPECT_THAT(StatusOf([&] { return copy -= 1; }), fails);
    EXPECT_EQ(copy, special);
  }
}

TEST(TimestampTest, NextAllowedInStream) {
  const Timestamp over = Timestamp::OneOverPostStream();
  EXPECT_EQ(Timestamp::Unset().NextAllowedInStream(), Timestamp::Min());
  EXPECT_EQ(Timestamp::Unstarted().NextAllowedInStream(), Timestamp::Min());
  EXPECT_EQ(Timestamp::PreStream().NextAllowedInStream(), over);
  EXPECT_EQ(Timestamp::Min().NextAllowedInStream(), Timestamp::Min() + 1);
  EXPECT_EQ(Timestamp(7).NextAllowedInStream(), Timestamp(8));
  EXPECT_EQ((Timestamp::Max() - 1).NextAllowedInStream(), Timestamp::Max());
  EXPECT_EQ(Timestamp::Max().NextAllowedInStream(), over);
  EXPECT_EQ(Timestamp::PostStream().NextAllowedInStream(), over);
  EXPECT_EQ(over.NextAllowedInStream(), over);
  EXPECT_EQ(Timestamp::Done().NextAllowedInStream(), over);
}

TEST(TimestampTest, HasNextAllowedInStream) {
  for (const Timestamp special : AllSpecials()) {
    const bool has_next =
        special < Timestamp::Max() && special != Timestamp::PreStream();
    EXPECT_EQ(special.HasNextAllowedInStream(), has_next) << special;
  }
  EXPECT_TRUE(Timestamp(0).HasNextAllowedInStream());
  EXPECT_TRUE((Timestamp::Max() - 1).HasNextAllowedInStream());
}

TEST(TimestampTest, PreviousAllowedInStream) {
  const Timestamp unstarted = Timestamp::Unstarted();
  EXPECT_EQ(Timestamp::Unset().PreviousAllowedInStream(), unstarted);
  EXPECT_EQ(unstarted.PreviousAllowedInStream(), unstarted);
  EXPECT_EQ(Timestamp::PreStream().PreviousAllowedInStream(), unstarted);
  EXPECT_EQ(Timestamp::Min().PreviousAllowedInStream(), unstarted);
  EXPECT_EQ((Timestamp::Min() + 1).PreviousAllowedInStream(), Timestamp::Min());
  EXPECT_EQ(Timestamp(7).PreviousAllowedInStream(), Timestamp(6));
  EXPECT_EQ(Timestamp::Max().PreviousAllowedInStream(), Timestamp::Max() - 1);
  EXPECT_EQ(Timestamp::PostStream().PreviousAllowedInStream(), unstarted);
  EXPECT_EQ(Timestamp::OneOverPostStream().PreviousAllowedInStream(),
            Timestamp::Max());
  EXPECT_EQ(Timestamp::Done().PreviousAllowedInStream(), Timestamp::Max());
}

TEST(TimestampTest, DebugStringNamesSpecialValues) {
  EXPECT_EQ(Timestamp(-12).DebugString(), "-12");
  EXPECT_EQ(Timestamp::Unset().DebugString(), "Timestamp::Unset()");
  EXPECT_EQ(Timestamp::Unstarted().DebugString(), "Timestamp::Unstarted()");
  EXPECT_EQ(Timestamp::PreStream().DebugString(), "Timestamp::PreStream()");
  EXPECT_EQ(Timestamp::Min().DebugString(), "Timestamp::Min()");
  EXPECT_EQ(Timestamp::Max().DebugString(), "Timestamp::Max()");
  EXPECT_EQ(Timestamp::PostStream().DebugString(), "Timestamp::PostStream()");
  EXPECT_EQ(Timestamp::OneOverPostStream().DebugString(),
            "Timestamp::OneOverPostStream()");
  EXPECT_EQ(Timestamp::Done().DebugString(), "Timestamp::Done()");
  std::ostringstream out;
  out << Timestamp(3) << " " << Timestamp::Done() << " " << TimestampDiff(4);
  EXPECT_EQ(out.str(), "3 Timestamp::Done() 4");
}

TEST(TimestampTest, IsAConstantAndAKey) {
  constexpr Timestamp kLater = Timestamp(5) + 3;
  static_assert(kLater == Timestamp(8));
  static_assert(kLater - Timestamp(5) == TimestampDiff(3));
  static_assert(kLater.NextAllowedInStream() == Timestamp(9));
  static_assert(sizeof(Timestamp) == 8 && sizeof(TimestampDiff) == 8);
  const absl::flat_hash_set<Timestamp> set = {Timestamp(1), Timestamp(1),
                                              Timestamp::Done()};
  EXPECT_EQ(set.size(), 2u);
  const absl::flat_hash_set<TimestampDiff> differences = {1, 1, 2};
  EXPECT_EQ(differences.size(), 2u);
}

TEST(TimestampDiffTest, AddsAndNegates) {
  EXPECT_EQ(TimestampDiff(), TimestampDiff(0));
  EXPECT_EQ(TimestampDiff(5) + 3, TimestampDiff(8));
  EXPECT_EQ(TimestampDiff(5) - 8, TimestampDiff(-3));
  EXPECT_EQ(-TimestampDiff(5), TimestampDiff(-5));
  TimestampDiff difference = 1;
  difference += 4;
  difference -= 2;
  EXPECT_EQ(difference, 3);
  EXPECT_LT(difference, 4);
}

TEST(TimestampDiffTest, OverflowIsAMisuseThatNamesTheValues) {
  const TimestampDiff min(kInt64Min);
  const TimestampDiff max(kInt64Max);
  const auto overflows =
      StatusIs(absl::StatusCode::kOutOfRange,
               AllOf(HasSubstr("64 bits"), HasSubstr("922337203685477580")));
  EXPECT_THAT(StatusOf([&] { return max + 1; }), overflows);
  EXPECT_THAT(StatusOf([&] { return min - 1; }), overflows);
  EXPECT_THAT(StatusOf([&] { return -min; }), overflows);
}

TEST(TimestampDiffTest, ConvertsLikeATimestamp) {
  EXPECT_EQ(TimestampDiff::FromSeconds(-1.5), TimestampDiff(-1500000));
  EXPECT_EQ(TimestampDiff::FromMilliseconds(0.0006), TimestampDiff(1));
  EXPECT_EQ(TimestampDiff::FromMicroseconds(7).Value(), 7);
  EXPECT_EQ(TimestampDiff(1500000).Seconds(), 1.5);
  EXPECT_EQ(TimestampDiff(1500).Milliseconds(), 1.5);
  EXPECT_EQ(TimestampDiff(1500).Microseconds(), 1500);
}

TEST(TimestampDiffTest, UnsetIsNoOffset) {
  EXPECT_EQ(TimestampDiff::Unset().Value(), kInt64Min);
  EXPECT_EQ(TimestampDiff::Unset().DebugString(), "TimestampDiff::Unset()");
  EXPECT_EQ(TimestampDiff(-3).DebugString(), "-3");
}

}  // namespace
}  // namespace syncline
