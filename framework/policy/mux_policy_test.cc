// The calls of MuxInputStreamHandler: the timeline of its file, what
// it drops, and choices that are wrong.

#include <string>

#include "absl/status/status.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/policy_test_support.h"
#include "framework/stream/drop_cause.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class MuxPolicyTest : public ::testing::Test {
 protected:
  void Select(int choice, int timestamp) {
    driver_.Add(driver_.Port("SELECT"),
                MakePacket<int>(choice).At(Timestamp(timestamp)));
  }

  PolicyDriver driver_{"MuxInputStreamHandler",
                       {"INPUT:0:a", "INPUT:1:b", "SELECT:choice"}};
};

TEST_F(MuxPolicyTest, FollowsTheTimelineOfItsFile) {
  for (const int time : {10, 20, 30}) driver_.Add("INPUT:0", time);
  for (const int time : {10, 15, 20}) driver_.Add("INPUT:1", time);
  Select(0, 10);
  Select(1, 20);
  EXPECT_THAT(driver_.Calls(),
              ElementsAre("10: INPUT:0=10 INPUT:1<9 SELECT=0",
                          "20: INPUT:0<19 INPUT:1=20 SELECT=1"));
  EXPECT_EQ(driver_.queue("INPUT:0").dropped(), 1);
  EXPECT_EQ(driver_.queue("INPUT:1").dropped(), 2);
  EXPECT_EQ(driver_.queue("INPUT:1").drops().of(DropCause::kByPolicy), 2);
  driver_.Close("SELECT");
  EXPECT_THAT(driver_.Calls(), ElementsAre("Close"));
}

TEST_F(MuxPolicyTest, WaitsForTheChosenStreamOnly) {
  Select(1, 10);
  driver_.Add("INPUT:0", 10);
  EXPECT_THAT(driver_.Calls(), IsEmpty());
  driver_.Add("INPUT:1", 10);
  EXPECT_THAT(driver_.Calls(),
              ElementsAre("10: INPUT:0<9 INPUT:1=10 SELECT=1"));
}

TEST_F(MuxPolicyTest, AChosenStreamThatIsSettledWithoutAPacketGivesNone) {
  Select(1, 10);
  driver_.Add("INPUT:1", 15);
  EXPECT_THAT(driver_.Calls(),
              ElementsAre("10: INPUT:0<Unstarted INPUT:1<14 SELECT=1"));
  Select(0, 11);
  driver_.Bound("INPUT:0", 11);
  EXPECT_THAT(driver_.Calls(), IsEmpty());
  driver_.Bound("INPUT:0", 12);
  EXPECT_THAT(driver_.Calls(),
              ElementsAre("11: INPUT:0<11 INPUT:1<14 SELECT=0"));
}

TEST_F(MuxPolicyTest, TheEndOfADataStreamIsNotTheEnd) {
  driver_.Close("INPUT:0");
  driver_.Close("INPUT:1");
  Select(0, 10);
  EXPECT_THAT(driver_.Calls(),
              ElementsAre("10: INPUT:0<Max! INPUT:1<Max! SELECT=0"));
}

TEST_F(MuxPolicyTest, OldDataIsDroppedAlsoWhileNothingIsReady) {
  driver_.Add("INPUT:0", 5);
  driver_.Add("INPUT:1", 5);
  driver_.Add("INPUT:1", 10);
  driver_.Bound("SELECT", 10);
  EXPECT_EQ(driver_.queue("INPUT:0").size(), 0);
  EXPECT_EQ(driver_.queue("INPUT:1").size(), 1);
  driver_.Add("INPUT:0", 7);
  EXPECT_EQ(driver_.queue("INPUT:0").size(), 0);
  EXPECT_EQ(driver_.queue("INPUT:0").dropped(), 2);
}

TEST_F(MuxPolicyTest, AChoiceWithoutAStreamEndsWithAnErrorThatNamesIt) {
  for (const int choice : {2, -1, 2147483647}) {
    PolicyDriver driver("MuxInputStreamHandler",
                        {"INPUT:0:a", "INPUT:1:b", "SELECT:choice"});
    driver.Add("INPUT:0", 10);
    driver.Add(2, MakePacket<int>(choice).At(Timestamp(10)));
    EXPECT_THAT(driver.Calls(), ElementsAre("Close"));
    const absl::Status status = driver.policy().status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()),
                AllOf(HasSubstr("\"choice\""), HasSubstr("at 10"),
                      HasSubstr(std::to_string(choice)),
                      HasSubstr("the node has 2 of them")));
  }
}

TEST_F(MuxPolicyTest, AWrongChoiceIsFoundBehindAGoodOne) {
  Select(0, 10);
  Select(7, 20);
  driver_.Add("INPUT:0", 10);
  EXPECT_THAT(
      driver_.Calls(),
      ElementsAre("10: INPUT:0=10 INPUT:1<Unstarted SELECT=0", "Close"));
  EXPECT_FALSE(driver_.policy().status().ok());
}

TEST_F(MuxPolicyTest, AChoiceThatIsNoIntEndsWithAnErrorThatSaysSo) {
  driver_.Add(2, MakePacket<std::string>("left").At(Timestamp(10)));
  EXPECT_THAT(driver_.Calls(), ElementsAre("Close"));
  EXPECT_THAT(std::string(driver_.policy().status().message()),
              AllOf(HasSubstr("\"choice\""), HasSubstr("int")));
}

TEST_F(MuxPolicyTest, TheEndOfControlIsNoError) {
  driver_.Close("SELECT");
  EXPECT_THAT(driver_.Calls(), ElementsAre("Close"));
  EXPECT_TRUE(driver_.policy().status().ok());
}

}  // namespace
}  // namespace syncline
