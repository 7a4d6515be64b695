// The calls of ArrivalOrderInputStreamHandler: the timeline of its
// file, packets at one time, dropped packets, and bounds.

#include "framework/packet/timestamp.h"
#include "framework/policy/policy_test_support.h"
#include "framework/stream/drop_cause.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kHandler[] = "ArrivalOrderInputStreamHandler";
constexpr bool kProcessBounds = true;

TEST(ArrivalOrderPolicyTest, FollowsTheTimelineOfItsFile) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"});
  driver.Add("A", 10);
  driver.Add("B", 5);
  driver.Add("A", 11);
  EXPECT_THAT(driver.Calls(),
              ElementsAre("10: A=10 B<4", "5: A<10 B=5", "11: A=11 B<5"));
  driver.Close("A");
  EXPECT_THAT(driver.Calls(), IsEmpty());
  driver.Close("B");
  EXPECT_THAT(driver.Calls(), ElementsAre("Close"));
}

TEST(ArrivalOrderPolicyTest, PacketsWithTheSameTimestampGoOneByOne) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"});
  driver.Add("B", 10);
  driver.Add("A", 10);
  EXPECT_THAT(driver.Calls(), ElementsAre("10: A<9 B=10", "10: A=10 B<10"));
  EXPECT_TRUE(driver.policy().RepeatsTimestamps());
  EXPECT_FALSE(driver.policy().HasOneOrder());
}

TEST(ArrivalOrderPolicyTest, APacketThatAFullQueueDroppedHasNoTurn) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"});
  driver.Add("A", 1);
  driver.Add("B", 2);
  driver.Add("A", 3);
  driver.queue("A").DropFront(DropCause::kQueueFull);
  driver.policy().OnChange(driver.Port("A"));
  EXPECT_THAT(driver.Calls(), ElementsAre("2: A<2 B=2", "3: A=3 B<2"));
}

TEST(ArrivalOrderPolicyTest, WithBoundsTheLowestSettledTimeIsCalledOnce) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"}, "", kProcessBounds);
  driver.Bound("A", 10);
  EXPECT_THAT(driver.Calls(), IsEmpty()) << "B may have anything";
  driver.Bound("B", 20);
  EXPECT_THAT(driver.Calls(), ElementsAre("9: A<9 B<19"));
  EXPECT_THAT(driver.Calls(), IsEmpty());
  driver.Add("B", 30);
  EXPECT_THAT(driver.Calls(), ElementsAre("30: A<9 B=30"));
}

TEST(ArrivalOrderPolicyTest, WithBoundsTheEndOfAllIsTheClose) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"}, "", kProcessBounds);
  driver.Close("A");
  EXPECT_THAT(driver.Calls(), IsEmpty());
  driver.Close("B");
  EXPECT_THAT(driver.Calls(), ElementsAre("Close"));
}

}  // namespace
}  // namespace syncline
