// LatestInputStreamHandler: a call for each packet of the main stream, with the
// newest of the others, whatever arrives first.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "framework/calculator/input_stream.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/input_policy.h"
#include "framework/policy/policy_test_support.h"
#include "framework/stream/drop_cause.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;

std::string OptionsText(const std::string& fields) {
  return absl::StrCat("[syncline.LatestInputStreamHandlerOptions.ext] { ",
                      "main_tag_index: 'MAIN' ", fields, " }");
}

PolicyDriver MainAndSide(const std::string& fields = "",
                         bool process_timestamp_bounds = false) {
  return PolicyDriver("LatestInputStreamHandler", {"MAIN:m", "SIDE:s"},
                      OptionsText(fields), process_timestamp_bounds);
}

std::int64_t Unmatched(PolicyDriver* driver, const std::string& port) {
  return driver->queue(port).drops().of(DropCause::kUnmatched);
}

TEST(LatestPolicyTest, ShowsTheNewestAtOrBeforeTheTimeOfTheMainStream) {
  PolicyDriver driver = MainAndSide();
  for (const int time : {10, 20, 30}) driver.Add("MAIN", time);
  for (const int time : {12, 17, 30, 33}) driver.Add("SIDE", time);
  EXPECT_THAT(driver.Calls(),
              ElementsAre("10: MAIN=10 SIDE<11", "20: MAIN=20 SIDE=17@17",
                          "30: MAIN=30 SIDE=30"));
  EXPECT_EQ(Unmatched(&driver, "SIDE"), 1);
}

TEST(LatestPolicyTest, WaitsUntilTheSideStreamIsPastTheTime) {
  PolicyDriver driver = MainAndSide();
  driver.Add("MAIN", 20);
  driver.Add("SIDE", 10);
  EXPECT_EQ(driver.policy().Evaluate(),
            (Readiness{Readiness::State::kWait, Timestamp(20)}));
  driver.Bound("SIDE", 20);
  EXPECT_EQ(driver.Call(), "") << "it may have one at 20";
  driver.Bound("SIDE", 21);
  EXPECT_EQ(driver.Call(), "20: MAIN=20 SIDE=10@10");
}

TEST(LatestPolicyTest, APacketIsShownUntilThereIsANewerOne) {
  PolicyDriver driver = MainAndSide();
  driver.Add("SIDE", 5);
  driver.Close("SIDE");
  for (const int time : {10, 20}) driver.Add("MAIN", time);
  EXPECT_THAT(driver.Calls(),
              ElementsAre("10: MAIN=10 SIDE=5@5!", "20: MAIN=20 SIDE=5@5!"));
  driver.Close("MAIN");
  EXPECT_THAT(driver.Calls(), ElementsAre("Close"));
  EXPECT_EQ(driver.queue("SIDE").dropped(), 0);
}

TEST(LatestPolicyTest, WhatIsOvertakenWaitsForNoCall) {
  PolicyDriver driver = MainAndSide();
  for (const int time : {1, 2, 3, 4}) driver.Add("SIDE", time);
  EXPECT_EQ(driver.queue("SIDE").size(), 4) << "any of them may be shown";
  driver.Bound("MAIN", 3);
  EXPECT_EQ(driver.queue("SIDE").size(), 2);
  EXPECT_EQ(Unmatched(&driver, "SIDE"), 2);
}

TEST(LatestPolicyTest, WhatIsTooOldIsNotShown) {
  PolicyDriver driver = MainAndSide("max_age: 5");
  driver.Add("SIDE", 10);
  driver.Bound("SIDE", 100);
  for (const int time : {15, 16, 17}) driver.Add("MAIN", time);
  EXPECT_THAT(driver.Calls(),
              ElementsAre("15: MAIN=15 SIDE=10@10", "16: MAIN=16 SIDE<99",
                          "17: MAIN=17 SIDE<99"));
  EXPECT_EQ(Unmatched(&driver, "SIDE"), 0) << "it was shown once";
  PolicyDriver never = MainAndSide("max_age: 0");
  never.Add("SIDE", 10);
  never.Add("SIDE", 20);
  for (const int time : {11, 20}) never.Add("MAIN", time);
  EXPECT_THAT(never.Calls(),
              ElementsAre("11: MAIN=11 SIDE<19", "20: MAIN=20 SIDE=20"));
  EXPECT_EQ(Unmatched(&never, "SIDE"), 1);
}

