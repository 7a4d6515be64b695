// What a graph remembers of a node from earlier runs.

#include "framework/run/remembered_node.h"

#include <vector>

#include "framework/packet/packet.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

class RememberedNodeTest : public ::testing::Test {
 protected:
  const Packet a_ = MakePacket<int>(1);
  const Packet b_ = MakePacket<int>(2);
  RememberedNode node_;
};

TEST_F(RememberedNodeTest, KnowsNothingAtFirst) {
  EXPECT_FALSE(node_.Knows({}));
  EXPECT_TRUE(node_.outputs().empty());
}

TEST_F(RememberedNodeTest, KnowsTheSameInputs) {
  node_.Remember({a_, Packet()}, {b_});
  EXPECT_TRUE(node_.Knows({a_, Packet()}));
  EXPECT_FALSE(node_.Knows({b_, Packet()}));
  EXPECT_FALSE(node_.Knows({a_, b_}));
  EXPECT_FALSE(node_.Knows({MakePacket<int>(1), Packet()})) << "another value";
  ASSERT_EQ(node_.outputs().size(), 1);
  EXPECT_TRUE(node_.outputs()[0] == b_);
  node_.Remember({b_}, {});
  EXPECT_FALSE(node_.Knows({a_, Packet()}));
  EXPECT_TRUE(node_.Knows({b_}));
}

TEST_F(RememberedNodeTest, DoesNotRepeatWhatMayStillCome) {
  node_.Remember({a_}, {b_, Packet()});
  EXPECT_FALSE(node_.Knows({a_}));
}

TEST_F(RememberedNodeTest, WarnsOnce) {
  for (const bool has_warned : {false, true, true}) {
    EXPECT_EQ(node_.HasWarnedOfOffset(), has_warned);
  }
}

}  // namespace
}  // namespace syncline
