// The calls of EarlyCloseInputStreamHandler: the timeline of its
// file, and what the end of one stream means for the others.

#include "framework/packet/timestamp.h"
#include "framework/policy/policy_test_support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kHandler[] = "EarlyCloseInputStreamHandler";

TEST(EarlyClosePolicyTest, FollowsTheTimelineOfItsFile) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"});
  driver.Add("A", 10);
  driver.Add("A", 20);
  driver.Close("A");
  driver.Add("B", 10);
  EXPECT_THAT(driver.Calls(), ElementsAre("10: A=10 B=10"));
  driver.Add("B", 20);
  driver.Add("B", 30);
  EXPECT_THAT(driver.Calls(), ElementsAre("20: A=20! B=20", "Close"));
}

TEST(EarlyClosePolicyTest, WhatIsSettledWhenAStreamEndsIsNotProcessed) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"});
  driver.Add("B", 5);
  driver.Close("A");
  EXPECT_THAT(driver.Calls(), ElementsAre("Close"));
}

// So the number of calls depends on when the end is noticed.
TEST(EarlyClosePolicyTest, WhatIsTakenBeforeTheEndIsKnownIsProcessed) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"});
  driver.Add("B", 5);
  driver.Bound("A", 6);
  EXPECT_THAT(driver.Calls(), ElementsAre("5: A<5 B=5"));
  driver.Close("A");
  EXPECT_THAT(driver.Calls(), ElementsAre("Close"));
}

TEST(EarlyClosePolicyTest, AStreamWithNothingMoreToSayIsNotClosed) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"});
  driver.Add("A", Timestamp::PreStream());
  driver.Add("B", 5);
  EXPECT_THAT(driver.Calls(),
              ElementsAre("PreStream: A=0 B<4", "5: A<Max B=5"));
  driver.Close("A");
  EXPECT_THAT(driver.Calls(), ElementsAre("Close"));
}

TEST(EarlyClosePolicyTest, DoesNotCallForBounds) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"}, "",
                      /*process_timestamp_bounds=*/true);
  driver.Bound("A", 5);
  driver.Bound("B", 5);
  EXPECT_THAT(driver.Calls(), IsEmpty());
}

}  // namespace
}  // namespace syncline
