// The calls of FixedSizeInputStreamHandler: the timeline of its file,
// which packets it drops, and which it keeps.

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/policy_test_support.h"
#include "framework/stream/drop_cause.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kHandler[] = "FixedSizeInputStreamHandler";

std::string Options(int trigger, int target, bool fixed_min_size = false) {
  return absl::StrCat(
      "[syncline.FixedSizeInputStreamHandlerOptions.ext] { ",
      "trigger_queue_size: ", trigger, " target_queue_size: ", target,
      " fixed_min_size: ", fixed_min_size ? "true" : "false", " }");
}

TEST(FixedSizePolicyTest, FollowsTheTimelineOfItsFile) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"}, Options(3, 1));
  driver.Add("A", 10);
  driver.Add("A", 20);
  driver.Add("A", 30);
  EXPECT_EQ(driver.queue("A").dropped(), 2);
  EXPECT_EQ(driver.queue("A").drops().of(DropCause::kByPolicy), 2);
  driver.Add("B", 10);
  driver.Add("B", 20);
  EXPECT_EQ(driver.queue("B").dropped(), 2);
  EXPECT_THAT(driver.Calls(), IsEmpty());
  driver.Add("B", 30);
  EXPECT_THAT(driver.Calls(), ElementsAre("30: A=30 B=30"));
}

TEST(FixedSizePolicyTest, DropsTheSameTimesOnAllStreams) {
  PolicyDriver driver(kHandler, {"A:a", "B:b", "C:c"}, Options(3, 1));
  driver.Add("B", 10);
  driver.Add("B", 20);
  for (const int time : {10, 20, 30}) driver.Add("A", time);
  EXPECT_EQ(driver.queue("B").dropped(), 2);
  EXPECT_EQ(driver.queue("C").dropped(), 0);
}

TEST(FixedSizePolicyTest, KeepsAsManyAsTheTarget) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"}, Options(5, 2));
  for (int time = 1; time <= 4; ++time) driver.Add("A", time);
  EXPECT_EQ(driver.queue("A").dropped(), 0);
  driver.Add("A", 5);
  EXPECT_EQ(driver.queue("A").dropped(), 3);
  EXPECT_EQ(driver.queue("A").size(), 2);
}

TEST(FixedSizePolicyTest, ATargetAboveTheTriggerIsKept) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"}, Options(1, 3));
  for (int time = 1; time <= 10; ++time) driver.Add("A", time);
  EXPECT_EQ(driver.queue("A").size(), 3);
}

TEST(FixedSizePolicyTest, AbsurdSizesKeepEverything) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"},
                      Options(2147483647, 2147483647));
  for (int time = 1; time <= 10; ++time) driver.Add("A", time);
  EXPECT_EQ(driver.queue("A").dropped(), 0);
}

TEST(FixedSizePolicyTest, WithFixedMinSizeAllQueuesMustBeLong) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"}, Options(3, 1, true));
  for (int time = 1; time <= 10; ++time) driver.Add("A", time);
  EXPECT_EQ(driver.queue("A").dropped(), 0);
  driver.Add("B", 5);
  driver.Add("B", 6);
  EXPECT_EQ(driver.queue("A").dropped(), 0);
  driver.Add("B", 7);
  // B keeps 7; A keeps what is not older than what B dropped.
  EXPECT_EQ(driver.queue("B").size(), 1);
  EXPECT_EQ(driver.queue("A").size(), 4);
  EXPECT_EQ(driver.queue("A").front().Timestamp(), Timestamp(7));
}

TEST(FixedSizePolicyTest, WithFixedMinSizeEveryQueueKeepsItsTarget) {
  for (const bool first_is_behind : {true, false}) {
    PolicyDriver driver(kHandler, {"A:a", "B:b"}, Options(3, 2, true));
    const std::string behind = first_is_behind ? "A" : "B";
    const std::string ahead = first_is_behind ? "B" : "A";
    for (int time = 11; time <= 14; ++time) driver.Add(ahead, time);
    for (int time = 1; time <= 3; ++time) driver.Add(behind, time);
    EXPECT_EQ(driver.queue(behind).size(), 2);
    EXPECT_EQ(driver.queue(ahead).size(), 4);
  }
}

