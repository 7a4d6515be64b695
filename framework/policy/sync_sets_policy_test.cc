// The calls of SyncSetInputStreamHandler: the timeline of its file,
// which set comes first, and streams that no set names.

#include "framework/packet/timestamp.h"
#include "framework/policy/policy_test_support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kHandler[] = "SyncSetInputStreamHandler";
constexpr char kAAndB[] = R"pb(
  [syncline.SyncSetInputStreamHandlerOptions.ext] {
    sync_set { tag_index: "A" tag_index: "B" }
  }
)pb";

TEST(SyncSetsPolicyTest, FollowsTheTimelineOfItsFile) {
  PolicyDriver driver(kHandler, {"A:a", "B:b", "C:c"}, kAAndB);
  driver.Add("A", 10);
  driver.Add("A", 30);
  driver.Add("B", 10);
  driver.Bound("B", 21);
  driver.Add("C", 20);
  EXPECT_THAT(driver.Calls(),
              ElementsAre("10: A=10 B=10 C<19", "20: A<29 B<20 C=20"));
  driver.Bound("B", 31);
  EXPECT_THAT(driver.Calls(), ElementsAre("30: A=30 B<30 C<20"));
}

TEST(SyncSetsPolicyTest, ASetDoesNotWaitForAnother) {
  PolicyDriver driver(kHandler, {"A:a", "B:b", "C:c"}, kAAndB);
  driver.Add("C", 20);
  EXPECT_THAT(driver.Calls(), ElementsAre("20: A<Unstarted B<Unstarted C=20"));
  driver.Add("A", 10);
  EXPECT_THAT(driver.Calls(), IsEmpty());
  driver.Add("B", 10);
  EXPECT_THAT(driver.Calls(), ElementsAre("10: A=10 B=10 C<20"));
}

TEST(SyncSetsPolicyTest, SetsThatAreReadyAtTheSameTimeGoOneByOne) {
  PolicyDriver driver(kHandler, {"A:a", "B:b", "C:c"}, kAAndB);
  driver.Add("C", 10);
  driver.Add("B", 10);
  driver.Add("A", 10);
  EXPECT_THAT(driver.Calls(),
              ElementsAre("10: A=10 B=10 C<9", "10: A<10 B<10 C=10"));
}

TEST(SyncSetsPolicyTest, TheSetThatIsNamedFirstIsFirst) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"}, R"pb(
    [syncline.SyncSetInputStreamHandlerOptions.ext] {
      sync_set { tag_index: "B" }
      sync_set { tag_index: "A" }
    }
  )pb");
  driver.Add("A", 10);
  driver.Add("B", 10);
  EXPECT_THAT(driver.Calls(), ElementsAre("10: A<9 B=10", "10: A=10 B<10"));
}

TEST(SyncSetsPolicyTest, SetsEndOneByOne) {
  PolicyDriver driver(kHandler, {"A:a", "B:b", "C:c"}, kAAndB);
  driver.Add("C", 5);
  driver.Close("C");
  EXPECT_THAT(driver.Calls(), ElementsAre("5: A<Unstarted B<Unstarted C=5!"));
  driver.Close("A");
  driver.Add("B", 7);
  EXPECT_THAT(driver.Calls(), ElementsAre("7: A<Max! B=7 C<Max!"));
  driver.Close("B");
  EXPECT_THAT(driver.Calls(), ElementsAre("Close"));
}

TEST(SyncSetsPolicyTest, WithoutSetsItIsTheDefaultRule) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"});
  driver.Add("A", 10);
  EXPECT_THAT(driver.Calls(), IsEmpty());
  driver.Add("B", 10);
  EXPECT_THAT(driver.Calls(), ElementsAre("10: A=10 B=10"));
  EXPECT_TRUE(driver.policy().HasOneOrder());
  EXPECT_FALSE(driver.policy().RepeatsTimestamps());
}

TEST(SyncSetsPolicyTest, SeveralSetsHaveNoCommonOrder) {
  PolicyDriver driver(kHandler, {"A:a", "B:b", "C:c"}, kAAndB);
  EXPECT_FALSE(driver.policy().HasOneOrder());
  EXPECT_TRUE(driver.policy().RepeatsTimestamps());
}

TEST(SyncSetsPolicyTest, PortsAreNamedByTagAndIndexOrIndexAlone) {
  PolicyDriver driver(kHandler, {"A:0:a", "A:1:b", "c", "d"}, R"pb(
    [syncline.SyncSetInputStreamHandlerOptions.ext] {
      sync_set { tag_index: "A:1" tag_index: ":1" }
    }
  )pb");
  driver.Add("A:1", 3);
  EXPECT_THAT(driver.Calls(), IsEmpty());
  driver.Add(":1", 3);
  EXPECT_THAT(driver.Calls(),
              ElementsAre("3: :0<Unstarted :1=3 A:0<Unstarted A:1=3"));
}

TEST(SyncSetsPolicyTest, WithBoundsEachSetHasSettledTimesOfItsOwn) {
  PolicyDriver driver(kHandler, {"A:a", "B:b", "C:c"}, kAAndB,
                      /*process_timestamp_bounds=*/true);
  driver.Bound("C", 10);
  EXPECT_THAT(driver.Calls(), ElementsAre("9: A<Unstarted B<Unstarted C<9"));
  driver.Bound("A", 5);
  EXPECT_THAT(driver.Calls(), IsEmpty());
  driver.Bound("B", 7);
  EXPECT_THAT(driver.Calls(), ElementsAre("4: A<4 B<6 C<9"));
}

}  // namespace
}  // namespace syncline
