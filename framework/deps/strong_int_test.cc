#include "framework/deps/strong_int.h"

#include <cstdint>
#include <sstream>
#include <type_traits>
#include <unordered_set>

#include "absl/container/flat_hash_set.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

SYNCLINE_DEFINE_STRONG_INT_TYPE(FrameIndex, int64_t);
SYNCLINE_DEFINE_STRONG_INT_TYPE(TrackId, int64_t);
SYNCLINE_DEFINE_STRONG_INT_TYPE(Level, uint8_t);

TEST(StrongIntTest, TypesAreToldApart) {
  static_assert(!std::is_convertible_v<int64_t, FrameIndex>);
  static_assert(!std::is_convertible_v<FrameIndex, int64_t>);
  static_assert(!std::is_constructible_v<TrackId, FrameIndex>);
  static_assert(intops::IsStrongInt<FrameIndex>::value);
  static_assert(!intops::IsStrongInt<int64_t>::value);
  static_assert(sizeof(Level) == 1);
  EXPECT_EQ(FrameIndex::TypeName(), "FrameIndex");
}

TEST(StrongIntTest, HasAValue) {
  FrameIndex x;
  EXPECT_EQ(x.value(), 0);
  EXPECT_TRUE(!x);
  x = FrameIndex(93);
  EXPECT_EQ(x.value<int>(), 93);
  x = 5;
  EXPECT_EQ(x, FrameIndex(5));
  EXPECT_EQ(Level::Max().value(), 255);
  EXPECT_EQ(Level::Min().value(), 0);
  std::ostringstream out;
  out << x << " " << Level(65);
  EXPECT_EQ(out.str(), "5 65");
}

TEST(StrongIntTest, CalculatesWithItsOwnType) {
  FrameIndex x(7);
  EXPECT_EQ(x + FrameIndex(2), FrameIndex(9));
  EXPECT_EQ(x - FrameIndex(9), FrameIndex(-2));
  EXPECT_EQ((x & FrameIndex(3)) | FrameIndex(8), FrameIndex(11));
  EXPECT_EQ(x ^ FrameIndex(1), FrameIndex(6));
  EXPECT_EQ(-x, FrameIndex(-7));
  EXPECT_EQ(~x, FrameIndex(-8));
  EXPECT_EQ(+x, x);
  EXPECT_EQ(x++, FrameIndex(7));
  EXPECT_EQ(++x, FrameIndex(9));
  EXPECT_EQ(x--, FrameIndex(9));
  EXPECT_EQ(--x, FrameIndex(7));
  x += FrameIndex(3);
  x -= FrameIndex(1);
  EXPECT_EQ(x, FrameIndex(9));
}

TEST(StrongIntTest, CalculatesWithNumbers) {
  FrameIndex x(7);
  EXPECT_EQ(x * 3, FrameIndex(21));
  EXPECT_EQ(3 * x, FrameIndex(21));
  EXPECT_EQ(x * 1.5, FrameIndex(10));
  EXPECT_EQ(x / 2, FrameIndex(3));
  EXPECT_EQ(x % 4, FrameIndex(3));
  EXPECT_EQ(x << 2, FrameIndex(28));
  EXPECT_EQ(x >> 1, FrameIndex(3));
  x *= 4;
  x /= 7;
  EXPECT_EQ(x, FrameIndex(4));
}

TEST(StrongIntTest, IsCompared) {
  EXPECT_LT(FrameIndex(1), FrameIndex(2));
  EXPECT_GE(FrameIndex(2), FrameIndex(2));
  EXPECT_NE(FrameIndex(1), FrameIndex(2));
  EXPECT_TRUE(FrameIndex(1) == 1);
  EXPECT_TRUE(1 < FrameIndex(2));
  EXPECT_TRUE(FrameIndex(2) > 1);
}

TEST(StrongIntTest, IsAKey) {
  const absl::flat_hash_set<FrameIndex> frames = {FrameIndex(1), FrameIndex(1)};
  EXPECT_EQ(frames.size(), 1u);
  const std::unordered_set<TrackId, TrackId::Hasher> tracks = {TrackId(1)};
  EXPECT_EQ(tracks.count(TrackId(1)), 1u);
  EXPECT_EQ(std::unordered_set<TrackId>({TrackId(2)}).size(), 1u);
}

TEST(StrongIntTest, IsAConstant) {
  static constexpr FrameIndex kSum = FrameIndex(2) + FrameIndex(3) * 4;
  static_assert(kSum.value() == 14);
}

}  // namespace
}  // namespace syncline
