#include "framework/policy/timeout_policy.h"

#include <cstdint>
#include <deque>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/input_policy.h"
#include "framework/policy/policy_test_support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using AtTimeout = TimeoutPolicy::AtTimeout;

// A policy with a timeout of 100 ns, and when its packets arrived.
class TimedDriver {
 public:
  explicit TimedDriver(const std::string& since, bool with_bounds = false)
      : driver_("TimeoutInputStreamHandler", {"A:a", "B:b"},
                absl::StrCat("[syncline.TimeoutInputStreamHandlerOptions.ext] "
                             "{ timeout_ns: 100 since: ",
                             since, " }"),
                with_bounds),
        arrivals_(2) {}

  void Add(const std::string& port, Timestamp timestamp,
           std::int64_t now_ns = 0) {
    driver_.Add(port, timestamp);
    arrivals_[driver_.Port(port)].push_back(now_ns);
  }
  void Add(const std::string& port, int timestamp, std::int64_t now_ns = 0) {
    Add(port, Timestamp(timestamp), now_ns);
  }
  std::int64_t Deadline(std::int64_t now_ns) {
    Trim();
    return policy().Deadline(now_ns, arrivals_);
  }
  // All calls once the time is up.
  std::vector<std::string> TimeIsUp(std::int64_t now_ns) {
    EXPECT_THAT(driver_.Calls(), IsEmpty());
    Trim();
    policy().TimeIsUp(now_ns, arrivals_);
    return driver_.Calls();
  }

  PolicyDriver& driver() { return driver_; }
  TimeoutPolicy& policy() { return *driver_.policy().AsTimeoutPolicy(); }

 private:
  void Trim() {
    for (int port = 0; port < 2; ++port) {
      const auto size = static_cast<size_t>(driver_.queue(port).size());
      while (arrivals_[port].size() > size) arrivals_[port].pop_front();
    }
  }

  PolicyDriver driver_;
  std::vector<std::deque<std::int64_t>> arrivals_;
};

TEST(TimeoutPolicyTest, WhatIsSettledGoesWithoutATimeoutAsWithDefault) {
  TimedDriver timed("OLDEST_PACKET");
  timed.Add("A", 10);
  timed.Add("B", 10);
  timed.Add("B", 15);
  timed.driver().Bound("A", 16);
  EXPECT_THAT(timed.driver().Calls(),
              ElementsAre("10: A=10 B=10", "15: A<15 B=15"));
  timed.driver().Close("A");
  timed.driver().Close("B");
  EXPECT_THAT(timed.driver().Calls(), ElementsAre("Close"));
}

TEST(TimeoutPolicyTest, OldestPacketWaitsFromTheFirstArrivalThatStillWaits) {
  TimedDriver timed("OLDEST_PACKET");
  EXPECT_EQ(timed.policy().at_timeout(), AtTimeout::kNothing);
  timed.Add("A", 10, 5);
  timed.Add("A", 20, 35);
  EXPECT_EQ(timed.policy().at_timeout(), AtTimeout::kPackets);
  EXPECT_EQ(timed.Deadline(40), 105);
  timed.Add("B", 10, 50);
  EXPECT_THAT(timed.driver().Calls(), ElementsAre("10: A=10 B=10"));
  EXPECT_EQ(timed.Deadline(60), 135);
}

TEST(TimeoutPolicyTest, OldestPacketLetsGoOnlyWhatHasWaitedLongEnough) {
  TimedDriver timed("OLDEST_PACKET");
  timed.Add("A", 10, 0);
  timed.Add("A", 12, 1);
  timed.Add("A", 20, 30);
  EXPECT_THAT(timed.TimeIsUp(99), IsEmpty());
  EXPECT_THAT(timed.TimeIsUp(101),
              ElementsAre("10: A=10 B<12", "12: A=12 B<12"));
  // In time for what has not.
  timed.Add("B", 20, 110);
  EXPECT_THAT(timed.driver().Calls(), ElementsAre("20: A=20 B=20"));
}

TEST(TimeoutPolicyTest, WhatLiesBelowASettledTimeGoesFirst) {
  TimedDriver timed("OLDEST_PACKET");
  timed.Add("A", 10, 0);
  timed.Add("B", 5, 60);
  EXPECT_THAT(timed.driver().Calls(), ElementsAre("5: A<9 B=5"));
  timed.Add("B", 7, 70);
  EXPECT_THAT(timed.driver().Calls(), ElementsAre("7: A<9 B=7"));
  EXPECT_THAT(timed.TimeIsUp(100), ElementsAre("10: A=10 B<10"));
}

TEST(TimeoutPolicyTest, WhatComesAtOrBelowASettledTimeIsLate) {
  TimedDriver timed("OLDEST_PACKET");
  timed.Add("A", 10, 0);
  EXPECT_FALSE(timed.policy().IsLate(1, Timestamp(8)));
  EXPECT_THAT(timed.TimeIsUp(100), ElementsAre("10: A=10 B<10"));
  EXPECT_TRUE(timed.policy().IsLate(1, Timestamp(8)));
  EXPECT_TRUE(timed.policy().IsLate(1, Timestamp(10)));
  EXPECT_FALSE(timed.policy().IsLate(1, Timestamp(11)));
  // The stream itself went past 10: what goes back there is an error.
  EXPECT_FALSE(timed.policy().IsLate(0, Timestamp(8)));
}

TEST(TimeoutPolicyTest, LastCallWaitsFromTheMomentThatTheWaitBegins) {
  TimedDriver timed("LAST_CALL");
  EXPECT_EQ(timed.policy().at_timeout(), AtTimeout::kEmptyCall);
  EXPECT_EQ(timed.Deadline(7), 107);
  EXPECT_EQ(timed.Deadline(std::numeric_limits<std::int64_t>::max() - 1),
            std::numeric_limits<std::int64_t>::max());
}

