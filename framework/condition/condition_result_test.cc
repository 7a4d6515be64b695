// Which state several conditions come to: every pair, for both combinations.

#include "framework/condition/condition_result.h"

#include <algorithm>
#include <vector>

#include "gtest/gtest.h"

namespace syncline {
namespace {

using State = ConditionState;

std::vector<ConditionResult> OneOfEach() {
  return {ConditionResult::Ready(),
          ConditionResult::WaitUntil(10, "ten"),
          ConditionResult::WaitUntil(20, "twenty"),
          ConditionResult::Wait("wait"),
          ConditionResult::WaitForEvent("event"),
          ConditionResult::WaitForEvent("outside", /*holds_time=*/true),
          ConditionResult::Never("never")};
}

bool Same(const ConditionResult& a, const ConditionResult& b) {
  return a.state == b.state && a.target_ns == b.target_ns &&
         a.holds_time == b.holds_time;
}

TEST(AllOfTest, NeverBeforeEventBeforeWaitBeforeTimeBeforeReady) {
  for (const ConditionResult& a : OneOfEach()) {
    for (const ConditionResult& b : OneOfEach()) {
      EXPECT_EQ(AllOf(a, b).state, std::max(a.state, b.state));
    }
  }
}

TEST(AllOfTest, OfTwoTimesTheLaterCounts) {
  const ConditionResult both = AllOf(ConditionResult::WaitUntil(10, "ten"),
                                     ConditionResult::WaitUntil(20, "twenty"));
  EXPECT_EQ(both.target_ns, 20);
  EXPECT_EQ(both.reason, "twenty");
}

TEST(AllOfTest, AWaitHidesATime) {
  const ConditionResult both = AllOf(ConditionResult::WaitUntil(10, "ten"),
                                     ConditionResult::Wait("wait"));
  EXPECT_EQ(both.state, State::kWait);
  EXPECT_EQ(both.target_ns, ConditionResult::kNoTarget);
  EXPECT_EQ(both.reason, "wait");
}

TEST(AllOfTest, AGroupThatAlsoWaitsForATimeKeepsIt) {
  const ConditionResult group = AnyOf(ConditionResult::WaitUntil(10, "ten"),
                                      ConditionResult::WaitForEvent("event"));
  const ConditionResult both = AllOf(group, ConditionResult::Wait("wait"));
  EXPECT_EQ(both.state, State::kWaitEvent);
  EXPECT_EQ(both.target_ns, 10);
}

TEST(AllOfTest, AnEventFromOutsideHoldsTimeWhateverElseThereIs) {
  for (const ConditionResult& other : OneOfEach()) {
    EXPECT_TRUE(AllOf(other, ConditionResult::WaitForEvent("outside", true))
                    .holds_time);
  }
}

TEST(AnyOfTest, ReadyIfOneIsAndNeverOnlyIfAllAre) {
  for (const ConditionResult& other : OneOfEach()) {
    EXPECT_EQ(AnyOf(other, ConditionResult::Ready()).state, State::kReady);
    EXPECT_EQ(AnyOf(ConditionResult::Ready(), other).state, State::kReady);
    EXPECT_TRUE(Same(AnyOf(other, ConditionResult::Never("")), other));
    EXPECT_TRUE(Same(AnyOf(ConditionResult::Never(""), other), other));
  }
}

TEST(AnyOfTest, WaitsForWhicheverComesFirst) {
  const ConditionResult times = AnyOf(ConditionResult::WaitUntil(20, "twenty"),
                                      ConditionResult::WaitUntil(10, "ten"));
  EXPECT_EQ(times.state, State::kWaitTime);
  EXPECT_EQ(times.target_ns, 10);
  EXPECT_EQ(times.reason, "ten");
  // It is told of the event, and looks again at the time.
  const ConditionResult mixed = AnyOf(ConditionResult::WaitUntil(10, "ten"),
                                      ConditionResult::WaitForEvent("event"));
  EXPECT_EQ(mixed.state, State::kWaitEvent);
  EXPECT_EQ(mixed.target_ns, 10);
}

TEST(AnyOfTest, TimeGoesOnIfItMayBeWhatComesFirst) {
  const ConditionResult outside = ConditionResult::WaitForEvent("o", true);
  EXPECT_FALSE(AnyOf(outside, ConditionResult::WaitUntil(1, "")).holds_time);
  EXPECT_TRUE(AnyOf(outside, outside).holds_time);
}

TEST(ConditionResultTest, CombinationsAreAssociative) {
  for (const ConditionResult& a : OneOfEach()) {
    for (const ConditionResult& b : OneOfEach()) {
      for (const ConditionResult& c : OneOfEach()) {
        EXPECT_TRUE(Same(AllOf(AllOf(a, b), c), AllOf(a, AllOf(b, c))));
        EXPECT_TRUE(Same(AnyOf(AnyOf(a, b), c), AnyOf(a, AnyOf(b, c))));
      }
    }
  }
}

TEST(ConditionResultTest, StatesHaveTheNamesThatReportsShow) {
  EXPECT_EQ(ConditionStateName(State::kReady), "READY");
  EXPECT_EQ(ConditionStateName(State::kWaitTime), "WAIT_TIME");
  EXPECT_EQ(ConditionStateName(State::kWait), "WAIT");
  EXPECT_EQ(ConditionStateName(State::kWaitEvent), "WAIT_EVENT");
  EXPECT_EQ(ConditionStateName(State::kNever), "NEVER");
}

}  // namespace
}  // namespace syncline
