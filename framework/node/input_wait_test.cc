#include "framework/node/input_wait.h"

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "framework/condition/condition_result.h"
#include "framework/policy/policy_test_support.h"
#include "framework/policy/timeout_policy.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kSinceOldestPacket[] =
    "[syncline.TimeoutInputStreamHandlerOptions.ext] { timeout_ns: 100 since: "
    "OLDEST_PACKET }";
constexpr char kSinceLastCall[] =
    "[syncline.TimeoutInputStreamHandlerOptions.ext] { timeout_ns: 100 since: "
    "LAST_CALL }";

// Two inputs, of which the first has no packet before it is given one.
class InputWaitTest : public ::testing::Test {
 protected:
  explicit InputWaitTest(const char* options = kSinceOldestPacket)
      : driver_("TimeoutInputStreamHandler", {"A:a", "B:b"}, options),
        arrivals_(2) {
    wait_.SetPolicy(driver_.policy().AsTimeoutPolicy());
  }
  void Add(int timestamp, std::int64_t now_ns) {
    driver_.Add("A", timestamp);
    arrivals_[0].push_back(now_ns);
  }

  PolicyDriver driver_;
  std::vector<std::deque<std::int64_t>> arrivals_;
  InputWait wait_;
};

TEST(InputWaitWithoutPolicyTest, NeverIs) {
  const InputWait wait;
  EXPECT_FALSE(wait.has_policy());
  EXPECT_FALSE(wait.needs_arrivals());
  EXPECT_FALSE(wait.is_wanted());
  EXPECT_FALSE(wait.has_packets());
  EXPECT_EQ(wait.target_ns(), ConditionResult::kNoTarget);
  EXPECT_FALSE(wait.IsUp(1'000'000));
}

TEST_F(InputWaitTest, WithoutPacketsThereIsNoneForPackets) {
  EXPECT_TRUE(wait_.has_policy());
  EXPECT_TRUE(wait_.needs_arrivals());
  EXPECT_FALSE(wait_.Want());
  EXPECT_FALSE(wait_.is_wanted());
  EXPECT_FALSE(wait_.Begin(5, arrivals_));
}

TEST_F(InputWaitTest, BeginsWithThePacketThatIsMissing) {
  Add(10, 30);
  EXPECT_TRUE(wait_.Want());
  EXPECT_TRUE(wait_.is_wanted());
  EXPECT_TRUE(wait_.Begin(50, arrivals_));
  EXPECT_TRUE(wait_.has_packets());
  EXPECT_EQ(wait_.target_ns(), 130);
  // It is known now.
  EXPECT_FALSE(wait_.Want());
  // Begun again, it goes on.
  Add(20, 60);
  EXPECT_TRUE(wait_.Begin(90, arrivals_));
  EXPECT_EQ(wait_.target_ns(), 130);
  EXPECT_FALSE(wait_.IsUp(129));
  EXPECT_TRUE(wait_.IsUp(130));
}

TEST_F(InputWaitTest, SettlesWhatItsTimeIsUpFor) {
  Add(10, 30);
  wait_.Want();
  wait_.Begin(50, arrivals_);
  EXPECT_THAT(driver_.Calls(), IsEmpty());
  wait_.TimeIsUp(130, arrivals_);
  EXPECT_THAT(driver_.Calls(), ElementsAre("10: A=10 B<10"));
}

TEST_F(InputWaitTest, IsWantedUntilItStops) {
  Add(10, 30);
  EXPECT_TRUE(wait_.Want());
  EXPECT_FALSE(wait_.Stop());
  EXPECT_FALSE(wait_.is_wanted());
  wait_.Want();
  wait_.Begin(50, arrivals_);
  EXPECT_TRUE(wait_.Stop());
  EXPECT_FALSE(wait_.is_wanted());
  EXPECT_FALSE(wait_.has_packets());
  EXPECT_EQ(wait_.target_ns(), ConditionResult::kNoTarget);
  EXPECT_TRUE(wait_.Want());
}

class InputWaitSinceLastCallTest : public InputWaitTest {
 protected:
  InputWaitSinceLastCallTest() : InputWaitTest(kSinceLastCall) {}
};

TEST_F(InputWaitSinceLastCallTest, MayBeForACallWithoutPackets) {
  EXPECT_FALSE(wait_.needs_arrivals());
  EXPECT_TRUE(wait_.Want());
  // Nothing more is known before it begins.
  EXPECT_FALSE(wait_.Want());
  EXPECT_TRUE(wait_.Begin(50, {}));
  EXPECT_FALSE(wait_.has_packets());
  EXPECT_EQ(wait_.target_ns(), 150);
}

TEST_F(InputWaitSinceLastCallTest, IsLookedAtAnewOnceThereArePackets) {
  wait_.Want();
  wait_.Begin(50, {});
  Add(10, 60);
  EXPECT_TRUE(wait_.Want());
  EXPECT_TRUE(wait_.Begin(70, {}));
  EXPECT_TRUE(wait_.has_packets());
  EXPECT_EQ(wait_.target_ns(), 150);
}

}  // namespace
}  // namespace syncline
