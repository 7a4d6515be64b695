// Side packets of a run.

#include "framework/run/run_side_packets.h"

#include <memory>
#include <vector>

#include "framework/packet/packet.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

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

}  // namespace
}  // namespace syncline
