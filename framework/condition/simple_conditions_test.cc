// Conditions on counts and periods: exact states and times, for calls that come
// in time and late.
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/condition/condition.h"
#include "framework/condition/condition_test_support.h"
#include "framework/condition/count_condition.h"
#include "framework/condition/periodic_condition.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

constexpr ConditionState kReady = ConditionState::kReady;
constexpr ConditionState kNever = ConditionState::kNever;

// --- CountCondition

struct Count : ConditionUnderTest<CountCondition> {
  explicit Count(absl::string_view options)
      : ConditionUnderTest("CountConditionOptions", options) {}
};

TEST(CountConditionTest, EndsAfterSoManyCalls) {
  Count count("count: 2");
  SYNCLINE_ASSERT_OK(count.Begin());
  EXPECT_EQ(count->remaining(), 2);
  EXPECT_EQ(count.State(), kReady);
  count.Call();
  EXPECT_EQ(count.State(), kReady);
  count.Call();
  EXPECT_EQ(count.State(), kNever);
  EXPECT_EQ(count->remaining(), 0);
  EXPECT_EQ(count->DependsOn(), ConditionDependence::kPackets);
}

TEST(CountConditionTest, IsOneCallByDefaultAndNoneFor0) {
  Count one("");
  SYNCLINE_ASSERT_OK(one.Begin());
  one.Call();
  EXPECT_EQ(one.State(), kNever);
  Count none("count: 0");
  SYNCLINE_ASSERT_OK(none.Begin());
  EXPECT_EQ(none.State(), kNever);
}

TEST(CountConditionTest, ANegativeCountHasNoEnd) {
  Count count("count: -3");
  SYNCLINE_ASSERT_OK(count.Begin());
  for (int i = 0; i < 10; ++i) count.Call();
  EXPECT_EQ(count.State(), kReady);
  EXPECT_EQ(count->remaining(), -3);
}

TEST(CountConditionTest, CountsCallsThatAreOnTheirWay) {
  Count count("count: 2");
  SYNCLINE_ASSERT_OK(count.Begin());
  EXPECT_TRUE(count.Dispatch());
  EXPECT_TRUE(count.Dispatch());
  EXPECT_EQ(count.State(), kNever) << "none of them is over";
  count->OnDispatchUndone();
  EXPECT_EQ(count.State(), kReady);
}

TEST(CountConditionTest, CallsForAnotherReasonDoNotCountBelow0) {
  Count count("count: 0");
  SYNCLINE_ASSERT_OK(count.Begin());
  EXPECT_TRUE(count.Dispatch());
  EXPECT_EQ(count.State(), kNever);
  count->OnDispatchUndone();
  EXPECT_EQ(count.State(), kNever);
}

TEST(CountConditionTest, EachRunHasItsOwnCount) {
  Count count("count: 1");
  SYNCLINE_ASSERT_OK(count.Begin());
  count.Call();
  SYNCLINE_ASSERT_OK(count.Start());
  EXPECT_EQ(count.State(), kReady);
}

// --- PeriodicCondition

struct Periodic : ConditionUnderTest<PeriodicCondition> {
  explicit Periodic(absl::string_view options)
      : ConditionUnderTest("PeriodicConditionOptions", options) {}
};

// When calls happen if each comes as soon as it may, but none between
// `busy_from` and `busy_to`.
std::vector<std::int64_t> Calls(absl::string_view policy, int count,
                                std::int64_t busy_from, std::int64_t busy_to) {
  Periodic periodic(absl::StrCat("recess_period: '10' policy: ", policy));
  EXPECT_TRUE(periodic.Begin().ok());
  std::vector<std::int64_t> calls;
  while (static_cast<int>(calls.size()) < count) {
    const std::int64_t target = periodic.Target();
    if (target >= 0) periodic.At(target);
    const std::int64_t now = periodic.clock().NowNs();
    if (now >= busy_from && now < busy_to) periodic.At(busy_to);
    EXPECT_EQ(periodic.State(), kReady);
    periodic.Call();
    calls.push_back(periodic.clock().NowNs());
  }
  return calls;
}

TEST(PeriodicConditionTest, CatchesUpWithCallsThatItMissed) {
  EXPECT_EQ(Calls("CATCH_UP_MISSED_TICKS", 8, 25, 47),
            (std::vector<std::int64_t>{0, 10, 20, 47, 47, 50, 60, 70}));
}

