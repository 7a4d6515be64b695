#include "framework/policy/timestamp_align_policy.h"

#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/policy_test_support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kHandler[] = "TimestampAlignInputStreamHandler";
constexpr char kBaseA[] = R"pb(
  [syncline.TimestampAlignInputStreamHandlerOptions.ext] {
    timestamp_base_tag_index: "A"
  }
)pb";

TEST(TimestampAlignPolicyTest, FollowsTheTimelineOfItsHeader) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"}, kBaseA);
  driver.Add("A", 10);
  EXPECT_THAT(driver.Calls(), ElementsAre("10: A=10 B<Unstarted"));
  driver.Add("A", 20);
  driver.Add("B", 5003);
  EXPECT_THAT(driver.Calls(), ElementsAre("20: A=20 B=5003"));
  EXPECT_EQ(driver.inputs().Tag("B").Value().Timestamp(), Timestamp(20));
  driver.Add("B", 5013);
  EXPECT_THAT(driver.Calls(), IsEmpty());
  driver.Add("A", 30);
  EXPECT_THAT(driver.Calls(), ElementsAre("30: A=30 B=5013"));
}

TEST(TimestampAlignPolicyTest, TheOthersWaitForTheBase) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"}, kBaseA);
  driver.Add("B", 5003);
  EXPECT_THAT(driver.Calls(), IsEmpty());
  driver.Add("A", 10);
  EXPECT_THAT(driver.Calls(), ElementsAre("10: A=10 B=5003"));
}

// The same packets on the same streams: the handler is not deterministic.
TEST(TimestampAlignPolicyTest, WhichStreamBeginsFirstDecidesTheAlignment) {
  PolicyDriver late(kHandler, {"A:a", "B:b"}, kBaseA);
  late.Add("A", 10);
  EXPECT_THAT(late.Calls(), ElementsAre("10: A=10 B<Unstarted"));
  late.Add("B", 100);
  late.Add("A", 20);
  EXPECT_THAT(late.Calls(), ElementsAre("20: A=20 B=100"));
  PolicyDriver early(kHandler, {"A:a", "B:b"}, kBaseA);
  early.Add("B", 100);
  early.Add("A", 10);
  EXPECT_THAT(early.Calls(), ElementsAre("10: A=10 B=100"));
}

TEST(TimestampAlignPolicyTest, AfterTheAlignmentItIsTheDefaultRule) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"}, kBaseA);
  driver.Add("B", 105);
  driver.Add("A", 5);
  driver.Add("B", 107);
  driver.Add("A", 8);
  EXPECT_THAT(driver.Calls(), ElementsAre("5: A=5 B=105", "7: A<7 B=107"));
  driver.Bound("B", 120);
  EXPECT_THAT(driver.Calls(), ElementsAre("8: A=8 B<19"));
  driver.Close("A");
  driver.Add("B", 130);
  EXPECT_THAT(driver.Calls(), ElementsAre("30: A<Max! B=130"));
  driver.Close("B");
  EXPECT_THAT(driver.Calls(), ElementsAre("Close"));
}

TEST(TimestampAlignPolicyTest, AStreamThatEndsWithoutAPacketIsNotWaitedFor) {
  PolicyDriver driver(kHandler, {"A:a", "B:b", "C:c"}, kBaseA);
  driver.Add("B", 100);
  driver.Close("C");
  driver.Add("A", 10);
  EXPECT_THAT(driver.Calls(), ElementsAre("10: A=10 B=100 C<Max!"));
}

TEST(TimestampAlignPolicyTest, ABaseThatEndsBeforeTheAlignmentIsTheEnd) {
  PolicyDriver driver(kHandler, {"A:a", "B:b", "C:c"}, kBaseA);
  driver.Add("B", 100);
  driver.Close("A");
  EXPECT_THAT(driver.Calls(), ElementsAre("Close"));
}

TEST(TimestampAlignPolicyTest, PreStreamKeepsItsTime) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"}, kBaseA);
  driver.Add("A", Timestamp::PreStream());
  driver.Add("B", 100);
  EXPECT_THAT(driver.Calls(),
              ElementsAre("PreStream: A=0 B<99", "100: A<Max B=100"));
  driver.Add("B", 101);
  EXPECT_THAT(driver.Calls(), ElementsAre("101: A<Max B=101"));
}

TEST(TimestampAlignPolicyTest, AlignsTimesFromBothEndsOfTheRange) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"}, kBaseA);
  driver.Add(0, MakePacket<int>(1).At(Timestamp::Min()));
  driver.Add(0, MakePacket<int>(2).At(Timestamp::Min() + 7));
  driver.Add(1, MakePacket<int>(3).At(Timestamp::Max() - 7));
  driver.Add(1, MakePacket<int>(4).At(Timestamp::Max()));
  EXPECT_THAT(driver.Calls(),
              ElementsAre("Min: A=1 B=3",
                          ShortText(Timestamp::Min() + 7) + ": A=2 B=4"));
}

TEST(TimestampAlignPolicyTest, TimesOutOfRangeStayAtItsEnd) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"}, kBaseA);
  const Timestamp almost_max = Timestamp::Max() - 1;
  driver.Add(0, MakePacket<int>(1).At(almost_max));
  for (int i = 0; i < 4; ++i) {
    driver.Add(1, MakePacket<int>(i).At(Timestamp::Min() + i));
  }
  driver.Add(0, MakePacket<int>(2).At(Timestamp::Max()));
  EXPECT_THAT(driver.Calls(), ElementsAre(ShortText(almost_max) + ": A=1 B=0",
                                          "Max: A=2 B=1", "Close"));
  EXPECT_EQ(driver.queue("B").dropped(), 2);
}

TEST(TimestampAlignPolicyTest, WithBoundsSettledTimesAreThoseOfTheBase) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"}, kBaseA,
                      /*process_timestamp_bounds=*/true);
  driver.Bound("A", 5);
  EXPECT_THAT(driver.Calls(), ElementsAre("4: A<4 B<Unstarted"));
  driver.Add("B", 100);
  driver.Add("A", 10);
  EXPECT_THAT(driver.Calls(), ElementsAre("10: A=10 B=100"));
  driver.Bound("A", 20);
  driver.Bound("B", 108);
  EXPECT_THAT(driver.Calls(), ElementsAre("17: A<19 B<17"));
}

}  // namespace
}  // namespace syncline
