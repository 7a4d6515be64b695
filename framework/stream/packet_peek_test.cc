// Whoever looks at a stream gets the next packet of it, and no more are kept.
#include "framework/stream/packet_peek.h"

#include <memory>
#include <vector>

#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

Packet At(int time) { return MakePacket<int>(time).At(Timestamp(time)); }

TEST(PacketPeekTest, APacketThatNobodyAskedForIsNotKept) {
  PacketPeek peek(2);
  peek.See(1, {At(1)});
  EXPECT_TRUE(peek.Look(1).IsEmpty());
}

TEST(PacketPeekTest, TheNextPacketAfterLookingIsKept) {
  PacketPeek peek(2);
  EXPECT_TRUE(peek.Look(1).IsEmpty());
  peek.See(0, {At(1)});
  peek.See(1, {});
  peek.See(1, {At(2), At(3)});
  peek.See(1, {At(4)});
  EXPECT_EQ(peek.Look(1).Timestamp(), Timestamp(3));
  EXPECT_TRUE(peek.Look(1).IsEmpty());
  EXPECT_TRUE(peek.Look(0).IsEmpty());
}

TEST(PacketPeekTest, AfterTheLastLookNothingIsHeld) {
  PacketPeek peek(1);
  auto value = std::make_shared<int>(7);
  peek.Look(0);
  peek.See(0, {MakePacket<std::shared_ptr<int>>(value).At(Timestamp(1))});
  EXPECT_EQ(value.use_count(), 2);
  peek.StopLooking(0);
  EXPECT_EQ(value.use_count(), 1);
  peek.See(0, {MakePacket<std::shared_ptr<int>>(value).At(Timestamp(2))});
  EXPECT_EQ(value.use_count(), 1);
}

TEST(PacketPeekTest, AReaderTakesTheValueOfAPacketThatIsKept) {
  PacketPeek peek(2);
  peek.Look(0);
  peek.Look(1);
  Packet packet = At(1);
  // It went on into another stream.
  peek.See(0, {packet});
  peek.See(1, {packet});
  EXPECT_TRUE(packet.Consume<int>().ok());
  EXPECT_TRUE(peek.Look(0).IsEmpty());
  EXPECT_TRUE(peek.Look(1).IsEmpty());
}

}  // namespace
}  // namespace syncline
