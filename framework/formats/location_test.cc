#include "framework/formats/location.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "framework/formats/annotation/locus.pb.h"
#include "framework/formats/location_data.pb.h"
#include "framework/formats/misuse_test_support.h"
#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;

constexpr int kMax = std::numeric_limits<int>::max();
constexpr int kMin = std::numeric_limits<int>::min();

LocationData Data(const std::string& text) {
  LocationData data;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &data));
  return data;
}

Location Mask() {
  return Location(Data(R"(
    format: MASK
    mask {
      width: 10
      height: 8
      rasterization {
        interval { y: 2 left_x: 3 right_x: 4 }
        interval { y: 3 left_x: 1 right_x: 3 }
      }
    })"));
}

TEST(LocationTest, IsEverywhereAtFirst) {
  const Location location;
  EXPECT_EQ(location.GetFormat(), LocationData::GLOBAL);
  EXPECT_TRUE(location.IsValid());
  EXPECT_EQ(location.ConvertToBBox<Rectangle_i>(640, 480),
            Rectangle_i(0, 0, 640, 480));
  EXPECT_EQ(location.ConvertToRelativeBBox(640, 480), Rectangle_f(0, 0, 1, 1));
  EXPECT_EQ(Location::CreateGlobalLocation().GetFormat(), LocationData::GLOBAL);
}

TEST(LocationTest, ABoxInPixelsIsABoxInPartsOfTheImageToo) {
  const Location location = Location::CreateBBoxLocation(64, 48, 320, 240);
  EXPECT_EQ(location.GetBBox<Rectangle_i>(), Rectangle_i(64, 48, 320, 240));
  EXPECT_EQ(location.ConvertToBBox<Rectangle_i>(1, 1),
            Rectangle_i(64, 48, 320, 240));
  EXPECT_EQ(location.ConvertToRelativeBBox(640, 480),
            Rectangle_f(0.1f, 0.1f, 0.5f, 0.5f));
  const BoundingBox box = location.GetBBox<BoundingBox>();
  EXPECT_EQ(box.left_x(), 64);
  EXPECT_EQ(box.right_x(), 384);
  EXPECT_EQ(box.lower_y(), 288);
  EXPECT_EQ(Location::CreateBBoxLocation(box).GetBBox<Rectangle_i>(),
            Rectangle_i(64, 48, 320, 240));
}

TEST(LocationTest, ABoxInPartsOfTheImageIsRoundedToPixels) {
  const Location location =
      Location::CreateRelativeBBoxLocation(Rectangle_f(0.25f, 0, 0.5f, 0.1f));
  EXPECT_EQ(location.GetRelativeBBox(), Rectangle_f(0.25f, 0, 0.5f, 0.1f));
  EXPECT_EQ(location.ConvertToRelativeBBox(3, 3), location.GetRelativeBBox());
  EXPECT_EQ(location.ConvertToBBox<Rectangle_i>(10, 14),
            Rectangle_i(3, 0, 5, 1));
  EXPECT_EQ(location.ConvertToBBox<BoundingBox>(10, 14).right_x(), 8);
}

TEST(LocationTest, AMaskHasABoxAroundIt) {
  const Location mask = Mask();
  EXPECT_EQ(mask.GetMask().width(), 10);
  EXPECT_EQ(mask.ConvertToBBox<Rectangle_i>(10, 8), Rectangle_i(1, 2, 4, 2));
  EXPECT_EQ(mask.ConvertToRelativeBBox(10, 8),
            Rectangle_f(0.1f, 0.25f, 0.4f, 0.25f));
  EXPECT_EQ(Location::CreateMaskLocation(4, 4, Rasterization())
                .ConvertToBBox<Rectangle_i>(4, 4),
            Rectangle_i());
}

TEST(LocationTest, HasKeyPointsBeside) {
  Location location = Location::CreateBBoxLocation(0, 0, 1, 1);
  location.SetRelativeKeypoints({Point2_f(0.1f, 0.2f), Point2_f(0.3f, 0.4f)});
  location.SetRelativeKeypoints({Point2_f(0.5f, 0.5f)});
  EXPECT_THAT(location.GetRelativeKeypoints(),
              ElementsAre(Point2_f(0.5f, 0.5f)));
  LocationData data;
  location.ConvertToProto(&data);
  EXPECT_EQ(data.relative_keypoints_size(), 1);
  EXPECT_EQ(location.ConvertToProto().format(), LocationData::BOUNDING_BOX);
}

TEST(LocationTest, IsScaledWithItsKeyPoints) {
  Location box = Location::CreateBBoxLocation(1, 2, 3, 4);
  box.SetRelativeKeypoints({Point2_f(0.5f, 1)});
  EXPECT_EQ(box.Scale(2.5f).GetBBox<Rectangle_i>(), Rectangle_i(3, 5, 8, 10));
  EXPECT_THAT(box.GetRelativeKeypoints(), ElementsAre(Point2_f(1.25f, 2.5f)));
  EXPECT_EQ(Location::CreateRelativeBBoxLocation(0.1f, 0.2f, 0.3f, 0.4f)
                .Scale(2)
                .GetRelativeBBox(),
            Rectangle_f(0.2f, 0.4f, 0.6f, 0.8f));
  EXPECT_EQ(Location().Scale(2).GetFormat(), LocationData::GLOBAL);
  EXPECT_THAT(StatusOf([] { Mask().Scale(2); }), IsMisuse("cannot be scaled"));
  EXPECT_THAT(StatusOf([] { Location().Scale(0); }),
              IsMisuse("factor above 0"));
}

TEST(LocationTest, IsMadeASquareAroundItsMiddle) {
  EXPECT_EQ(Location::CreateBBoxLocation(10, 20, 40, 20)
                .Square(100, 100)
                .GetBBox<Rectangle_i>(),
            Rectangle_i(10, 10, 40, 40));
  // 0.5 of 200 pixels by 0.5 of 100 pixels is 100 by 50 pixels.
  EXPECT_EQ(Location::CreateRelativeBBoxLocation(0, 0.25f, 0.5f, 0.5f)
                .Square(200, 100)
                .GetRelativeBBox(),
            Rectangle_f(0, 0, 0.5f, 1));
  EXPECT_EQ(Location().Square(2, 2).GetFormat(), LocationData::GLOBAL);
  EXPECT_THAT(StatusOf([] { Mask().Square(2, 2); }), IsMisuse("square"));
  EXPECT_THAT(StatusOf([] {
                Location::CreateRelativeBBoxLocation(0, 0, 1, 1).Square(0, 5);
              }),
              IsMisuse("0 x 5"));
}

TEST(LocationTest, IsCroppedToItsImage) {
  EXPECT_EQ(Location::CreateBBoxLocation(-5, 90, 20, 20)
                .Crop(Rectangle_i(0, 0, 100, 100))
                .GetBBox<Rectangle_i>(),
            Rectangle_i(0, 90, 15, 10));
  EXPECT_EQ(Location::CreateBBoxLocation(200, 200, 20, 20)
                .Crop(Rectangle_i(0, 0, 100, 100))
                .GetBBox<Rectangle_i>(),
            Rectangle_i(100, 100, 0, 0));
  EXPECT_EQ(Location::CreateRelativeBBoxLocation(-0.5f, 0.5f, 1, 1)
                .Crop(Rectangle_f(0, 0, 1, 1))
                .GetRelativeBBox(),
            Rectangle_f(0, 0.5f, 0.5f, 0.5f));
  EXPECT_EQ(Location().Crop(Rectangle_i(0, 0, 1, 1)).GetFormat(),
            LocationData::GLOBAL);
  EXPECT_THAT(StatusOf([] {
                Location::CreateRelativeBBoxLocation(0, 0, 1, 1)
                    .Crop(Rectangle_i(0, 0, 1, 1));
              }),
              IsMisuse("RELATIVE_BOUNDING_BOX has no BOUNDING_BOX"));
  EXPECT_THAT(StatusOf([] { Location().Crop(Rectangle_i(0, 0, -1, 1)); }),
              IsMisuse("empty rectangle"));
  EXPECT_THAT(
      StatusOf([] { Location().Crop(Rectangle_f(0, 0, std::nanf(""), 1)); }),
      IsMisuse("empty rectangle"));
}

TEST(LocationTest, TheWrongFormIsAMisuse) {
  const Location box = Location::CreateBBoxLocation(1, 2, 3, 4);
  EXPECT_THAT(StatusOf([&] { box.GetRelativeBBox(); }),
              IsMisuse("BOUNDING_BOX has no RELATIVE_BOUNDING_BOX"));
  EXPECT_THAT(StatusOf([&] { box.GetMask(); }), IsMisuse("xmin: 1"));
  EXPECT_THAT(StatusOf([] { Location().GetBBox<Rectangle_i>(); }),
              IsMisuse("GLOBAL has no BOUNDING_BOX"));
  EXPECT_THAT(StatusOf([&] { box.ConvertToRelativeBBox(0, 10); }),
              IsMisuse("0 x 10 pixels"));
}

TEST(LocationTest, DataThatDoNotGoTogetherAreAMisuse) {
  for (const char* text :
       {"format: BOUNDING_BOX", "format: RELATIVE_BOUNDING_BOX", "format: MASK",
        "format: MASK mask { width: -1 height: 1 }",
        "format: MASK mask { width: 4 height: 4 rasterization { "
        "interval { y: 4 left_x: 0 right_x: 0 } } }",
        "format: MASK mask { width: 4 height: 4 rasterization { "
        "interval { y: 0 left_x: 0 right_x: 4 } } }",
        "format: MASK mask { width: 4 height: 4 rasterization { "
        "interval { y: 0 left_x: 2 right_x: 1 } } }",
        "format: MASK mask { width: 4 height: 4 rasterization { "
        "interval { y: -1 left_x: 0 right_x: 0 } } }"}) {
    EXPECT_FALSE(Location::IsValidLocationData(Data(text))) << text;
    EXPECT_THAT(StatusOf([&] { Location{Data(text)}; }),
                IsMisuse("the field of its format"))
        << text;
  }
}

TEST(LocationTest, NumbersOutOfRangeStayAtItsEnd) {
  Location huge = Location::CreateBBoxLocation(kMax, kMin, kMax, kMax);
  EXPECT_EQ(huge.GetBBox<BoundingBox>().right_x(), kMax);
  huge.Square(1, 1);
  huge.Scale(1e30f);
  EXPECT_EQ(huge.GetBBox<Rectangle_i>(), Rectangle_i(kMax, kMin, kMax, kMax));
  huge.Crop(Rectangle_i(kMin, kMin, kMax, kMax));
  EXPECT_EQ(Location::CreateRelativeBBoxLocation(1e30f, -1e30f, NAN, INFINITY)
                .ConvertToBBox<Rectangle_i>(100, 100),
            Rectangle_i(kMax, kMin, 0, kMax));
  BoundingBox box;
  box.set_left_x(kMin);
  box.set_right_x(kMax);
  EXPECT_EQ(Location::CreateBBoxLocation(box).GetBBox<Rectangle_i>().Width(),
            kMax);
}

}  // namespace
}  // namespace syncline
