// Packets of values that somebody else owns.

#include <memory>
#include <utility>
#include <vector>

#include "framework/packet/packet.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(PointToForeignTest, PointsToTheObjectAndDoesNotDestroyIt) {
  auto object = std::make_shared<int>(3);
  struct Holder {
    std::shared_ptr<int> pointer;
  };
  const Holder holder = {object};
  {
    const Packet packet = PointToForeign(&holder);
    EXPECT_EQ(&packet.Get<Holder>(), &holder);
  }
  EXPECT_EQ(object.use_count(), 2);
}

TEST(PointToForeignTest, TheCleanupRunsOnceWhenTheLastCopyDies) {
  const int value = 3;
  int calls = 0;
  Packet packet = PointToForeign(&value, [&calls] { ++calls; });
  {
    const Packet copy = packet;
    const Packet later = packet.At(Timestamp(1));
    packet = Packet();
    EXPECT_EQ(calls, 0);
  }
  EXPECT_EQ(calls, 1);
}

TEST(PointToForeignTest, ASharedPointerDelaysTheCleanup) {
  const int value = 3;
  int calls = 0;
  std::shared_ptr<const int> shared =
      *PointToForeign(&value, [&calls] { ++calls; }).Share<int>();
  EXPECT_EQ(calls, 0);
  shared.reset();
  EXPECT_EQ(calls, 1);
}

TEST(PointToForeignTest, ConsumeOrCopyRunsTheCleanupAfterTheCopy) {
  auto object = std::make_unique<std::vector<int>>(3, 7);
  const std::vector<int>* const pointer = object.get();
  Packet packet = PointToForeign(
      pointer, [owner = std::move(object)]() mutable { owner.reset(); });
  const std::unique_ptr<std::vector<int>> copy =
      *packet.ConsumeOrCopy<std::vector<int>>();
  EXPECT_EQ(*copy, std::vector<int>({7, 7, 7}));
}

TEST(PointToForeignTest, AnEmptyCleanupIsNone) {
  const int value = 3;
  EXPECT_EQ(PointToForeign(&value, nullptr).Get<int>(), 3);
}

}  // namespace
}  // namespace syncline
