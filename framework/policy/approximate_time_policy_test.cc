// ApproximateTimeInputStreamHandler: which packets are one set, when that is
// known, and what matched nothing.
//
// The rule is checked twice: by hand, and against an oracle that knows all of
// the streams and tries every set.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/approximate_time_test_oracle.h"
#include "framework/policy/input_policy.h"
#include "framework/policy/policy_test_support.h"
#include "framework/stream/drop_cause.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;

constexpr char kHandler[] = "ApproximateTimeInputStreamHandler";

std::string OptionsText(const std::string& fields) {
  return absl::StrCat(
      "[syncline.ApproximateTimeInputStreamHandlerOptions.ext] { ", fields,
      " }");
}

PolicyDriver TwoStreams(const std::string& fields = "",
                        bool process_timestamp_bounds = false) {
  return PolicyDriver(kHandler, {"A:a", "B:b"}, OptionsText(fields),
                      process_timestamp_bounds);
}

void AddAll(PolicyDriver* driver, const std::string& port,
            const std::vector<int>& times) {
  for (const int time : times) driver->Add(port, time);
}

std::int64_t Unmatched(PolicyDriver* driver, const std::string& port) {
  return driver->queue(port).drops().of(DropCause::kUnmatched);
}

TEST(ApproximateTimePolicyTest, ClosePacketsAreOneSetAtTheTimeOfTheLatest) {
  PolicyDriver driver = TwoStreams();
  AddAll(&driver, "A", {0, 33, 66, 100, 133});
  AddAll(&driver, "B", {12, 101});
  EXPECT_THAT(driver.Calls(),
              ElementsAre("12: A=0@0 B=12", "101: A=100@100 B=101"));
  EXPECT_EQ(Unmatched(&driver, "A"), 2);
  EXPECT_EQ(Unmatched(&driver, "B"), 0);
}

TEST(ApproximateTimePolicyTest, SamePacketTimesNeedNoWait) {
  PolicyDriver driver = TwoStreams();
  driver.Add("A", 10);
  driver.Add("B", 10);
  EXPECT_THAT(driver.Calls(), ElementsAre("10: A=10 B=10"));
}

TEST(ApproximateTimePolicyTest, WaitsForTheNextPacketIfThatCouldBeCloser) {
  PolicyDriver driver = TwoStreams();
  driver.Add("A", 10);
  driver.Add("B", 20);
  EXPECT_EQ(driver.Call(), "") << "A may have one at 20";
  driver.Bound("A", 29);
  EXPECT_EQ(driver.Call(), "") << "one at 29 would be closer than 10";
  driver.Bound("A", 30);
  EXPECT_EQ(driver.Call(), "20: A=10@10 B=20") << "as close: the earlier goes";
}

TEST(ApproximateTimePolicyTest, ABoundBehindPacketsCounts) {
  PolicyDriver driver = TwoStreams();
  driver.Add("A", 10);
  driver.Add("B", 20);
  driver.Add("A", 28);
  EXPECT_EQ(driver.Call(), "28: A=28 B=20@20");
  driver.Add("B", 30);
  driver.Add("A", 31);
  EXPECT_EQ(driver.Call(), "") << "B may have one at 31";
  driver.Bound("B", 32);
  EXPECT_EQ(driver.Call(), "31: A=31 B=30@30");
}

TEST(ApproximateTimePolicyTest, AnEndedStreamHasNothingCloser) {
  PolicyDriver driver = TwoStreams();
  driver.Add("A", 10);
  driver.Add("B", 20);
  driver.Add("B", 40);
  driver.Close("A");
  EXPECT_THAT(driver.Calls(), ElementsAre("20: A=10@10! B=20", "Close"));
  EXPECT_EQ(Unmatched(&driver, "B"), 1);
}

TEST(ApproximateTimePolicyTest, CloseEnoughIsNotImprovedUpon) {
  PolicyDriver driver = TwoStreams("close_enough: 10");
  driver.Add("A", 10);
  driver.Add("B", 20);
  EXPECT_EQ(driver.Call(), "20: A=10@10 B=20");
  driver.Add("A", 30);
  driver.Add("B", 41);
  EXPECT_EQ(driver.Call(), "") << "eleven";
}

