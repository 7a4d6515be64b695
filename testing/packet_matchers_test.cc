// Matchers of packets: what matches, and what a failure says.
#include "testing/packet_matchers.h"

#include <string>
#include <vector>

#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::Gt;
using ::testing::HasSubstr;
using ::testing::Not;

Packet Int(int value, Timestamp timestamp) {
  return MakePacket<int>(value).At(timestamp);
}

template <typename Value>
std::string Explain(const Value& value,
                    const testing::Matcher<const Value&>& matcher) {
  testing::StringMatchResultListener listener;
  matcher.MatchAndExplain(value, &listener);
  return listener.str();
}

TEST(PacketMatchersTest, LooksAtTimeAndValue) {
  const Packet packet = Int(7, Timestamp(10));
  EXPECT_THAT(packet, HasTimestamp(10));
  EXPECT_THAT(packet, Not(HasTimestamp(Timestamp::PreStream())));
  EXPECT_THAT(packet, HoldsValue<int>(7));
  EXPECT_THAT(packet, HoldsValue<int>(Gt(6)));
  EXPECT_THAT(packet, Not(HoldsValue<int>(Gt(7))));
  EXPECT_THAT(packet, PacketIs<int>(10, 7));
  EXPECT_THAT(packet, Not(PacketIs<int>(11, 7)));
}

TEST(PacketMatchersTest, AnotherTypeDoesNotMatchAndIsNamed) {
  const Packet packet = MakePacket<std::string>("x").At(Timestamp(1));
  EXPECT_THAT(packet, Not(HoldsValue<int>(7)));
  EXPECT_THAT(Explain<Packet>(packet, HoldsValue<int>(7)), HasSubstr("string"));
  EXPECT_THAT(Packet(), Not(HoldsValue<int>(7)));
}

TEST(PacketMatchersTest, ComparesAStreamPacketByPacket) {
  const std::vector<Packet> stream = {Int(1, Timestamp::PreStream()),
                                      Int(2, Timestamp(10))};
  EXPECT_THAT(stream, StreamIs({{Timestamp::PreStream(), 1}, {10, 2}}));
  EXPECT_THAT(stream, Not(StreamIs({{Timestamp::PreStream(), 1}})));
  EXPECT_THAT(stream, Not(StreamIs({{Timestamp::PreStream(), 1}, {10, 3}})));
  EXPECT_THAT(stream, Not(StreamIs({{Timestamp::PreStream(), 1}, {11, 2}})));
  EXPECT_THAT(std::vector<Packet>(), StreamIs({}));
  EXPECT_THAT(
      std::vector<Packet>{MakePacket<std::string>("a").At(Timestamp(0))},
      StreamIs<std::string>({{0, "a"}}));
}

TEST(PacketMatchersTest, SaysWhichPacketDiffers) {
  const std::vector<Packet> stream = {Int(1, Timestamp(0)),
                                      Int(2, Timestamp(10))};
  EXPECT_EQ(Explain<std::vector<Packet>>(stream, StreamIs({{0, 1}, {10, 5}})),
            "which is {0: 1, 10: 2}; packet #1 differs");
  EXPECT_EQ(Explain<std::vector<Packet>>(stream, StreamIs({{0, 1}})),
            "which is {0: 1, 10: 2}; it has 2 packets, not 1");
}

}  // namespace
}  // namespace syncline
