#include "framework/formats/vector.h"

#include <sstream>

#include "framework/formats/point2.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(VectorTest, AddsAndScales) {
  Vector2_i v(1, 2);
  v += Vector2_i(3, 4);
  EXPECT_EQ(v, Vector2_i(4, 6));
  EXPECT_EQ(v - Vector2_i(1, 1), Vector2_i(3, 5));
  EXPECT_EQ(2 * v, v * 2);
  EXPECT_EQ(v / 2, Vector2_i(2, 3));
  EXPECT_EQ(-v, Vector2_i(-4, -6));
  EXPECT_NE(v, Vector2_i());
}

TEST(VectorTest, HasLengthAndDirection) {
  const Vector2_d v(3, 4);
  EXPECT_EQ(v.Norm2(), 25);
  EXPECT_EQ(v.Norm(), 5);
  EXPECT_EQ(v.Normalize(), Vector2_d(0.6, 0.8));
  EXPECT_EQ(Vector2_d().Normalize(), Vector2_d());
}

TEST(VectorTest, Multiplies) {
  EXPECT_EQ(Vector2_i(1, 2).DotProd({3, 4}), 11);
  EXPECT_EQ(Vector2_i(1, 2).CrossProd({3, 4}), -2);
  EXPECT_EQ(Vector2_i(1, 2).Ortho(), Vector2_i(-2, 1));
  EXPECT_EQ(Vector3_i(1, 0, 0).CrossProd({0, 1, 0}), Vector3_i(0, 0, 1));
  EXPECT_EQ(Vector4_i(1, 2, 3, 4).DotProd({1, 1, 1, 1}), 10);
}

TEST(VectorTest, GivesItsElements) {
  Vector3_f v(1, 2, 3);
  v.x(5);
  v[2] = 7;
  EXPECT_EQ(v, Vector3_f(5, 2, 7));
  EXPECT_EQ(v.Data()[1], 2);
  std::ostringstream out;
  out << v;
  EXPECT_EQ(out.str(), "[5, 2, 7]");
}

TEST(Point2Test, TheDifferenceOfPointsIsAVector) {
  const Point2_i a(1, 2);
  const Point2_i b(4, 6);
  EXPECT_EQ(b - a, Vector2_i(3, 4));
  EXPECT_EQ(a + (b - a), b);
  EXPECT_EQ(b - Vector2_i(3, 4), a);
}

}  // namespace
}  // namespace syncline
