#include "framework/formats/rectangle.h"

#include <sstream>

#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(RectangleTest, HasACornerAndASize) {
  const Rectangle_i r(1, 2, 3, 4);
  EXPECT_EQ(r.xmin(), 1);
  EXPECT_EQ(r.ymin(), 2);
  EXPECT_EQ(r.xmax(), 4);
  EXPECT_EQ(r.ymax(), 6);
  EXPECT_EQ(r.Width(), 3);
  EXPECT_EQ(r.Height(), 4);
  EXPECT_EQ(r.Area(), 12);
  EXPECT_EQ(r.BottomLeft(), Point2_i(1, 2));
  EXPECT_EQ(r.TopRight(), Point2_i(4, 6));
  std::ostringstream out;
  out << r;
  EXPECT_EQ(out.str(), "[(1, 2), (4, 6)]");
}

TEST(RectangleTest, SidesMoveOneByOne) {
  Rectangle_i r(1, 2, 3, 4);
  r.set_xmin(0);
  r.set_ymin(0);
  EXPECT_EQ(r, Rectangle_i(0, 0, 4, 6));
  r.set_xmax(2);
  r.set_ymax(3);
  EXPECT_EQ(r, Rectangle_i(0, 0, 2, 3));
}

TEST(RectangleTest, OneWithoutExtentIsNotEmpty) {
  EXPECT_FALSE(Rectangle_i().IsEmpty());
  EXPECT_TRUE(Rectangle_i().Contains(0, 0));
  Rectangle_f r(0, 0, -1, 5);
  EXPECT_TRUE(r.IsEmpty());
  EXPECT_EQ(r.Area(), 0);
  r = Rectangle_f(3, 3, 3, 3);
  r.SetEmpty();
  EXPECT_TRUE(r.IsEmpty());
  EXPECT_FALSE(r.Contains(0, 0));
}

TEST(RectangleTest, ContainsItsBorder) {
  const Rectangle_i r(0, 0, 10, 10);
  EXPECT_TRUE(r.Contains(10, 10));
  EXPECT_FALSE(r.Contains(11, 10));
  EXPECT_TRUE(r.Contains(Rectangle_i(0, 0, 10, 10)));
  EXPECT_FALSE(r.Contains(Rectangle_i(1, 1, 10, 10)));
  EXPECT_TRUE(r.Contains(Rectangle_i(50, 50, -1, -1)));
}

TEST(RectangleTest, IntersectsAndUnites) {
  const Rectangle_i a(0, 0, 4, 4);
  const Rectangle_i b(2, 3, 4, 4);
  EXPECT_EQ(a.Intersect(b), Rectangle_i(2, 3, 2, 1));
  EXPECT_EQ(a.Union(b), Rectangle_i(0, 0, 6, 7));
  EXPECT_TRUE(a.Intersect(Rectangle_i(5, 5, 1, 1)).IsEmpty());
  EXPECT_FALSE(a.Intersect(Rectangle_i(4, 4, 1, 1)).IsEmpty());
  Rectangle_i empty;
  empty.SetEmpty();
  EXPECT_EQ(a.Union(empty), a);
  EXPECT_EQ(empty.Union(a), a);
}

}  // namespace
}  // namespace syncline
