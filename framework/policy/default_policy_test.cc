#include "framework/policy/default_policy.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/policy_test_support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kHandler[] = "DefaultInputStreamHandler";
constexpr bool kProcessBounds = true;

TEST(DefaultPolicyTest, FollowsTheTimelineOfItsHeader) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"});
  driver.Add("A", 10);
  driver.Add("A", 20);
  driver.Add("B", 10);
  driver.Add("B", 15);
  EXPECT_THAT(driver.Calls(), ElementsAre("10: A=10 B=10", "15: A<19 B=15"));
  EXPECT_EQ(driver.policy().Evaluate(),
            (Readiness{Readiness::State::kWait, Timestamp(16)}));
  driver.Close("B");
  EXPECT_THAT(driver.Calls(), ElementsAre("20: A=20 B<Max!"));
  driver.Close("A");
  EXPECT_THAT(driver.Calls(), ElementsAre("Close"));
}

TEST(DefaultPolicyTest, ABoundIsEnoughToSettleAStream) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"});
  driver.Add("A", 10);
  driver.Bound("B", 10);
  EXPECT_THAT(driver.Calls(), IsEmpty());
  driver.Bound("B", 11);
  EXPECT_THAT(driver.Calls(), ElementsAre("10: A=10 B<10"));
}

TEST(DefaultPolicyTest, AStreamThatDeliveredMaxNeedNotBeClosed) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"});
  driver.Add("A", Timestamp::Max());
  driver.Add("B", Timestamp::Max());
  EXPECT_THAT(driver.Calls(), ElementsAre("Max: A=0 B=0", "Close"));
}

TEST(DefaultPolicyTest, PreStreamOfOneStreamDoesNotEndTheOthers) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"});
  driver.Add("A", Timestamp::PreStream());
  driver.Add("B", 5);
  EXPECT_THAT(driver.Calls(),
              ElementsAre("PreStream: A=0 B<4", "5: A<Max B=5"));
  driver.Add("B", 6);
  EXPECT_THAT(driver.Calls(), ElementsAre("6: A<Max B=6"));
  driver.Close("B");
  EXPECT_THAT(driver.Calls(), ElementsAre("Close"));
}

TEST(DefaultPolicyTest, PostStreamComesLast) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"});
  driver.Add("A", Timestamp::PostStream());
  driver.Add("B", 5);
  EXPECT_THAT(driver.Calls(), ElementsAre("5: A<Unstarted B=5"));
  driver.Close("B");
  EXPECT_THAT(driver.Calls(), ElementsAre("PostStream: A=0 B<Max!", "Close"));
}

TEST(DefaultPolicyTest, WithBoundsTheNewestSettledTimeIsCalledOnce) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"}, "", kProcessBounds);
  EXPECT_THAT(driver.Calls(), IsEmpty());
  driver.Bound("A", 10);
  EXPECT_THAT(driver.Calls(), IsEmpty());
  driver.Bound("B", 20);
  EXPECT_THAT(driver.Calls(), ElementsAre("9: A<9 B<19"));
  EXPECT_THAT(driver.Calls(), IsEmpty());
  driver.Bound("A", 15);
  driver.Bound("A", 18);
  EXPECT_THAT(driver.Calls(), ElementsAre("17: A<17 B<19"));
}

TEST(DefaultPolicyTest, WithBoundsAPacketBehindTheSettledTimeWaits) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"}, "", kProcessBounds);
  driver.Add("A", 10);
  driver.Bound("B", 8);
  EXPECT_THAT(driver.Calls(), ElementsAre("7: A<9 B<7"));
  driver.Bound("B", 13);
  EXPECT_THAT(driver.Calls(), ElementsAre("10: A=10 B<12"));
  driver.Bound("A", 13);
  EXPECT_THAT(driver.Calls(), ElementsAre("12: A<12 B<12"));
}

TEST(DefaultPolicyTest, WithBoundsTheEndIsNotATime) {
  PolicyDriver driver(kHandler, {"A:a"}, "", kProcessBounds);
  driver.Add("A", 10);
  driver.Close("A");
  EXPECT_THAT(driver.Calls(), ElementsAre("10: A=10!", "Close"));
}

int BatchSize(const std::string& options) {
  return PolicyDriver(kHandler, {"A:a"}, options).policy().BatchSize();
}

TEST(DefaultPolicyTest, BatchSizeIsThatOfTheOptions) {
  EXPECT_EQ(BatchSize(""), 1);
  constexpr char kExt[] = "[syncline.DefaultInputStreamHandlerOptions.ext] ";
  EXPECT_EQ(BatchSize(absl::StrCat(kExt, "{ batch_size: 3 }")), 3);
  EXPECT_EQ(BatchSize(absl::StrCat(kExt, "{ batch_size: 0 }")), 1);
  EXPECT_EQ(BatchSize(absl::StrCat(kExt, "{ batch_size: -3 }")), 1);
}

TEST(DefaultPolicyTest, WithoutInputsThereIsNothingToWaitFor) {
  PolicyDriver driver(kHandler, {});
  EXPECT_THAT(driver.Calls(), ElementsAre("Close"));
}

}  // namespace
}  // namespace syncline
