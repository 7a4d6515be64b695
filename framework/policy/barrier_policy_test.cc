// The calls of BarrierInputStreamHandler: the timeline of its file,
// timestamps that go back, and the end.

#include "framework/packet/timestamp.h"
#include "framework/policy/policy_test_support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kHandler[] = "BarrierInputStreamHandler";

TEST(BarrierPolicyTest, FollowsTheTimelineOfItsFile) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"});
  for (const int time : {10, 20, 30}) driver.Add("A", time);
  driver.Add("B", 7);
  driver.Add("B", 8);
  EXPECT_THAT(driver.Calls(), ElementsAre("7: A=10@10 B=7", "8: A=20@20 B=8"));
  driver.Close("B");
  EXPECT_THAT(driver.Calls(), ElementsAre("Close"));
}

TEST(BarrierPolicyTest, BoundsSettleNothing) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"});
  driver.Add("A", 10);
  driver.Bound("B", 100);
  EXPECT_THAT(driver.Calls(), IsEmpty());
  driver.Add("B", 50);
  EXPECT_THAT(driver.Calls(), ElementsAre("10: A=10 B=50@50"));
}

TEST(BarrierPolicyTest, TimestampsMayGoBack) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"});
  driver.Add("A", 10);
  driver.Add("A", 5);
  driver.Add("B", 20);
  driver.Add("B", 20);
  EXPECT_THAT(driver.Calls(),
              ElementsAre("10: A=10 B=20@20", "5: A=5 B=20@20"));
  EXPECT_TRUE(driver.policy().RepeatsTimestamps());
}

TEST(BarrierPolicyTest, OnlyTheCloseOfAStreamIsItsEnd) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"});
  driver.Add("A", Timestamp::Max());
  driver.Add("B", Timestamp::PreStream());
  EXPECT_THAT(driver.Calls(), ElementsAre("PreStream: A=0@Max B=0"));
  driver.Bound("A", Timestamp::OneOverPostStream());
  EXPECT_THAT(driver.Calls(), IsEmpty());
  driver.Add("A", 10);
  driver.Add("B", 20);
  EXPECT_THAT(driver.Calls(), ElementsAre("10: A=10 B=20@20"));
  driver.Close("A");
  EXPECT_THAT(driver.Calls(), ElementsAre("Close"));
}

TEST(BarrierPolicyTest, TheLastPacketOfAClosedStreamStillCounts) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"});
  driver.Add("A", 10);
  driver.Close("A");
  EXPECT_THAT(driver.Calls(), IsEmpty());
  driver.Add("B", 3);
  EXPECT_THAT(driver.Calls(), ElementsAre("3: A=10@10! B=3", "Close"));
}

TEST(BarrierPolicyTest, OneStreamThatEndsIsTheEnd) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"});
  driver.Add("A", 10);
  driver.Close("B");
  EXPECT_THAT(driver.Calls(), ElementsAre("Close"));
}

}  // namespace
}  // namespace syncline
