// Packets of a call, in order, in room that is used again.
#include "framework/packet/packet_buffer.h"

#include <memory>
#include <utility>

#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

void Fill(PacketBuffer* buffer, int count) {
  for (int i = 0; i < count; ++i) {
    buffer->Add(MakePacket<int>(i).At(Timestamp(i)));
  }
}

TEST(PacketBufferTest, KeepsTheOrderHoweverManyThereAre) {
  for (const int count : {0, 1, 2, 3, 4, 5, 17, 64, 65, 1000}) {
    PacketBuffer buffer;
    Fill(&buffer, count);
    EXPECT_EQ(buffer.empty(), count == 0);
    ASSERT_EQ(buffer.packets().size(), count);
    for (int i = 0; i < count; ++i) {
      EXPECT_EQ(buffer.packets()[i].Get<int>(), i);
      EXPECT_EQ(buffer.packets()[i].Timestamp(), Timestamp(i));
    }
  }
}

TEST(PacketBufferTest, ClearLetsGoOfThePackets) {
  const auto value = std::make_shared<int>(7);
  PacketBuffer buffer;
  for (const int count : {1, 3, 200}) {
    for (int i = 0; i < count; ++i) {
      buffer.Add(MakePacket<std::shared_ptr<int>>(value));
    }
    EXPECT_EQ(value.use_count(), 1 + count);
    buffer.Clear();
    EXPECT_TRUE(buffer.empty());
    EXPECT_EQ(value.use_count(), 1);
  }
}

TEST(PacketBufferTest, TheFirstPacketMayBeCopiedOrMovedAndTaken) {
  const auto value = std::make_shared<int>(7);
  PacketBuffer buffer;
  Packet packet = MakePacket<std::shared_ptr<int>>(value);
  for (int i = 0; i < 2; ++i) {
    buffer.AddFirst(packet);
    ASSERT_EQ(buffer.packets().size(), 1u);
    EXPECT_EQ(buffer.packets()[0], packet);
    const Packet taken = std::move(buffer.packets()[0]);
    buffer.ForgetFirst();
    EXPECT_TRUE(buffer.empty());
  }
  buffer.AddFirst(std::move(packet));
  EXPECT_TRUE(packet.IsEmpty());
  EXPECT_EQ(value.use_count(), 2);
  buffer.Add(MakePacket<std::shared_ptr<int>>(value));
  EXPECT_EQ(buffer.packets().size(), 2u);
  buffer.Clear();
  EXPECT_EQ(value.use_count(), 1);
}

TEST(PacketBufferTest, RoomIsKeptUpToALimit) {
  PacketBuffer buffer;
  Fill(&buffer, PacketBuffer::kMaxKept);
  const Packet* const room = buffer.packets().data();
  buffer.Clear();
  Fill(&buffer, PacketBuffer::kMaxKept);
  EXPECT_EQ(buffer.packets().data(), room);
  Fill(&buffer, 1);
  buffer.Clear();
  Fill(&buffer, 1);
  const char* const first = reinterpret_cast<const char*>(&buffer);
  EXPECT_EQ(reinterpret_cast<const char*>(buffer.packets().data()), first)
      << "back in the buffer itself";
}

TEST(PacketBufferTest, PacketsCanBeMovedOut) {
  PacketBuffer buffer;
  Fill(&buffer, 3);
  const Packet taken = std::move(buffer.packets()[1]);
  EXPECT_EQ(taken.Get<int>(), 1);
  buffer.Clear();
  Fill(&buffer, 3);
  EXPECT_EQ(buffer.packets()[1].Get<int>(), 1);
}

}  // namespace
}  // namespace syncline
