#include "util/packet_test_util.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::Gt;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StringMatchResultListener;

TEST(PacketTestUtilTest, MatchesByValue) {
  const Packet packet = MakePacket<int>(5).At(Timestamp(10));
  EXPECT_THAT(packet, PacketContains<int>(5));
  EXPECT_THAT(packet, PacketContains<int>(Gt(3)));
  EXPECT_THAT(packet, Not(PacketContains<int>(6)));
}

TEST(PacketTestUtilTest, MatchesByTimestampAndValue) {
  const std::vector<Packet> packets = {
      MakePacket<std::string>("ten").At(Timestamp(10)),
      MakePacket<std::string>("twenty").At(Timestamp(20))};
  EXPECT_THAT(packets,
              ElementsAre(PacketContainsTimestampAndPayload<std::string>(
                              Timestamp(10), "ten"),
                          PacketContainsTimestampAndPayload<std::string>(
                              Gt(Timestamp(10)), HasSubstr("ty"))));
  EXPECT_THAT(packets[0], Not(PacketContainsTimestampAndPayload<std::string>(
                              Timestamp(11), "ten")));
}

TEST(PacketTestUtilTest, EqualPacketsHaveOneTimestampAndEqualValues) {
  const Packet packet = MakePacket<int>(5).At(Timestamp(10));
  EXPECT_THAT(packet, PacketEq<int>(MakePacket<int>(5).At(Timestamp(10))));
  EXPECT_THAT(packet, Not(PacketEq<int>(MakePacket<int>(5).At(Timestamp(11)))));
  EXPECT_THAT(packet, Not(PacketEq<int>(MakePacket<int>(6).At(Timestamp(10)))));
  EXPECT_THAT(Packet(), Not(PacketEq<int>(packet)));
}

TEST(PacketTestUtilTest, AnotherTypeDoesNotMatchAndIsNamed) {
  StringMatchResultListener listener;
  const auto matcher = PacketContains<int>(5);
  EXPECT_FALSE(matcher.MatchAndExplain(MakePacket<float>(5), &listener));
  EXPECT_THAT(listener.str(), HasSubstr("\"float\""));
  EXPECT_THAT(Packet(), Not(PacketContains<int>(5)));
}

}  // namespace
}  // namespace syncline
