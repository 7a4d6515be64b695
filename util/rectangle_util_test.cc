#include "util/rectangle_util.h"

#include <cmath>
#include <vector>

#include "absl/status/status.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(RectangleUtilTest, WhatTwoHaveInCommonIsAPartOfWhatEitherHas) {
  const Rectangle_f a(0, 0, 2, 2);
  EXPECT_FLOAT_EQ(CalculateIou(a, a), 1);
  EXPECT_FLOAT_EQ(CalculateIou(a, Rectangle_f(1, 0, 2, 2)), 2.0f / 6);
  EXPECT_EQ(CalculateIou(a, Rectangle_f(5, 5, 1, 1)), 0);
  EXPECT_EQ(CalculateIou(a, Rectangle_f(2, 0, 1, 1)), 0);
  EXPECT_EQ(CalculateIou(Rectangle_f(), Rectangle_f()), 0);
  EXPECT_EQ(CalculateIou(a, Rectangle_f(0, 0, -1, 5)), 0);
}

TEST(RectangleUtilTest, OneOfManyIsEnough) {
  const std::vector<Rectangle_f> others = {Rectangle_f(5, 5, 1, 1),
                                           Rectangle_f(1, 0, 2, 2)};
  const Rectangle_f a(0, 0, 2, 2);
  EXPECT_TRUE(DoesRectOverlap(a, others, 0.3f));
  EXPECT_FALSE(DoesRectOverlap(a, others, 0.4f));
  EXPECT_FALSE(DoesRectOverlap(a, {}, 0));
}

TEST(RectangleUtilTest, ARectangleComesFromItsCentre) {
  NormalizedRect rect;
  rect.set_x_center(0.5f);
  rect.set_y_center(0.25f);
  rect.set_width(1.0f);
  rect.set_height(0.5f);
  EXPECT_THAT(ToRectangle(rect), IsOkAndHolds(Rectangle_f(0, 0, 1, 0.5f)));
}

NormalizedRect Normalized(float x_center, float y_center, float width,
                          float height) {
  NormalizedRect rect;
  rect.set_x_center(x_center);
  rect.set_y_center(y_center);
  rect.set_width(width);
  rect.set_height(height);
  return rect;
}

TEST(RectangleUtilTest, NormalizedRectanglesOverlapWithoutTheirRotation) {
  const NormalizedRect a = Normalized(0.25f, 0.25f, 0.5f, 0.5f);
  NormalizedRect b = Normalized(0.5f, 0.25f, 0.5f, 0.5f);
  b.set_rotation(1);
  // 0.25 x 0.5 of 0.75 x 0.5.
  EXPECT_FLOAT_EQ(CalculateIou(a, b), 1.0f / 3);
  EXPECT_EQ(CalculateIou(a, NormalizedRect()), 0);
  EXPECT_THAT(DoesRectOverlap(a, {b}, 0.3f), IsOkAndHolds(true));
  EXPECT_THAT(DoesRectOverlap(a, {b}, 0.4f), IsOkAndHolds(false));
  EXPECT_THAT(DoesRectOverlap(a, {NormalizedRect()}, 0.4f),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(RectangleUtilTest, WithoutASizeItIsAnError) {
  NormalizedRect rect;
  EXPECT_THAT(ToRectangle(rect), StatusIs(absl::StatusCode::kInvalidArgument));
  rect.set_x_center(0);
  rect.set_y_center(0);
  rect.set_height(1);
  for (const float width : {0.0f, -1.0f, std::nanf("")}) {
    rect.set_width(width);
    EXPECT_THAT(ToRectangle(rect),
                StatusIs(absl::StatusCode::kInvalidArgument));
  }
}

}  // namespace
}  // namespace syncline
