#include "framework/stream/packet_ring.h"

#include <cstddef>
#include <deque>
#include <memory>
#include <random>

#include "framework/packet/packet.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(PacketRingTest, GivesPacketsBackInTheirOrder) {
  PacketRing ring;
  EXPECT_TRUE(ring.empty());
  for (int i = 0; i < 100; ++i) ring.push_back(MakePacket<int>(i));
  EXPECT_EQ(ring.size(), 100U);
  EXPECT_EQ(ring.front().Get<int>(), 0);
  EXPECT_EQ(ring.back().Get<int>(), 99);
  EXPECT_EQ(ring.at(42).Get<int>(), 42);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(ring.pop_front().Get<int>(), i);
  EXPECT_TRUE(ring.empty());
}

TEST(PacketRingTest, IsAQueueWhateverTheOrderOfCalls) {
  std::mt19937 random(1);
  PacketRing ring;
  std::deque<int> expected;
  int next = 0;
  for (int i = 0; i < 20000; ++i) {
    // Grows for a while, then shrinks for a while.
    const bool grows = (i / 500) % 2 == 0;
    if (random() % 3 != 0 ? grows : !grows) {
      ring.push_back(MakePacket<int>(next));
      expected.push_back(next++);
    } else if (!expected.empty()) {
      ASSERT_EQ(ring.pop_front().Get<int>(), expected.front());
      expected.pop_front();
    }
    ASSERT_EQ(ring.size(), expected.size());
    if (expected.empty()) continue;
    ASSERT_EQ(ring.front().Get<int>(), expected.front());
    ASSERT_EQ(ring.back().Get<int>(), expected.back());
    const size_t middle = random() % expected.size();
    ASSERT_EQ(ring.at(middle).Get<int>(), expected[middle]);
  }
}

TEST(PacketRingTest, DoesNotGrowWhileItFits) {
  PacketRing ring;
  for (int i = 0; i < 1000; ++i) {
    ring.push_back(MakePacket<int>(i));
    ring.pop_front();
  }
  EXPECT_EQ(ring.capacity(), 1U);
}

TEST(PacketRingTest, NeedsAtMostTwiceTheRoomOfItsLongestMoment) {
  PacketRing ring;
  for (int i = 0; i < 1000; ++i) ring.push_back(MakePacket<int>(i));
  EXPECT_LE(ring.capacity(), 2000U);
}

TEST(PacketRingTest, LetsGoOfValuesThatLeave) {
  auto value = std::make_shared<int>(7);
  PacketRing ring;
  for (int i = 0; i < 5; ++i) {
    ring.push_back(MakePacket<std::shared_ptr<int>>(value));
  }
  EXPECT_EQ(value.use_count(), 6);
  ring.pop_front();
  EXPECT_EQ(value.use_count(), 5);
  ring.clear();
  EXPECT_EQ(value.use_count(), 1);
  EXPECT_TRUE(ring.empty());
  ring.push_back(MakePacket<std::shared_ptr<int>>(value));
  EXPECT_EQ(ring.front().Get<std::shared_ptr<int>>(), value);
}

}  // namespace
}  // namespace syncline
