// Side packets of a run, and what a graph remembers of those from earlier runs.

#include "framework/run/run_side_packets.h"

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/types/optional.h"
#include "framework/packet/packet.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;

TEST(RunSidePacketsTest, AreEmptyUntilTheyAreSet) {
  RunSidePackets packets(3);
  const Packet one = MakePacket<int>(1), two = MakePacket<int>(2);
  EXPECT_TRUE(packets.Get(2).IsEmpty());
  packets.Set(2, one);
  EXPECT_TRUE(packets.Get(2) == one);
  EXPECT_TRUE(packets.Get(1).IsEmpty());
  packets.Set(2, two);
  packets.Set(0, one);
  const std::vector<Packet> some = packets.Get({2, 0, 1});
  ASSERT_EQ(some.size(), 3);
  EXPECT_TRUE(some[0] == two);
  EXPECT_TRUE(some[1] == one);
  EXPECT_TRUE(some[2].IsEmpty());
}

// Reads the packets while it is released.
struct Reader {
  explicit Reader(const RunSidePackets* packets) : packets(packets) {}
  ~Reader() { EXPECT_TRUE(packets->Get(0).IsEmpty()); }
  const RunSidePackets* const packets;
};

TEST(RunSidePacketsTest, OneThatIsReplacedIsReleasedWithoutTheLock) {
  RunSidePackets packets(1);
  packets.Set(0, MakePacket<std::shared_ptr<Reader>>(
                     std::make_shared<Reader>(&packets)));
  packets.Set(0, Packet());
}

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