TEST(TimeoutPolicyTest, LastCallLetsAllGoThatOnlySilentStreamsKeep) {
  TimedDriver timed("LAST_CALL");
  for (const int time : {10, 20, 30}) timed.Add("A", time);
  EXPECT_EQ(timed.policy().at_timeout(), AtTimeout::kPackets);
  EXPECT_THAT(timed.TimeIsUp(100),
              ElementsAre("10: A=10 B<30", "20: A=20 B<30", "30: A=30 B<30"));
}

TEST(TimeoutPolicyTest, LastCallSettlesNoMoreThanThePacketsNeed) {
  TimedDriver timed("LAST_CALL");
  timed.Add("A", 10);
  timed.driver().Bound("A", 500);
  EXPECT_THAT(timed.TimeIsUp(100), ElementsAre("10: A=10 B<10"));
  timed.Add("B", 11);
  EXPECT_THAT(timed.driver().Calls(), ElementsAre("11: A<499 B=11"));
}

TEST(TimeoutPolicyTest, LastCallWithoutPacketsIsJustBelowTheLowestBound) {
  TimedDriver timed("LAST_CALL");
  EXPECT_THAT(timed.TimeIsUp(100),
              ElementsAre("Unstarted: A<Unstarted B<Unstarted"));
  timed.driver().Bound("A", 11);
  timed.driver().Bound("B", 5);
  EXPECT_THAT(timed.TimeIsUp(200), ElementsAre("4: A<10 B<4"));
  // Nothing is settled by it, and it may come again.
  EXPECT_FALSE(timed.policy().IsLate(1, Timestamp(5)));
  EXPECT_THAT(timed.TimeIsUp(300), ElementsAre("4: A<10 B<4"));
  timed.Add("B", 5);
  EXPECT_THAT(timed.driver().Calls(), ElementsAre("5: A<10 B=5"));
}

TEST(TimeoutPolicyTest, ASetThatIsSettledMeanwhileTakesThePlaceOfAnEmptyOne) {
  TimedDriver timed("LAST_CALL");
  timed.driver().Bound("A", 11);
  timed.policy().TimeIsUp(100, {});
  timed.Add("B", 3);
  EXPECT_THAT(timed.driver().Calls(), ElementsAre("3: A<10 B=3"));
}

TEST(TimeoutPolicyTest, NothingIsCalledAfterTheEnd) {
  TimedDriver timed("LAST_CALL");
  timed.policy().TimeIsUp(100, {});
  timed.driver().Close("A");
  timed.driver().Close("B");
  EXPECT_THAT(timed.driver().Calls(), ElementsAre("Close"));
}

TEST(TimeoutPolicyTest, PreStreamIsSettledUpToMin) {
  for (const char* const since : {"LAST_CALL", "OLDEST_PACKET"}) {
    SCOPED_TRACE(since);
    TimedDriver timed(since);
    timed.Add("A", Timestamp::PreStream());
    EXPECT_THAT(timed.TimeIsUp(100), ElementsAre("PreStream: A=0 B<Unstarted"));
    // Only the stream that had it has ended.
    timed.Add("B", Timestamp::Min());
    EXPECT_THAT(timed.driver().Calls(), ElementsAre("Min: A<Max B=0"));
  }
}

TEST(TimeoutPolicyTest, WhatIsAtPostStreamWaitsForTheEndOfTheOthers) {
  TimedDriver oldest("OLDEST_PACKET");
  oldest.Add("A", Timestamp::PostStream());
  EXPECT_EQ(oldest.policy().at_timeout(), AtTimeout::kNothing);
  TimedDriver last("LAST_CALL");
  last.Add("A", Timestamp::PostStream());
  EXPECT_EQ(last.policy().at_timeout(), AtTimeout::kEmptyCall);
  last.driver().Bound("B", 7);
  EXPECT_THAT(last.TimeIsUp(100), ElementsAre("6: A<Unstarted B<6"));
  last.driver().Bound("B", Timestamp::PostStream());
  EXPECT_THAT(last.TimeIsUp(200), ElementsAre("Max: A<Unstarted B<Unstarted"));
  last.driver().Close("B");
  EXPECT_EQ(last.driver().Calls().front().substr(0, 11), "PostStream:");
}

TEST(TimeoutPolicyTest, AStreamThatIsSettledAtMaxMayStillHavePostStream) {
  TimedDriver timed("OLDEST_PACKET");
  timed.Add("A", Timestamp::Max());
  EXPECT_EQ(timed.TimeIsUp(100).size(), 1);
  timed.Add("B", Timestamp::PostStream());
  EXPECT_EQ(timed.driver().Calls().front().substr(0, 11), "PostStream:");
}

TEST(TimeoutPolicyTest, BoundsAreProcessedBesidesTimeouts) {
  TimedDriver timed("LAST_CALL", /*with_bounds=*/true);
  timed.driver().Bound("A", 11);
  timed.driver().Bound("B", 5);
  EXPECT_THAT(timed.driver().Calls(), ElementsAre("4: A<10 B<4"));
  EXPECT_THAT(timed.TimeIsUp(100), ElementsAre("4: A<10 B<4"));
  timed.Add("A", 20);
  EXPECT_THAT(timed.TimeIsUp(200), ElementsAre("20: A=20 B<20"));
}

TEST(TimeoutPolicyTest, OnlyCallsWithoutPacketsRepeatATimestamp) {
  TimedDriver last("LAST_CALL");
  EXPECT_TRUE(last.policy().RepeatsTimestamps());
  TimedDriver oldest("OLDEST_PACKET");
  EXPECT_FALSE(oldest.policy().RepeatsTimestamps());
}

}  // namespace
}  // namespace syncline