TEST(LatestPolicyTest, TheMainStreamCanBeMadeToWaitForTheFirstOfEach) {
  PolicyDriver driver = MainAndSide("requires_all: true max_age: 10");
  for (const int time : {10, 20, 31}) driver.Add("MAIN", time);
  driver.Add("SIDE", 20);
  EXPECT_THAT(driver.Calls(), ElementsAre("20: MAIN=20 SIDE=20"));
  EXPECT_EQ(driver.policy().Evaluate(),
            (Readiness{Readiness::State::kWait, Timestamp(31)}));
  driver.Close("SIDE");
  EXPECT_THAT(driver.Calls(), ElementsAre());
  EXPECT_EQ(Unmatched(&driver, "MAIN"), 2);
  driver.Close("MAIN");
  EXPECT_THAT(driver.Calls(), ElementsAre("Close"));
}

TEST(LatestPolicyTest, WhatIsLeftAtTheEndMatchedNothing) {
  PolicyDriver driver = MainAndSide();
  driver.Add("MAIN", 10);
  driver.Add("SIDE", 11);
  driver.Close("MAIN");
  EXPECT_THAT(driver.Calls(), ElementsAre("10: MAIN=10! SIDE<10", "Close"));
  EXPECT_EQ(Unmatched(&driver, "SIDE"), 1);
  driver.Add("SIDE", 12);
  EXPECT_EQ(Unmatched(&driver, "SIDE"), 2);
}

TEST(LatestPolicyTest, BoundsAreProcessedWhereAskedFor) {
  PolicyDriver driver = MainAndSide("", /*process_timestamp_bounds=*/true);
  driver.Bound("MAIN", 10);
  driver.Add("SIDE", 3);
  EXPECT_THAT(driver.Calls(), ElementsAre("9: MAIN<9 SIDE<2"));
  driver.Add("MAIN", 12);
  driver.Bound("SIDE", 13);
  EXPECT_THAT(driver.Calls(), ElementsAre("12: MAIN=12 SIDE=3@3"));
}

TEST(LatestPolicyTest, TimeHasTwoEnds) {
  PolicyDriver driver = MainAndSide("max_age: 9223372036854775807");
  driver.Add("SIDE", Timestamp::PreStream());
  driver.Add("MAIN", Timestamp::Min());
  driver.Add("MAIN", Timestamp::Max());
  EXPECT_THAT(driver.Calls(), ElementsAre("Min: MAIN=0 SIDE=0@PreStream",
                                          "Max: MAIN=0 SIDE<Max", "Close"))
      << "that is older than can be said";
  PolicyDriver special = MainAndSide();
  special.Add("SIDE", 5);
  special.Add("MAIN", Timestamp::PostStream());
  EXPECT_EQ(special.Call(), "") << "one at PostStream may come";
  special.Close("SIDE");
  EXPECT_THAT(special.Calls(),
              ElementsAre("PostStream: MAIN=0 SIDE=5@5!", "Close"));
}

TEST(LatestPolicyTest, PacketsAreLetGoOfOutsideOfThePolicy) {
  PolicyDriver driver = MainAndSide();
  driver.Add("SIDE", 5);
  driver.Add("SIDE", 6);
  for (const int time : {5, 6}) driver.Add("MAIN", time);
  EXPECT_EQ(driver.Call(), "5: MAIN=5 SIDE=5");
  EXPECT_FALSE(driver.queue("SIDE").has_trash());
  EXPECT_EQ(driver.Call(), "6: MAIN=6 SIDE=6");
  std::vector<Packet> trash;
  driver.queue("SIDE").MoveTrashTo(&trash);
  EXPECT_EQ(trash.size(), 1) << "5 is done with";
  EXPECT_EQ(driver.queue("SIDE").dropped(), 0);
}

// --- An oracle that knows all of the streams.

// The times of the packets of each stream; the first stream is the main one.
using Streams = std::vector<std::vector<int>>;
constexpr int kNumStreams = 3;

// A random number below `end`.
using Below = std::function<int(int end)>;