TEST(FixedSizePolicyTest, ACallIsAnnouncedOnce) {
  PolicyDriver driver(kHandler, {"A:a"}, Options(3, 1));
  driver.Add("A", 1);
  EXPECT_EQ(driver.policy().Evaluate(),
            (Readiness{Readiness::State::kProcess, Timestamp(1)}));
  EXPECT_EQ(driver.policy().Evaluate().state, Readiness::State::kWait);
}

TEST(FixedSizePolicyTest, NothingIsDroppedBetweenTheAnnouncementAndTheCall) {
  PolicyDriver driver(kHandler, {"A:a"}, Options(2, 1));
  driver.Add("A", 1);
  EXPECT_EQ(driver.policy().Evaluate().state, Readiness::State::kProcess);
  driver.policy().OnTaskMade();
  for (int time = 2; time <= 9; ++time) driver.Add("A", time);
  EXPECT_EQ(driver.queue("A").dropped(), 0);
  EXPECT_EQ(driver.queue("A").size(), 9);
  InputStreamSet inputs = MakeInputStreams(*PortLayout::Create({"A:a"}));
  EXPECT_EQ(driver.policy().Take(Timestamp(1), &inputs), Timestamp(9));
  EXPECT_EQ(driver.queue("A").dropped(), 8);
  EXPECT_TRUE(driver.queue("A").empty());
}

// Conditions may hold it for long.
TEST(FixedSizePolicyTest, QueuesStayShortWhileNoTaskIsMadeOfAnAnnouncedCall) {
  PolicyDriver driver(kHandler, {"A:a"}, Options(2, 1));
  driver.Add("A", 1);
  EXPECT_EQ(driver.policy().Evaluate().state, Readiness::State::kProcess);
  for (int time = 2; time <= 9; ++time) driver.Add("A", time);
  EXPECT_EQ(driver.queue("A").size(), 1);
  EXPECT_EQ(driver.queue("A").front().Timestamp(), Timestamp(9));
  driver.policy().OnTaskMade();
  driver.Add("A", 10);
  EXPECT_EQ(driver.queue("A").size(), 2);
}

TEST(FixedSizePolicyTest, AnAnnouncedCallGetsTheNewestCompleteSet) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"}, Options(2, 1));
  driver.Add("A", 1);
  driver.Add("B", 1);
  EXPECT_EQ(driver.policy().Evaluate().state, Readiness::State::kProcess);
  for (int time = 2; time <= 9; ++time) driver.Add("A", time);
  for (int time = 2; time <= 6; ++time) driver.Add("B", time);
  InputStreamSet inputs = MakeInputStreams(*PortLayout::Create({"A:a", "B:b"}));
  EXPECT_EQ(driver.policy().Take(Timestamp(1), &inputs), Timestamp(6));
  EXPECT_EQ(inputs.Tag("A").Get<int>(), 6);
  EXPECT_EQ(inputs.Tag("B").Get<int>(), 6);
  // Once it is taken, dropping goes on.
  EXPECT_EQ(driver.queue("A").size(), 1);
  EXPECT_EQ(driver.queue("A").front().Timestamp(), Timestamp(9));
}

TEST(FixedSizePolicyTest, ABoundThatRisesBehindAPacketSettlesWhatOthersHave) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"}, Options(2, 1));
  driver.Add("A", 1);
  driver.Add("B", 1);
  EXPECT_EQ(driver.policy().Evaluate().state, Readiness::State::kProcess);
  driver.Bound("B", 100);
  for (int time = 2; time <= 9; ++time) driver.Add("A", time);
  InputStreamSet inputs = MakeInputStreams(*PortLayout::Create({"A:a", "B:b"}));
  EXPECT_EQ(driver.policy().Take(Timestamp(1), &inputs), Timestamp(9));
  EXPECT_EQ(driver.queue("A").dropped(), 8);
  EXPECT_EQ(driver.queue("B").dropped(), 1);
}