TEST(ApproximateTimePolicyTest, WhatIsTooFarApartIsDroppedAtOnce) {
  for (const char* const limit : {"max_interval: 15", "tolerance: 15"}) {
    SCOPED_TRACE(limit);
    PolicyDriver driver = TwoStreams(limit);
    AddAll(&driver, "A", {0, 10, 20});
    EXPECT_EQ(Unmatched(&driver, "A"), 0);
    driver.Bound("B", 16);
    EXPECT_EQ(Unmatched(&driver, "A"), 1) << "0 is too far from what may come";
    driver.Bound("B", 35);
    EXPECT_EQ(driver.queue("A").size(), 1);
    driver.Add("B", 36);
    EXPECT_EQ(Unmatched(&driver, "A"), 3);
    EXPECT_EQ(driver.Call(), "");
    driver.Add("A", 50);
    driver.Bound("B", 200);
    EXPECT_THAT(driver.Calls(), ElementsAre("50: A=50 B=36@36"));
  }
}

TEST(ApproximateTimePolicyTest, AStreamMayHaveAToleranceOfItsOwn) {
  PolicyDriver driver(kHandler, {"CAMERA:c", "IMU:i", "LIDAR:l"},
                      OptionsText(R"(tolerance: 50
                        stream { tag_index: "IMU" tolerance: 5 })"));
  AddAll(&driver, "LIDAR", {60, 152});
  AddAll(&driver, "IMU", {90, 94, 150});
  AddAll(&driver, "CAMERA", {100, 148});
  driver.Bound("IMU", 200);
  driver.Bound("CAMERA", 200);
  driver.Bound("LIDAR", 200);
  EXPECT_THAT(driver.Calls(),
              ElementsAre("152: CAMERA=148@148 IMU=150@150 LIDAR=152"))
      << "94 is 6 from the pivot, which would be 100";
  EXPECT_EQ(Unmatched(&driver, "IMU"), 2);
}

TEST(ApproximateTimePolicyTest, ABaseStreamGivesTheTime) {
  PolicyDriver driver = TwoStreams("timestamp_base_tag_index: 'A'");
  EXPECT_EQ(driver.policy().Evaluate(),
            (Readiness{Readiness::State::kWait, Timestamp::PreStream()}));
  driver.Add("B", 20);
  driver.Bound("A", 5);
  EXPECT_EQ(driver.policy().Evaluate(),
            (Readiness{Readiness::State::kWait, Timestamp(5)}));
  driver.Add("A", 10);
  driver.Bound("A", 200);
  EXPECT_EQ(driver.Call(), "10: A=10 B=20@20");
}

TEST(ApproximateTimePolicyTest,
     WhileItWaitsItPromisesWhatTheStreamsHaveReached) {
  PolicyDriver driver = TwoStreams();
  driver.Add("A", 10);
  EXPECT_EQ(driver.policy().Evaluate(),
            (Readiness{Readiness::State::kWait, Timestamp(10)}));
  driver.Bound("B", 15);
  EXPECT_EQ(driver.policy().Evaluate(),
            (Readiness{Readiness::State::kWait, Timestamp(15)}));
}

TEST(ApproximateTimePolicyTest, BoundsAreProcessedWhereAskedFor) {
  PolicyDriver driver = TwoStreams("", /*process_timestamp_bounds=*/true);
  driver.Add("A", 10);
  driver.Bound("B", 15);
  EXPECT_THAT(driver.Calls(), ElementsAre("14: A<9 B<14"));
  driver.Add("B", 16);
  driver.Bound("A", 100);
  EXPECT_THAT(driver.Calls(), ElementsAre("16: A=10@10 B=16", "99: A<99 B<16"));
}

TEST(ApproximateTimePolicyTest, OneStreamIsNoJoin) {
  PolicyDriver driver(kHandler, {"A:a"});
  AddAll(&driver, "A", {1, 2});
  driver.Close("A");
  EXPECT_THAT(driver.Calls(), ElementsAre("1: A=1", "2: A=2!", "Close"));
}

TEST(ApproximateTimePolicyTest, TimeHasTwoEnds) {
  PolicyDriver driver = TwoStreams();
  driver.Add("A", Timestamp::PreStream());
  driver.Add("B", Timestamp::PostStream());
  EXPECT_THAT(driver.Calls(),
              ElementsAre("PostStream: A=0@PreStream B=0", "Close"));

  PolicyDriver near = TwoStreams("max_interval: 1");
  near.Add("A", Timestamp::Min());
  near.Add("B", Timestamp::PreStream());
  EXPECT_THAT(near.Calls(), ElementsAre("Min: A=0 B=0@PreStream", "Close"));

  PolicyDriver far = TwoStreams(
      absl::StrCat("max_interval: ", std::numeric_limits<std::int64_t>::max()));
  far.Add("A", Timestamp::Min());
  far.Add("B", Timestamp::Max());
  EXPECT_EQ(Unmatched(&far, "A"), 1) << "they are further apart than that";
  EXPECT_EQ(far.Call(), "");
  far.Add("A", 0);
  far.Close("A");
  EXPECT_THAT(far.Calls(), ElementsAre("Max: A=0@0! B=0", "Close"));
}

TEST(ApproximateTimePolicyTest, AStreamThatSeldomMatchesIsReported) {
  PolicyDriver driver = TwoStreams("max_interval: 1 min_match_share: 0.5");
  for (int i = 0; i < 19; ++i) driver.Add("A", 10 * i);
  driver.Bound("B", 1000);
  EXPECT_FALSE(driver.policy().TakeReport().has_value()) << "too few to say";
  driver.Add("A", 900);
  const absl::optional<MatchReport> report = driver.policy().TakeReport();
  ASSERT_TRUE(report.has_value());
  EXPECT_EQ(report->port, 0);
  EXPECT_EQ(report->matched, 0);
  EXPECT_EQ(report->total, 20);
  EXPECT_FALSE(driver.policy().TakeReport().has_value());
}

// --- The oracle

using Set = std::vector<std::int64_t>;  // a time of each stream
using Streams = std::vector<Set>;

// The sets of a driver that gets the streams in a random order, with bounds in
// between; then what matched nothing has to be counted.
std::vector<Set> SetsOf(const Streams& streams, const std::string& options,
                        std::mt19937& random) {
  std::vector<std::string> ports;
  for (std::size_t i = 0; i < streams.size(); ++i) {
    ports.push_back(absl::StrCat("IN:", i, ":s", i));
  }
  PolicyDriver driver(kHandler, ports, options);
  std::vector<Set> sets;
  Timestamp promised = Timestamp::Unset();
  const auto take_calls = [&] {
    for (;;) {
      const Readiness readiness = driver.policy().Evaluate();
      if (readiness.state == Readiness::State::kWait) {
        promised = std::max(promised, readiness.timestamp);
      }
      if (readiness.state != Readiness::State::kProcess) return;
      EXPECT_GE(readiness.timestamp, promised);
      driver.Call();
      Set set;
      for (int port = 0; port < driver.num_ports(); ++port) {
        set.push_back(driver.inputs().Get(port).Get<int>());
      }
      sets.push_back(set);
    }
  };
  std::vector<std::size_t> next(streams.size());
  std::vector<int> ports_left;
  for (int port = 0; port < driver.num_ports(); ++port) {
    ports_left.push_back(port);
  }
  while (!ports_left.empty()) {
    const std::size_t which = random() % ports_left.size();
    const int port = ports_left[which];
    const auto& stream = streams[port];
    if (next[port] == stream.size()) {
      driver.RaiseBound(port, Timestamp::Done());
      ports_left.erase(ports_left.begin() + static_cast<std::ptrdiff_t>(which));
    } else if (random() % 3 == 0) {
      driver.RaiseBound(port,
                        Timestamp(stream[next[port]] -
                                  static_cast<std::int64_t>(random() % 4)));
    } else {
      const std::int64_t time = stream[next[port]++];
      driver.Add(port,
                 MakePacket<int>(static_cast<int>(time)).At(Timestamp(time)));
    }
    if (random() % 2 == 0) take_calls();
  }
  take_calls();
  EXPECT_EQ(driver.policy().Evaluate().state, Readiness::State::kClose);
  for (int port = 0; port < driver.num_ports(); ++port) {
    const auto added = static_cast<std::int64_t>(streams[port].size());
    const auto matched = static_cast<std::int64_t>(sets.size());
    EXPECT_EQ(driver.queue(port).drops().of(DropCause::kUnmatched),
              added - matched);
  }
  return sets;
}

TEST(ApproximateTimePolicyTest, MakesTheSetsOfTheOracleInAnyOrderOfArrival) {
  int num_sets = 0;
  for (std::uint32_t seed = 0; seed < 1500; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const auto below = [&](int end) {
      return static_cast<int>(random() % end);
    };
    const int num_streams = 1 + below(4);
    Streams streams(num_streams);
    ApproximateTimeRule rule;
    std::string options;
    for (int i = 0; i < num_streams; ++i) {
      const int step = 1 + below(12);
      int time = below(20);
      const int length = below(num_streams > 3 ? 6 : 9);
      for (int j = 0; j < length; ++j) {
        streams[i].push_back(time);
        time += 1 + below(step);
      }
      std::int64_t tolerance = std::numeric_limits<std::int64_t>::max();
      if (below(4) == 0) {
        tolerance = below(12);
        absl::StrAppend(&options, "stream { tag_index: 'IN:", i,
                        "' tolerance: ", tolerance, " } ");
      }
      rule.tolerance.push_back(tolerance);
    }
    if (below(3) == 0) {
      rule.max_interval = below(15);
      absl::StrAppend(&options, "max_interval: ", rule.max_interval, " ");
    }
    if (below(3) == 0) {
      rule.close_enough = below(6);
      absl::StrAppend(&options, "close_enough: ", rule.close_enough, " ");
    }
    if (below(3) == 0) {
      absl::StrAppend(
          &options, "timestamp_base_tag_index: 'IN:", below(num_streams), "' ");
    }
    const std::vector<Set> expected = ApproximateTimeSets(streams, rule);
    num_sets += static_cast<int>(expected.size());
    for (int schedule = 0; schedule < 4; ++schedule) {
      ASSERT_EQ(SetsOf(streams, OptionsText(options), random), expected)
          << options << ", schedule " << schedule;
    }
  }
  EXPECT_GT(num_sets, 2000);
}

// A policy that waits needlessly is as wrong as one that does not wait: while
// it looks for a closer set, some packet could make one.
TEST(ApproximateTimePolicyTest, WaitsOnlyWhileAPacketCouldChangeTheSet) {
  int num_waits = 0;
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const auto below = [&](int end) {
      return static_cast<int>(random() % end);
    };
    Streams streams(3);
    std::vector<int> bounds(3);
    for (int i = 0; i < 3; ++i) {
      int time = below(6);
      const int length = 1 + below(4);
      for (int j = 0; j < length; ++j) {
        streams[i].push_back(time);
        time += 1 + below(8);
      }
      bounds[i] = streams[i].back() + 1 + below(6);
    }
    PolicyDriver driver(kHandler, {"IN:0:a", "IN:1:b", "IN:2:c"});
    for (int i = 0; i < 3; ++i) {
      for (const int time : streams[i]) {
        driver.Add(i, MakePacket<int>(time).At(Timestamp(time)));
      }
      driver.RaiseBound(i, Timestamp(bounds[i]));
    }
    const bool waits =
        driver.policy().Evaluate().state == Readiness::State::kWait;
    // The first set for each way in which each stream may go on: not at all, or
    // with a packet at any time from its bound on.
    ApproximateTimeRule rule;
    rule.tolerance.assign(3, std::numeric_limits<std::int64_t>::max());
    std::vector<Set> outcomes;
    const std::function<void(std::size_t, Streams)> go_on =
        [&](std::size_t stream, Streams all) {
          if (stream == all.size()) {
            outcomes.push_back(ApproximateTimeSets(all, rule).front());
            return;
          }
          go_on(stream + 1, all);
          all[stream].push_back(0);
          // No head is later than 5, and so no pivot.
          for (int time = bounds[stream]; time < bounds[stream] + 7; ++time) {
            all[stream].back() = time;
            go_on(stream + 1, all);
          }
        };
    go_on(0, streams);
    const bool is_open =
        std::adjacent_find(outcomes.begin(), outcomes.end(),
                           std::not_equal_to<>()) != outcomes.end();
    EXPECT_EQ(waits, is_open);
    if (waits) ++num_waits;
  }
  EXPECT_GT(num_waits, 0);
  EXPECT_LT(num_waits, 40);
}

}  // namespace
}  // namespace syncline