Streams RandomStreams(const Below& below) {
  Streams streams(kNumStreams);
  for (auto& stream : streams) {
    const int step = 1 + below(10);
    const int length = below(12);
    for (int time = below(10); static_cast<int>(stream.size()) < length;
         time += 1 + below(step)) {
      stream.push_back(time);
    }
  }
  return streams;
}

struct Expected {
  // The time of each call, and the times of its packets, -1 for none.
  std::vector<std::string> calls;
  // By stream: how many packets no call sees.
  std::vector<std::int64_t> unmatched;
};

Expected OracleOf(const Streams& streams, int max_age, bool requires_all) {
  Expected expected;
  std::vector<std::set<int>> seen(kNumStreams);
  for (const int now : streams[0]) {
    std::vector<int> newest = {now, -1, -1};
    for (int i = 1; i < kNumStreams; ++i) {
      for (const int time : streams[i]) {
        if (time <= now) newest[i] = time;
      }
      if (now - newest[i] > max_age) newest[i] = -1;
    }
    if (requires_all && std::count(newest.begin(), newest.end(), -1) > 0) {
      continue;
    }
    expected.calls.push_back(
        absl::StrCat(now, " ", absl::StrJoin(newest, " ")));
    for (int i = 0; i < kNumStreams; ++i) {
      if (newest[i] >= 0) seen[i].insert(newest[i]);
    }
  }
  for (int i = 0; i < kNumStreams; ++i) {
    expected.unmatched.push_back(
        static_cast<std::int64_t>(streams[i].size() - seen[i].size()));
  }
  return expected;
}

// Makes all calls that are ready.
void TakeCalls(PolicyDriver* driver, std::vector<std::string>* calls) {
  while (driver->policy().Evaluate().state == Readiness::State::kProcess) {
    std::string call =
        absl::StrCat(driver->policy().Evaluate().timestamp.Value());
    driver->Call();
    for (int i = 0; i < kNumStreams; ++i) {
      const InputStream& input = driver->inputs().Get(i);
      absl::StrAppend(&call, " ", input.IsEmpty() ? -1 : input.Get<int>());
    }
    calls->push_back(call);
  }
}

// Brings the streams in a random order, each in its own, and their ends.
// Returns the calls.
std::vector<std::string> CallsOf(const Streams& streams, const Below& below,
                                 PolicyDriver* driver) {
  std::vector<std::string> calls;
  std::vector<std::size_t> next(kNumStreams);
  for (int left = kNumStreams; left > 0;) {
    const int i = below(kNumStreams);
    if (next[i] > streams[i].size()) continue;
    if (next[i] == streams[i].size()) {
      driver->RaiseBound(i, Timestamp::Done());
      --left;
    } else {
      const int time = streams[i][next[i]];
      if (below(2) == 0) driver->RaiseBound(i, Timestamp(time - below(3)));
      driver->Add(i, MakePacket<int>(time).At(Timestamp(time)));
    }
    ++next[i];
    if (below(2) == 0) TakeCalls(driver, &calls);
  }
  TakeCalls(driver, &calls);
  return calls;
}

TEST(LatestPolicyTest, MakesTheCallsOfTheOracleInAnyOrderOfArrival) {
  for (std::uint32_t seed = 0; seed < 600; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const Below below = [&](int end) {
      return static_cast<int>(random() % end);
    };
    const Streams streams = RandomStreams(below);
    const int max_age = below(2) == 0 ? 1000 : below(8);
    const bool requires_all = below(2) == 0;
    const Expected expected = OracleOf(streams, max_age, requires_all);
    for (int schedule = 0; schedule < 4; ++schedule) {
      PolicyDriver driver(
          "LatestInputStreamHandler", {"MAIN:m", "SIDE:0:s", "SIDE:1:t"},
          OptionsText(absl::StrCat("max_age: ", max_age, " requires_all: ",
                                   requires_all ? "true" : "false")));
      const std::vector<std::string> calls = CallsOf(streams, below, &driver);
      ASSERT_EQ(calls, expected.calls) << absl::StrJoin(calls, ", ");
      EXPECT_EQ(driver.policy().Evaluate().state, Readiness::State::kClose);
      for (int i = 0; i < kNumStreams; ++i) {
        EXPECT_EQ(driver.queue(i).drops().of(DropCause::kUnmatched),
                  expected.unmatched[i]);
      }
    }
  }
}

}  // namespace
}  // namespace syncline