TEST(FixedSizePolicyTest, WhatIsReadyButNotAnnouncedMayGo) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"}, Options(2, 1));
  driver.Add("A", 1);
  driver.Add("B", 1);
  driver.Add("A", 2);
  EXPECT_EQ(driver.queue("B").dropped(), 1);
  EXPECT_THAT(driver.Calls(), IsEmpty());
  driver.Add("B", 2);
  EXPECT_THAT(driver.Calls(), ElementsAre("2: A=2 B=2"));
}

TEST(FixedSizePolicyTest, KnowsBoundsAndEnd) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"}, Options(2, 1),
                      /*process_timestamp_bounds=*/true);
  driver.Bound("A", 5);
  driver.Bound("B", 8);
  EXPECT_THAT(driver.Calls(), ElementsAre("4: A<4 B<7"));
  driver.Add("A", 6);
  driver.Add("A", 7);
  driver.Add("A", 9);
  EXPECT_THAT(driver.Calls(), ElementsAre("7: A<8 B<7"));
  driver.Close("A");
  driver.Close("B");
  EXPECT_THAT(driver.Calls(), ElementsAre("9: A=9! B<Max!", "Close"));
}

// With a look at all ports for each packet these would take minutes.

constexpr int kManyPorts = 30000;
constexpr int kManyPackets = 300000;

std::vector<std::string> ManyPorts() {
  std::vector<std::string> ports;
  for (int i = 0; i < kManyPorts; ++i) {
    ports.push_back(absl::StrCat("IN", i, ":in", i));
  }
  return ports;
}

TEST(FixedSizePolicyTest, APacketThatIsDroppedCostsTheSameBesideManyPorts) {
  for (const bool fixed_min_size : {false, true}) {
    PolicyDriver driver(kHandler, ManyPorts(), Options(2, 1, fixed_min_size));
    if (fixed_min_size) {
      // So that every queue is long enough to be asked what it keeps.
      for (int port = 1; port < kManyPorts; ++port) {
        for (const int time : {0, 1, 2}) {
          driver.Add(port, MakePacket<int>(0).At(
                               Timestamp(kManyPackets + port + time)));
        }
      }
    }
    for (int time = 0; time < kManyPackets; ++time) {
      driver.Add(0, MakePacket<int>(0).At(Timestamp(time)));
    }
    EXPECT_EQ(driver.queue(0).dropped(), kManyPackets - 1);
  }
}

TEST(FixedSizePolicyTest, SoItDoesWhileACallIsAnnounced) {
  PolicyDriver driver(kHandler, ManyPorts(), Options(2, 1));
  for (int port = 0; port < kManyPorts; ++port) {
    driver.Add(port, MakePacket<int>(0).At(Timestamp(0)));
    driver.RaiseBound(port, Timestamp(kManyPackets));
  }
  EXPECT_EQ(driver.policy().Evaluate().state, Readiness::State::kProcess);
  for (int i = 0; i < kManyPackets; ++i) {
    driver.Add(1, MakePacket<int>(0).At(Timestamp(kManyPackets + i)));
  }
  // The announced set is still the newest that is complete.
  EXPECT_EQ(driver.queue(1).dropped(), 0);
  for (int port = 0; port < kManyPorts; ++port) {
    driver.RaiseBound(port, Timestamp(2 * kManyPackets));
  }
  driver.Add(1, MakePacket<int>(0).At(Timestamp(2 * kManyPackets)));
  EXPECT_EQ(driver.queue(1).size(), 2);
}

}  // namespace
}  // namespace syncline
