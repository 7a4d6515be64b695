#include "framework/deps/mathutil.h"

#include <cmath>
#include <cstdint>
#include <limits>

#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(MathUtilTest, FindsTheRootsOfAQuadratic) {
  long double r1 = 0;
  long double r2 = 0;
  EXPECT_EQ(MathUtil::RealRootsForQuadratic(1, -3, 2, &r1, &r2),
            MathUtil::kTwoRealRoots);
  EXPECT_EQ(r1, 2);
  EXPECT_EQ(r2, 1);
  EXPECT_EQ(MathUtil::RealRootsForQuadratic(1, 0, 1, &r1, &r2),
            MathUtil::kNoRealRoots);
  EXPECT_EQ(MathUtil::RealRootsForQuadratic(1, 2, 1, &r1, &r2),
            MathUtil::kAmbiguous);
  EXPECT_EQ(r1, -1);
  EXPECT_EQ(MathUtil::RealRootsForQuadratic(1, 0, 0, &r1, &r2),
            MathUtil::kAmbiguous);
  EXPECT_EQ(r2, 0);
  EXPECT_EQ(MathUtil::RealRootsForQuadratic(0, 2, -4, &r1, &r2),
            MathUtil::kAmbiguous);
  EXPECT_EQ(r1, 2);
  EXPECT_EQ(MathUtil::RealRootsForQuadratic(0, 0, 1, &r1, &r2),
            MathUtil::kNoRealRoots);
}

TEST(MathUtilTest, DividesUpAndDown) {
  EXPECT_EQ(MathUtil::CeilOfRatio(7, 2), 4);
  EXPECT_EQ(MathUtil::CeilOfRatio(-7, 2), -3);
  EXPECT_EQ(MathUtil::CeilOfRatio(7, -2), -3);
  EXPECT_EQ(MathUtil::CeilOfRatio(6u, 2u), 3u);
  EXPECT_EQ(MathUtil::FloorOfRatio(7, 2), 3);
  EXPECT_EQ(MathUtil::FloorOfRatio(-7, 2), -4);
  EXPECT_EQ(MathUtil::FloorOfRatio(-7, -2), 3);
  EXPECT_EQ(MathUtil::NonnegativeMod(-1, 5), 4);
  EXPECT_EQ(MathUtil::NonnegativeMod(6, 5), 1);
}

TEST(MathUtilTest, RoundsHalvesAwayFromZero) {
  EXPECT_EQ(MathUtil::Round<int>(2.5), 3);
  EXPECT_EQ(MathUtil::Round<int>(-2.5f), -3);
  EXPECT_EQ(MathUtil::FastIntRound(1.4), 1);
  EXPECT_EQ(MathUtil::FastInt64Round(-1e10), -10000000000);
}

TEST(MathUtilTest, SafeCastsStayInRange) {
  EXPECT_EQ(MathUtil::SafeCast<int>(-2.9), -2);
  EXPECT_EQ(MathUtil::SafeCast<int>(1e30), std::numeric_limits<int32_t>::max());
  EXPECT_EQ(MathUtil::SafeCast<int64_t>(-1e30),
            std::numeric_limits<int64_t>::min());
  EXPECT_EQ(MathUtil::SafeCast<int64_t>(9223372036854775807.0),
            std::numeric_limits<int64_t>::max());
  EXPECT_EQ(MathUtil::SafeCast<uint8_t>(-1.0), 0);
  EXPECT_EQ(MathUtil::SafeCast<uint8_t>(255.9f), 255);
  EXPECT_EQ(MathUtil::SafeRound<uint8_t>(255.9f), 255);
  EXPECT_EQ(MathUtil::SafeRound<int>(std::nan("")), 0);
  EXPECT_EQ(MathUtil::SafeRound<int>(-INFINITY),
            std::numeric_limits<int>::min());
}

TEST(MathUtilTest, ClampsAndComparesAndMultiplies) {
  EXPECT_EQ(MathUtil::Clamp(1, 5, 0), 1);
  EXPECT_EQ(MathUtil::Clamp(1, 5, 9), 5);
  EXPECT_EQ(MathUtil::Clamp(1, 5, 3), 3);
  EXPECT_EQ(MathUtil::IPow(3, 4), 81);
  EXPECT_EQ(MathUtil::IPow(2.0, 0), 1.0);
  EXPECT_EQ(MathUtil::IPow(int64_t{2}, 62), int64_t{1} << 62);
  EXPECT_TRUE(MathUtil::WithinMargin(1.0, 1.1, 0.2));
  EXPECT_FALSE(MathUtil::WithinMargin<double>(1.0, NAN, 0.2));
  EXPECT_TRUE(MathUtil::WithinFraction(100.0, 101.0, 0.02));
  EXPECT_FALSE(MathUtil::WithinFraction<double>(1.0, INFINITY, 0.5));
}

}  // namespace
}  // namespace syncline
