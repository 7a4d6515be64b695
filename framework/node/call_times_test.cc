#include "framework/node/call_times.h"

#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "framework/node/invocation.h"
#include "framework/node/node_snapshot.h"
#include "framework/scheduler/task.h"
#include "framework/scheduler/wake_up_rule.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;

TEST(CallTimesTest, ShowTheLastCallHowManyRunAndHowLongTheyTook) {
  CallTimes times;
  times.Begin(10);
  times.Begin(20);
  NodeSnapshot snapshot;
  times.AddTo(&snapshot);
  EXPECT_EQ(snapshot.last_start_us, 20);
  EXPECT_EQ(snapshot.last_finish_us, 0);
  EXPECT_EQ(snapshot.running_calls, 2);
  EXPECT_EQ(snapshot.host_time_ns, 0);
  times.End(30, 9000);
  times.AddTo(&snapshot);
  EXPECT_EQ(snapshot.last_start_us, 20);
  EXPECT_EQ(snapshot.last_finish_us, 30);
  EXPECT_EQ(snapshot.running_calls, 1);
  EXPECT_EQ(snapshot.host_time_ns, 9000);
  times.End(31, 500);
  times.AddTo(&snapshot);
  EXPECT_EQ(snapshot.host_time_ns, 9500);
}

class NoteCostTest : public ::testing::Test {
 protected:
  std::uint32_t Cost(std::int64_t elapsed_ns) {
    NoteCost(elapsed_ns, /*always=*/false, &invocation_);
    return invocation_.cost_ns.load();
  }

  Invocation invocation_;
};

TEST_F(NoteCostTest, TheFirstIsTakenAndLaterOnesMixedIn) {
  EXPECT_EQ(invocation_.cost_ns.load(), Task::kUnknownCost);
  EXPECT_EQ(Cost(1000), 1000u);
  EXPECT_EQ(Cost(2000), 1500u);
  EXPECT_EQ(Cost(500), 1000u);
}

TEST_F(NoteCostTest, AnAbsurdCostIsCut) {
  EXPECT_EQ(Cost(std::int64_t{1} << 60) & ~Task::kSleeps, Task::kSleeps - 2);
  EXPECT_NE(invocation_.cost_ns.load(), Task::kUnknownCost);
}

TEST_F(NoteCostTest, ShortCallsAreMeasuredLessAndLessOften) {
  std::vector<int> pauses;
  for (int i = 0; i < 12; ++i) {
    Cost(1);
    EXPECT_EQ(invocation_.calls_to_measure, invocation_.measurement_pause);
    pauses.push_back(invocation_.measurement_pause);
  }
  EXPECT_THAT(pauses, ElementsAre(15, 45, 105, 225, 465, 945, 1905, 3825, 7665,
                                  8192, 8192, 8192));
}

TEST_F(NoteCostTest, LongOnesAndThoseThatAreWatchedAreMeasuredEachTime) {
  Cost(1);
  Cost(kLongTaskNs * 2);
  EXPECT_EQ(invocation_.measurement_pause, 0);
  Cost(1);
  EXPECT_EQ(invocation_.measurement_pause, 15);
  NoteCost(1, /*always=*/true, &invocation_);
  EXPECT_EQ(invocation_.measurement_pause, 0);
  EXPECT_EQ(invocation_.calls_to_measure, 0);
}

TEST_F(NoteCostTest, ExactlyLongIsLong) {
  Cost(kLongTaskNs);
  EXPECT_EQ(invocation_.measurement_pause, 0);
}

// Notes calls of 10 us, of which so much is the processor's, and says whether
// they sleep.
class NoteSleepTest : public NoteCostTest {
 protected:
  bool Sleeps(std::int64_t cpu_us, int waits, int losses = 0) {
    Cost(10000);
    NoteSleep({}, {.cpu_ns = 1000 * cpu_us, .waits = waits, .losses = losses},
              10000, &invocation_);
    return syncline::Sleeps(invocation_);
  }
};

TEST_F(NoteSleepTest, WhoWaitsForHalfOfTheTimeSleeps) {
  EXPECT_TRUE(Sleeps(5, 1));
  EXPECT_FALSE(Sleeps(6, 1)) << "waited only for a moment";
  EXPECT_FALSE(Sleeps(5, 0, 1)) << "lost its core to another thread";
  EXPECT_FALSE(Sleeps(5, 1, 1)) << "and waited for a moment, too";
  EXPECT_TRUE(Sleeps(5, 2, 1));
}

TEST_F(NoteSleepTest, WhatWasFoundOutStaysWhileCallsAreLong) {
  EXPECT_TRUE(Sleeps(0, 1));
  Cost(10000);
  EXPECT_TRUE(syncline::Sleeps(invocation_));
  EXPECT_GE(invocation_.cost_ns.load() & ~Task::kSleeps, 9000u);
  for (int i = 0; i < 3; ++i) Cost(0);
  EXPECT_FALSE(syncline::Sleeps(invocation_)) << "short ones do not sleep";
}

TEST_F(NoteSleepTest, TheKernelIsAskedAboutTheSecondLongCallAndThenOneInEight) {
  EXPECT_FALSE(AsksForSleep(invocation_)) << "never measured";
  Cost(10000);
  EXPECT_TRUE(syncline::Sleeps(invocation_)) << "not known yet";
  for (int round = 0; round < 2; ++round) {
    EXPECT_TRUE(AsksForSleep(invocation_));
    Sleeps(10, 0);
    for (int i = 0; i < 8; ++i) {
      EXPECT_FALSE(AsksForSleep(invocation_)) << i;
      Cost(10000);
    }
  }
}

TEST_F(NoteSleepTest, TheKernelIsNotAskedAboutShortCalls) {
  Cost(1);
  EXPECT_FALSE(AsksForSleep(invocation_));
  NoteSleep({}, {.waits = 1}, 1, &invocation_);
  EXPECT_FALSE(syncline::Sleeps(invocation_));
}

TEST(ThreadUseTest, AThreadThatSleepsWaitsAndUsesNoProcessor) {
  const ThreadUse before = ThreadUse::Now();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const ThreadUse after = ThreadUse::Now();
  EXPECT_GT(after.waits, before.waits);
  EXPECT_LT(after.cpu_ns - before.cpu_ns, 10000000);
}

}  // namespace
}  // namespace syncline
