#include "framework/trace/convert/sent_packets.h"

#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(SentPacketsTest, APacketIsKnownUntilAllReadersHaveIt) {
  SentPackets packets({2});
  const SentPacket sent = packets.Add(0, 5, 100, 90);
  const SentPacket* const taken = packets.Take(0, 5);
  ASSERT_NE(taken, nullptr);
  EXPECT_EQ(taken->sent_us, 100);
  EXPECT_EQ(taken->origin_us, 90);
  EXPECT_EQ(taken->number, sent.number);
  EXPECT_NE(packets.Take(0, 5), nullptr);
  EXPECT_EQ(packets.Take(0, 5), nullptr);
  EXPECT_EQ(packets.Take(0, 6), nullptr);
}

TEST(SentPacketsTest, NumbersTellPacketsApart) {
  SentPackets packets({1, 0});
  EXPECT_NE(packets.Add(0, 5, 0, 0).number, packets.Add(1, 5, 0, 0).number);
}

TEST(SentPacketsTest, OnlyTheNewestOfAStreamAreKnown) {
  SentPackets packets({1});
  const auto most = static_cast<std::int64_t>(SentPackets::kMaxOfStream);
  for (std::int64_t i = 0; i <= most; ++i) packets.Add(0, i, i, i);
  EXPECT_EQ(packets.Take(0, 0), nullptr);
  EXPECT_NE(packets.Take(0, 1), nullptr);
  EXPECT_NE(packets.Take(0, most), nullptr);
}

}  // namespace
}  // namespace syncline
