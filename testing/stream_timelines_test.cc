// Timelines: columns line up, and every kind of packet has its sign.
#include "testing/stream_timelines.h"

#include <string>
#include <vector>

#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

Packet Int(int value, Timestamp timestamp) {
  return MakePacket<int>(value).At(timestamp);
}

TEST(StreamTimelinesTest, AlignsPacketsByTimestamp) {
  EXPECT_EQ(DrawTimelines(
                {{"in",
                  {Int(1, Timestamp(0)), Int(2, Timestamp(10)),
                   Int(3, Timestamp(20))}},
                 {"labels",
                  {MakePacket<std::string>("all").At(Timestamp::PreStream())}},
                 {"out",
                  {Int(1, Timestamp(0)), Packet().At(Timestamp(10)),
                   Int(300, Timestamp(20))}}}),
            "        PreStream  0  10   20\n"
            "in                 1   2    3\n"
            "labels      \"all\"\n"
            "out                1   -  300\n");
}

TEST(StreamTimelinesTest, ShowsPacketsThatShareATimestamp) {
  EXPECT_EQ(
      DrawTimelines({{"a", {Int(1, Timestamp(0)), Int(2, Timestamp(0))}}}),
      "     0\n"
      "a  1,2\n");
}

TEST(StreamTimelinesTest, NamesTypesItCannotPrint) {
  EXPECT_THAT(
      DrawTimelines({{"a", {MakePacket<std::vector<int>>().At(Timestamp(0))}}}),
      testing::HasSubstr("vector"));
}

TEST(StreamTimelinesTest, EndsWhereItGetsTooWide) {
  std::vector<Packet> packets;
  for (int i = 0; i < 50; ++i) packets.push_back(Int(i, Timestamp(i)));
  EXPECT_THAT(DrawTimelines({{"a", packets}}), testing::HasSubstr("(10 more)"));
}

}  // namespace
}  // namespace syncline
