// What a condition gets from its setup, and how it tells of changes.

#include "framework/condition/condition.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/config/syncline_options.pb.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

class ToldCondition : public ConditionBase {
 public:
  absl::StatusOr<ConditionResult> Check(const NodeFacts&) override {
    return ConditionResult::Ready();
  }
  ConditionDependence DependsOn() const override {
    return ConditionDependence::kPackets;
  }
  using ConditionBase::Notify;
};
REGISTER_CONDITION(ToldCondition);
REGISTER_CONDITION_ALIAS(ToldCondition, ToldSchedulingTerm);

struct CountingListener : ConditionListener {
  void OnConditionChanged() override { ++count; }
  int count = 0;
};

class ConditionSetupTest : public ::testing::Test {
 protected:
  SynclineOptions options_;
  std::vector<ConditionPort> inputs_ = {{"A", 0, "a"}, {"A", 1, "b"}};
  std::vector<ConditionPort> outputs_ = {{"", 0, "out"}};
  std::vector<std::string> allocators_ = {"pool"};
  ConditionRequests requests_;
  ConditionSetup setup_{&options_, inputs_, outputs_, allocators_, &requests_};
};

TEST_F(ConditionSetupTest, OptionsThatThisBinaryDoesNotKnowAreRefused) {
  EXPECT_TRUE(setup_.CheckOptions().ok());
  options_.mutable_unknown_fields()->AddVarint(29999, 1);
  const absl::Status status = setup_.CheckOptions();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("the field 29999"));
}

TEST_F(ConditionSetupTest, FindsPortsByTagAndIndexAndByStream) {
  EXPECT_EQ(*setup_.Input("receiver", "A"), 0);
  EXPECT_EQ(*setup_.Input("receiver", "A:1"), 1);
  EXPECT_EQ(*setup_.Input("receiver", "b"), 1);
  EXPECT_EQ(*setup_.Input("receiver", "A:1:b"), 1);
  EXPECT_EQ(*setup_.Output("transmitter", ":0"), 0);
  EXPECT_EQ(*setup_.Output("transmitter", "out"), 0);
}

TEST_F(ConditionSetupTest, TheOnlyPortNeedsNoName) {
  EXPECT_EQ(*setup_.Output("transmitter", ""), 0);
  EXPECT_THAT(setup_.Input("receiver", "").status().message(),
              HasSubstr("receiver is not set; its input streams are \"A:0:a\", "
                        "\"A:1:b\""));
}

TEST_F(ConditionSetupTest, APortThatDoesNotExistIsAnErrorThatListsThoseThatDo) {
  const absl::StatusOr<int> port = setup_.Input("receiver", "B");
  EXPECT_EQ(port.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(port.status().message(),
              HasSubstr("receiver: the node has no input stream \"B\""));
  const ConditionSetup bare(&options_, {}, {}, {}, &requests_);
  EXPECT_THAT(bare.Output("transmitter", "x").status().message(),
              HasSubstr("it has no output streams"));
}

TEST_F(ConditionSetupTest, APortOfTheOtherDirectionIsAnErrorThatSaysSo) {
  EXPECT_THAT(setup_.Input("receiver", "out").status().message(),
              HasSubstr("receiver: the node has no input stream \"out\", which "
                        "is an output stream of it; its input streams are"));
  EXPECT_THAT(setup_.Output("transmitter", "A:1").status().message(),
              HasSubstr("has no output stream \"A:1\", which is an input "
                        "stream of it"));
}

TEST_F(ConditionSetupTest, AnAllocatorHasToExist) {
  EXPECT_TRUE(setup_.CheckAllocator("allocator", "pool").ok());
  EXPECT_THAT(
      setup_.CheckAllocator("allocator", "pond").message(),
      HasSubstr("the graph has no allocator \"pond\"; it has \"pool\""));
}

TEST(ConditionTest, ANotificationReachesTheListenerThatThereIs) {
  ToldCondition condition;
  condition.Notify();
  const auto first = std::make_shared<CountingListener>();
  condition.SetListener(first);
  condition.Notify();
  condition.Notify();
  EXPECT_EQ(first->count, 2);
  condition.SetListener(nullptr);
  condition.Notify();
  EXPECT_EQ(first->count, 2);
}

TEST(ConditionTest, IsMadeByItsNameOrItsOtherName) {
  EXPECT_TRUE(ConditionRegistry::CreateByName("ToldCondition").ok());
  EXPECT_TRUE(ConditionRegistry::CreateByName("ToldSchedulingTerm").ok());
  EXPECT_FALSE(ConditionRegistry::IsRegistered("UntoldCondition"));
}

}  // namespace
}  // namespace syncline
