// The calls of ImmediateInputStreamHandler: the timeline of its file,
// timestamps that repeat or fall, and bounds.

#include "framework/packet/timestamp.h"
#include "framework/policy/policy_test_support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kHandler[] = "ImmediateInputStreamHandler";
constexpr bool kProcessBounds = true;

TEST(ImmediatePolicyTest, FollowsTheTimelineOfItsFile) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"});
  driver.Add("A", 10);
  EXPECT_THAT(driver.Calls(), ElementsAre("10: A=10 B<Unstarted"));
  driver.Add("A", 20);
  driver.Close("A");
  driver.Add("B", 15);
  EXPECT_THAT(driver.Calls(), ElementsAre("15: A<19 B=15", "20: A=20! B<15",
                                          "Max: A<Max! B<15"));
  driver.Close("B");
  EXPECT_THAT(driver.Calls(), ElementsAre("Close"));
}

TEST(ImmediatePolicyTest, PacketsWithTheSameTimestampGoTogether) {
  PolicyDriver driver(kHandler, {"A:a", "B:b", "C:c"});
  driver.Add("A", 10);
  driver.Add("C", 10);
  driver.Add("B", 11);
  EXPECT_THAT(driver.Calls(),
              ElementsAre("10: A=10 B<10 C=10", "11: A<10 B=11 C<10"));
}

TEST(ImmediatePolicyTest, InputTimestampsMayRepeatAndFall) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"});
  driver.Add("A", 10);
  EXPECT_THAT(driver.Calls(), ElementsAre("10: A=10 B<Unstarted"));
  driver.Add("B", 5);
  driver.Add("B", 10);
  EXPECT_THAT(driver.Calls(), ElementsAre("5: A<10 B=5", "10: A<10 B=10"));
  EXPECT_TRUE(driver.policy().RepeatsTimestamps());
  EXPECT_FALSE(driver.policy().HasOneOrder());
}

TEST(ImmediatePolicyTest, WithOneInputTimestampsHaveAnOrder) {
  PolicyDriver driver(kHandler, {"A:a"});
  EXPECT_FALSE(driver.policy().RepeatsTimestamps());
  EXPECT_TRUE(driver.policy().HasOneOrder());
}

TEST(ImmediatePolicyTest, ABoundAloneGivesNoCall) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"});
  driver.Bound("A", 10);
  driver.Bound("B", 10);
  EXPECT_THAT(driver.Calls(), IsEmpty());
}

TEST(ImmediatePolicyTest, IfAllHaveEndedThereIsNoCallForTheEnd) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"});
  driver.Close("A");
  driver.Close("B");
  EXPECT_THAT(driver.Calls(), ElementsAre("Close"));
}

TEST(ImmediatePolicyTest, StreamsThatEndTogetherShareTheCall) {
  PolicyDriver driver(kHandler, {"A:a", "B:b", "C:c"});
  driver.Close("A");
  driver.Close("B");
  EXPECT_THAT(driver.Calls(), ElementsAre("Max: A<Max! B<Max! C<Unstarted"));
  driver.Add("C", 3);
  EXPECT_THAT(driver.Calls(), ElementsAre("3: A<Max! B<Max! C=3"));
}

TEST(ImmediatePolicyTest, PacketsThatWaitComeBeforeTheEndOfAnotherStream) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"});
  driver.Close("A");
  driver.Add("B", 3);
  EXPECT_THAT(driver.Calls(), ElementsAre("3: A<Max! B=3", "Max: A<Max! B<3"));
}

TEST(ImmediatePolicyTest, WithBoundsEachNewSettledTimeIsCalledOnce) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"}, "", kProcessBounds);
  EXPECT_THAT(driver.Calls(), IsEmpty());
  driver.Bound("A", 10);
  EXPECT_THAT(driver.Calls(), ElementsAre("9: A<9 B<Unstarted"));
  EXPECT_THAT(driver.Calls(), IsEmpty());
  driver.Add("A", 12);
  EXPECT_THAT(driver.Calls(), ElementsAre("12: A=12 B<Unstarted"));
  driver.Bound("A", 13);
  EXPECT_THAT(driver.Calls(), IsEmpty());
}

TEST(ImmediatePolicyTest, WithBoundsEachStreamThatEndsGivesOneCallAtMax) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"}, "", kProcessBounds);
  driver.Add("A", 10);
  driver.Close("A");
  EXPECT_THAT(driver.Calls(),
              ElementsAre("10: A=10! B<Unstarted", "Max: A<Max! B<Unstarted"));
  driver.Close("B");
  EXPECT_THAT(driver.Calls(), ElementsAre("Max: A<Max! B<Max!", "Close"));
}

TEST(ImmediatePolicyTest, WithBoundsAPacketAtMaxIsTheLastCall) {
  PolicyDriver driver(kHandler, {"A:a"}, "", kProcessBounds);
  driver.Add("A", Timestamp::Max());
  driver.Close("A");
  EXPECT_EQ(driver.Calls().size(), 2U);  // the packet and Close
}

TEST(ImmediatePolicyTest, WithBoundsTheEndFollowsAPacketAtPreStream) {
  PolicyDriver driver(kHandler, {"A:a"}, "", kProcessBounds);
  driver.Add("A", Timestamp::PreStream());
  driver.Close("A");
  EXPECT_THAT(driver.Calls(),
              ElementsAre("PreStream: A=0!", "Max: A<Max!", "Close"));
}

}  // namespace
}  // namespace syncline
