#include "framework/packet/synced_packet.h"

#include <string>

#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(SyncedPacketTest, GivesThePacketThatWasPutInLast) {
  SyncedPacket synced(MakePacket<int>(1).At(Timestamp(5)));
  EXPECT_EQ(synced.Get().Get<int>(), 1);
  EXPECT_EQ(synced.Get().Timestamp(), Timestamp(5));
  synced.UpdatePacket(MakePacket<std::string>("two"));
  EXPECT_EQ(synced.Get().Get<std::string>(), "two");
}

TEST(SyncedPacketTest, AdoptAsSyncedPacketIsReachedThroughEveryCopy) {
  const Packet side_packet = AdoptAsSyncedPacket(new int(1));
  const Packet copy = side_packet;  // NOLINT: of the handle, on purpose
  GetFromUniquePtr<SyncedPacket>(copy)->UpdatePacket(MakePacket<int>(2));
  EXPECT_EQ(GetFromUniquePtr<SyncedPacket>(side_packet)->Get().Get<int>(), 2);
}

}  // namespace
}  // namespace syncline