TEST(PeriodicConditionTest, KeepsADistanceBetweenCalls) {
  EXPECT_EQ(Calls("MIN_TIME_BETWEEN_TICKS", 7, 25, 47),
            (std::vector<std::int64_t>{0, 10, 20, 47, 57, 67, 77}));
}

TEST(PeriodicConditionTest, KeepsTheRhythmWithoutCallsThatItMissed) {
  EXPECT_EQ(Calls("NO_CATCH_UP_MISSED_TICKS", 7, 25, 47),
            (std::vector<std::int64_t>{0, 10, 20, 47, 50, 60, 70}));
  EXPECT_EQ(Calls("NO_CATCH_UP_MISSED_TICKS", 5, 25, 50),
            (std::vector<std::int64_t>{0, 10, 20, 50, 60}));
}

TEST(PeriodicConditionTest, IsDueAtItsTimeAndNotBefore) {
  Periodic periodic("recess_period: '10ms'");
  periodic.At(5);
  SYNCLINE_ASSERT_OK(periodic.Begin());
  EXPECT_EQ(periodic->recess_period_ns(), 10'000'000);
  EXPECT_EQ(periodic->last_run_timestamp(), 0);
  EXPECT_EQ(periodic.State(), kReady) << "the first at once";
  periodic.Call();
  EXPECT_EQ(periodic->last_run_timestamp(), 5);
  EXPECT_EQ(periodic.Target(), 10'000'005);
  periodic.At(10'000'004);
  EXPECT_EQ(periodic.Target(), 10'000'005);
  periodic.At(10'000'005);
  EXPECT_EQ(periodic.State(), kReady);
  EXPECT_EQ(periodic->DependsOn(), ConditionDependence::kClock);
}

TEST(PeriodicConditionTest, ACallThatDidNotComeAboutDoesNotCount) {
  Periodic periodic("recess_period: '10'");
  SYNCLINE_ASSERT_OK(periodic.Begin());
  ASSERT_TRUE(periodic.Dispatch());
  EXPECT_EQ(periodic.Target(), 10);
  periodic->OnDispatchUndone();
  EXPECT_EQ(periodic.State(), kReady);
}

TEST(PeriodicConditionTest, CallsForAnotherReasonLeaveTheRhythmAsItIs) {
  Periodic rhythm("recess_period: '10'");
  Periodic distance("recess_period: '10' policy: MIN_TIME_BETWEEN_TICKS");
  for (Periodic* const periodic : {&rhythm, &distance}) {
    SYNCLINE_ASSERT_OK(periodic->Begin());
    periodic->Call();
    periodic->At(4);
    periodic->Call();
    EXPECT_EQ((*periodic)->last_run_timestamp(), 4);
  }
  EXPECT_EQ(rhythm.Target(), 10);
  EXPECT_EQ(distance.Target(), 14);
}

TEST(PeriodicConditionTest, EachRunBeginsAtOnce) {
  Periodic periodic("recess_period: '10'");
  SYNCLINE_ASSERT_OK(periodic.Begin());
  periodic.Call();
  SYNCLINE_ASSERT_OK(periodic.Start());
  EXPECT_EQ(periodic.State(), kReady);
}

TEST(PeriodicConditionTest, EndsAtTheEndOfTime) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  for (const absl::string_view policy :
       {"CATCH_UP_MISSED_TICKS", "MIN_TIME_BETWEEN_TICKS",
        "NO_CATCH_UP_MISSED_TICKS"}) {
    Periodic periodic(
        absl::StrCat("recess_period: '9223372036854775807' policy: ", policy));
    periodic.At(7);
    SYNCLINE_ASSERT_OK(periodic.Begin());
    periodic.Call();
    EXPECT_EQ(periodic.Target(), kMax) << policy;
  }
}

TEST(PeriodicConditionTest, RefusesWhatIsNoPeriod) {
  for (const absl::string_view options :
       {"", "recess_period: '0'", "recess_period: '-1s'",
        "recess_period: '1 sec'", "recess_period: 'nanHz'"}) {
    Periodic periodic(options);
    EXPECT_THAT(periodic.Initialize(),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("recess_period")))
        << options;
  }
}

TEST(SimpleConditionsTest, AreFoundByTheNamesOfHoloscanAndGxf) {
  for (const absl::string_view name :
       {"CountCondition", "CountSchedulingTerm", "PeriodicCondition",
        "PeriodicSchedulingTerm"}) {
    EXPECT_TRUE(ConditionRegistry::IsRegistered(name)) << name;
  }
}

}  // namespace
}  // namespace syncline
