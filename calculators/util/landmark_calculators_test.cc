// Calculators of landmarks: to detections, projected, and smoothed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "framework/calculator_framework.h"
#include "framework/deps/message_matchers.h"
#include "framework/formats/detection.pb.h"
#include "framework/formats/landmark.pb.h"
#include "framework/formats/rect.pb.h"
#include "framework/port/parse_text_proto.h"
#include "testing/calculator_harness.h"
#include "testing/packet_matchers.h"

namespace syncline {
namespace {

using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Size = std::pair<int, int>;

template <typename T>
Packet At(int time, T value) {
  return MakePacket<T>(std::move(value)).At(Timestamp(time));
}

NormalizedLandmarkList Landmarks(const std::string& text) {
  return ParseTextProtoOrDie<NormalizedLandmarkList>(text);
}
// A list of one landmark, at (x, 0).
NormalizedLandmarkList LandmarkAt(float x) {
  NormalizedLandmarkList list;
  list.add_landmark()->set_x(x);
  return list;
}
float XOf(const Packet& packet) {
  return packet.Get<NormalizedLandmarkList>().landmark(0).x();
}

// --- LandmarksToDetectionCalculator

std::string ToDetection(const std::string& options) {
  return absl::StrCat(
      "calculator: 'LandmarksToDetectionCalculator' "
      "input_stream: 'NORM_LANDMARKS:in' output_stream: 'DETECTION:out' "
      "options { [syncline.LandmarksToDetectionCalculatorOptions.ext] {",
      options, "} }");
}
constexpr char kThree[] =
    "landmark { x: 0.5 y: 0.25 } landmark { x: 0.25 y: 0.5 } "
    "landmark { x: 0.75 y: 0.75 z: 1 visibility: 1 }";

TEST(LandmarksToDetectionTest, PutsABoxAroundThem) {
  CalculatorHarness harness(ToDetection(""));
  harness.Feed("NORM_LANDMARKS", {At(1, Landmarks(kThree))});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(
      harness.Output("DETECTION").at(0).Get<Detection>(),
      EqualsProto(ParseTextProtoOrDie<Detection>(R"pb(
        location_data {
          format: RELATIVE_BOUNDING_BOX
          relative_bounding_box { xmin: 0.25 ymin: 0.25 width: 0.5 height: 0.5 }
          relative_keypoints { x: 0.5 y: 0.25 }
          relative_keypoints { x: 0.25 y: 0.5 }
          relative_keypoints { x: 0.75 y: 0.75 }
        }
      )pb")));
}

TEST(LandmarksToDetectionTest, TakesThoseThatAreSelectedInTheirOrder) {
  CalculatorHarness harness(ToDetection("selected_landmark_indices: [ 2, 0 ]"));
  harness.Feed("NORM_LANDMARKS", {At(1, Landmarks(kThree))});
  SYNCLINE_ASSERT_OK(harness.Run());
  const LocationData& location =
      harness.Output("DETECTION").at(0).Get<Detection>().location_data();
  ASSERT_THAT(location.relative_keypoints(), SizeIs(2));
  EXPECT_EQ(location.relative_keypoints(0).x(), 0.75f);
  EXPECT_EQ(location.relative_bounding_box().width(), 0.25f);
}

TEST(LandmarksToDetectionTest, NoLandmarksAreNoDetection) {
  CalculatorHarness harness(ToDetection("selected_landmark_indices: 2"));
  harness.Feed("NORM_LANDMARKS", {At(1, Landmarks(""))});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("DETECTION"), IsEmpty());
}

TEST(LandmarksToDetectionTest, AnIndexThatIsNotThereIsAnError) {
  CalculatorHarness harness(ToDetection("selected_landmark_indices: 3"));
  harness.Feed("NORM_LANDMARKS", {At(7, Landmarks(kThree))});
  EXPECT_THAT(std::string(harness.Run().message()),
              HasSubstr("has 3, but the landmarks at 7 are 3"));
  EXPECT_THAT(
      CalculatorHarness(ToDetection("selected_landmark_indices: -1")).Run(),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("counts from 0")));
}

// --- LandmarkProjectionCalculator

std::string Projection(const std::string& place,
                       const std::string& options = "") {
  return absl::StrCat(
      "calculator: 'LandmarkProjectionCalculator' "
      "input_stream: 'NORM_LANDMARKS:in' ",
      place,
      " output_stream: 'NORM_LANDMARKS:out' "
      "options { [syncline.LandmarkProjectionCalculatorOptions.ext] {",
      options, "} }");
}
constexpr char kRectIn[] = "input_stream: 'NORM_RECT:rect' ";
constexpr char kDimensionsIn[] = "input_stream: 'IMAGE_DIMENSIONS:size' ";
constexpr char kMatrixIn[] = "input_stream: 'PROJECTION_MATRIX:matrix' ";

NormalizedLandmark Projected(CalculatorHarness& harness,
                             const std::string& rect,
                             const std::string& landmark) {
  harness.Feed("NORM_LANDMARKS",
               {At(1, Landmarks(absl::StrCat("landmark {", landmark, "}")))});
  if (!rect.empty()) {
    harness.Feed("NORM_RECT",
                 {At(1, ParseTextProtoOrDie<NormalizedRect>(rect))});
  }
  SYNCLINE_EXPECT_OK(harness.Run());
  if (harness.Output("NORM_LANDMARKS").empty()) return {};
  return harness.Output("NORM_LANDMARKS")[0]
      .Get<NormalizedLandmarkList>()
      .landmark(0);
}
void ExpectAt(const NormalizedLandmark& landmark, float x, float y, float z) {
  EXPECT_THAT(landmark.x(), FloatNear(x, 1e-5f));
  EXPECT_THAT(landmark.y(), FloatNear(y, 1e-5f));
  EXPECT_THAT(landmark.z(), FloatNear(z, 1e-5f));
}

constexpr char kPart[] = "x_center: 0.5 y_center: 0.4 width: 0.2 height: 0.4 ";
// The rectangle is turned by a quarter, clockwise.
constexpr char kTurnedPart[] =
    "x_center: 0.5 y_center: 0.4 width: 0.2 height: 0.4 rotation: 1.57079633";

TEST(LandmarkProjectionTest, BringsLandmarksFromARectangleToTheImage) {
  CalculatorHarness harness(Projection(kRectIn));
  const NormalizedLandmark landmark =
      Projected(harness, kPart, "x: 0 y: 1 z: 0.5 visibility: 3 name: 'nose'");
  ExpectAt(landmark, 0.4f, 0.6f, 0.1f);
  EXPECT_EQ(landmark.visibility(), 3);
  EXPECT_EQ(landmark.name(), "nose");
}

TEST(LandmarkProjectionTest, TurnsWithTheRectangle) {
  // A point at its left edge comes to its top, half of its height above the
  // middle.
  CalculatorHarness harness(Projection(kRectIn));
  ExpectAt(Projected(harness, kTurnedPart, "x: 0 y: 0.5"), 0.5f, 0.2f, 0);
  CalculatorHarness upright(Projection(kRectIn, "ignore_rotation: true"));
  ExpectAt(Projected(upright, kTurnedPart, "x: 0 y: 0.5"), 0.4f, 0.4f, 0);
}

TEST(LandmarkProjectionTest, TurnsInPixelsWhereItKnowsThem) {
  // The rectangle is 40 pixels wide: half of that, 20 pixels, is 0.2 of a
  // height of 100.
  CalculatorHarness harness(Projection(absl::StrCat(kRectIn, kDimensionsIn)));
  harness.Feed("IMAGE_DIMENSIONS", {At(1, Size(200, 100))});
  ExpectAt(Projected(harness, kTurnedPart, "x: 0 y: 0.5"), 0.5f, 0.2f, 0);
  // In a wider image: half of 80 pixels.
  CalculatorHarness wide(Projection(absl::StrCat(kRectIn, kDimensionsIn)));
  wide.Feed("IMAGE_DIMENSIONS", {At(1, Size(400, 100))});
  ExpectAt(Projected(wide, kTurnedPart, "x: 0 y: 0.5"), 0.5f, 0, 0);
}

TEST(LandmarkProjectionTest, MapsByAMatrix) {
  CalculatorHarness harness(Projection(kMatrixIn));
  // A matrix that doubles the size, turns by a quarter, and moves by (0.5,
  // 0.25).
  harness.Feed("PROJECTION_MATRIX",
               {At(1, std::array<float, 16>{0, -2, 0, 0.5f,  //
                                            2, 0, 0, 0.25f,  //
                                            0, 0, 1, 0,      //
                                            0, 0, 0, 1})});
  ExpectAt(Projected(harness, "", "x: 0.1 y: 0.2 z: 0.3"), 0.1f, 0.45f, 0.6f);
}

TEST(LandmarkProjectionTest, ProjectsSeveralLists) {
  CalculatorHarness harness(absl::StrCat(
      "calculator: 'LandmarkProjectionCalculator' "
      "input_stream: 'NORM_LANDMARKS:0:a' input_stream: 'NORM_LANDMARKS:1:b' "
      "output_stream: 'NORM_LANDMARKS:0:c' output_stream: "
      "'NORM_LANDMARKS:1:d' ",
      kRectIn));
  harness.Feed("NORM_LANDMARKS:1", {At(1, LandmarkAt(0.5f))});
  harness.Feed("NORM_RECT",
               {At(1, ParseTextProtoOrDie<NormalizedRect>(kPart))});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("NORM_LANDMARKS:0"), IsEmpty());
  EXPECT_FLOAT_EQ(XOf(harness.Output("NORM_LANDMARKS:1").at(0)), 0.5f);
}

TEST(LandmarkProjectionTest, WithoutAPlaceNothingIsSent) {
  CalculatorHarness harness(Projection(kRectIn));
  Projected(harness, "", "x: 1");
  EXPECT_THAT(harness.Output("NORM_LANDMARKS"), IsEmpty());
  CalculatorHarness sizes(Projection(absl::StrCat(kRectIn, kDimensionsIn)));
  Projected(sizes, kPart, "x: 1");
  EXPECT_THAT(sizes.Output("NORM_LANDMARKS"), IsEmpty());
}

TEST(LandmarkProjectionTest, PortsAreChecked) {
  EXPECT_THAT(
      CalculatorHarness(Projection(absl::StrCat(kRectIn, kMatrixIn))).Run(),
      StatusIs(absl::StatusCode::kInvalidArgument,
               HasSubstr("the place of the landmarks is one of")));
  EXPECT_THAT(CalculatorHarness(
                  absl::StrCat("calculator: 'LandmarkProjectionCalculator' ",
                               kRectIn, "input_stream: 'NORM_LANDMARKS:in'"))
                  .Run(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("1 come in and 0 go out")));
}

// --- LandmarksSmoothingCalculator

std::string Smoothing(const std::string& options,
                      const std::string& more = "") {
  return absl::StrCat(
      "calculator: 'LandmarksSmoothingCalculator' "
      "input_stream: 'NORM_LANDMARKS:in' input_stream: 'IMAGE_SIZE:size' "
      "output_stream: 'NORM_FILTERED_LANDMARKS:out' ",
      more, "options { [syncline.LandmarksSmoothingCalculatorOptions.ext] {",
      options, "} }");
}
// Alpha is 1 / (1 + 1 / (2 pi 0.1)) for a second between packets.
constexpr char kOneEuro[] =
    "one_euro_filter { frequency: 1 min_cutoff: 0.1 "
    "disable_value_scaling: true }";
constexpr float kAlpha = 0.38586956f;
constexpr char kFiltered[] = "NORM_FILTERED_LANDMARKS";

// The x of the results for one landmark per second, in an image of 100 x 50.
std::vector<float> Smoothed(const std::string& options,
                            const std::vector<float>& values) {
  CalculatorHarness harness(Smoothing(options));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const int time = (static_cast<int>(i) + 1) * 1000000;
    harness.Feed("NORM_LANDMARKS", {At(time, LandmarkAt(values[i]))});
    harness.Feed("IMAGE_SIZE", {At(time, Size(100, 50))});
  }
  SYNCLINE_EXPECT_OK(harness.Run());
  std::vector<float> result;
  for (const Packet& packet : harness.Output(kFiltered)) {
    result.push_back(XOf(packet));
  }
  return result;
}

TEST(LandmarksSmoothingTest, WithoutAFilterChangesNothing) {
  const std::vector<float> values = {0.1f, 0.9f, 0.2f};
  EXPECT_EQ(Smoothed("no_filter {}", values), values);
  EXPECT_EQ(Smoothed("", values), values);
}

TEST(LandmarksSmoothingTest, TheOneEuroFilterIsThatOfThePaper) {
  const std::vector<float> result = Smoothed(kOneEuro, {0, 1, 1});
  ASSERT_THAT(result, SizeIs(3));
  EXPECT_EQ(result[0], 0);
  EXPECT_THAT(result[1], FloatNear(kAlpha, 1e-5f));
  EXPECT_THAT(result[2], FloatNear(kAlpha + (1 - kAlpha) * kAlpha, 1e-5f));
}

TEST(LandmarksSmoothingTest, TheOneEuroFilterBeginsAfterTimeZero) {
  CalculatorHarness harness(Smoothing(kOneEuro));
  for (const int second : {0, 1, 2}) {
    const int time = second * 1000000;
    harness.Feed("NORM_LANDMARKS", {At(time, LandmarkAt(float(second)))});
    harness.Feed("IMAGE_SIZE", {At(time, Size(100, 50))});
  }
  SYNCLINE_ASSERT_OK(harness.Run());
  ASSERT_THAT(harness.Output(kFiltered), SizeIs(3));
  EXPECT_EQ(XOf(harness.Output(kFiltered)[0]), 0);
  EXPECT_EQ(XOf(harness.Output(kFiltered)[1]), 1);
  EXPECT_THAT(XOf(harness.Output(kFiltered)[2]), FloatNear(1 + kAlpha, 1e-5f));
}

TEST(LandmarksSmoothingTest, TheOneEuroFilterFollowsSpeed) {
  // At 100 pixels a second, smoothed by a cutoff of 1 Hz, times beta.
  const std::vector<float> result = Smoothed(
      "one_euro_filter { frequency: 1 min_cutoff: 0.1 beta: 10 "
      "disable_value_scaling: true }",
      {0, 1});
  ASSERT_THAT(result, SizeIs(2));
  EXPECT_GT(result[1], 0.999f);
}

TEST(LandmarksSmoothingTest, TheVelocityFilterFollowsSpeed) {
  // 100 pixels in a second, times 0.03, gives three quarters.
  const std::vector<float> result = Smoothed(
      "velocity_filter { velocity_scale: 0.03 "
      "disable_value_scaling: true }",
      {0, 1});
  ASSERT_THAT(result, SizeIs(2));
  EXPECT_THAT(result[1], FloatNear(0.75f, 1e-5f));
}

TEST(LandmarksSmoothingTest, SpeedsAreMeasuredByTheSizeOfTheObject) {
  // Rectangles of 50 x 50 pixels: a speed of 2 per second.
  CalculatorHarness harness(Smoothing("velocity_filter { velocity_scale: 1.5 }",
                                      "input_stream: 'OBJECT_SCALE_ROI:roi' "));
  for (const int second : {0, 1}) {
    const int time = second * 1000000;
    harness.Feed("NORM_LANDMARKS", {At(time, LandmarkAt(float(second)))});
    harness.Feed("IMAGE_SIZE", {At(time, Size(100, 50))});
    harness.Feed("OBJECT_SCALE_ROI",
                 {At(time, ParseTextProtoOrDie<NormalizedRect>(
                               "x_center: 0 y_center: 0 width: 0.5 "
                               "height: 1"))});
  }
  SYNCLINE_ASSERT_OK(harness.Run());
  ASSERT_THAT(harness.Output(kFiltered), SizeIs(2));
  EXPECT_THAT(XOf(harness.Output(kFiltered)[1]), FloatNear(0.75f, 1e-5f));
}

TEST(LandmarksSmoothingTest, WhatIsTooSmallToMeasureByIsNotSmoothed) {
  // A single landmark has no size.
  EXPECT_EQ(Smoothed("one_euro_filter {}", {0, 1}), (std::vector<float>{0, 1}));
  EXPECT_EQ(Smoothed("velocity_filter { min_allowed_object_scale: 0 }", {0, 1}),
            (std::vector<float>{0, 1}));
}

TEST(LandmarksSmoothingTest, WhatIsNoNumberPassesAndIsForgotten) {
  const std::vector<float> result =
      Smoothed(kOneEuro, {0, std::nanf(""), 1, 1, INFINITY, 2, 3e38f, 3});
  ASSERT_THAT(result, SizeIs(8));
  EXPECT_TRUE(std::isnan(result[1]));
  EXPECT_EQ(result[2], 1);
  EXPECT_FLOAT_EQ(result[3], 1);
  EXPECT_EQ(result[4], INFINITY);
  EXPECT_EQ(result[5], 2);
  EXPECT_EQ(result[6], 3e38f);
  EXPECT_EQ(result[7], 3);
}

TEST(LandmarksSmoothingTest, AnotherNumberOfLandmarksIsAnotherObject) {
  CalculatorHarness harness(Smoothing(kOneEuro));
  harness.Feed("NORM_LANDMARKS",
               {At(1, LandmarkAt(0)),
                At(1000001, Landmarks("landmark { x: 1 } landmark { x: 2 }")),
                At(2000001, LandmarkAt(3))});
  for (const int time : {1, 1000001, 2000001}) {
    harness.Feed("IMAGE_SIZE", {At(time, Size(100, 50))});
  }
  SYNCLINE_ASSERT_OK(harness.Run());
  ASSERT_THAT(harness.Output(kFiltered), SizeIs(3));
  EXPECT_FLOAT_EQ(XOf(harness.Output(kFiltered)[1]), 1);
  EXPECT_FLOAT_EQ(XOf(harness.Output(kFiltered)[2]), 3);
}

TEST(LandmarksSmoothingTest, ForgetsTheObjectWhereThereAreNoLandmarks) {
  CalculatorHarness harness(Smoothing(kOneEuro));
  harness.Feed("NORM_LANDMARKS",
               {At(1, LandmarkAt(0)), At(2000001, LandmarkAt(1))});
  for (const int time : {1, 1000001, 2000001}) {
    harness.Feed("IMAGE_SIZE", {At(time, Size(100, 50))});
  }
  SYNCLINE_ASSERT_OK(harness.Run());
  ASSERT_THAT(harness.Output(kFiltered), SizeIs(2));
  EXPECT_FLOAT_EQ(XOf(harness.Output(kFiltered)[1]), 1);
}

TEST(LandmarksSmoothingTest, SmoothsLandmarksOfAWorldToo) {
  CalculatorHarness harness(absl::StrCat(
      "calculator: 'LandmarksSmoothingCalculator' "
      "input_stream: 'LANDMARKS:in' output_stream: 'FILTERED_LANDMARKS:out' "
      "options { [syncline.LandmarksSmoothingCalculatorOptions.ext] {",
      kOneEuro, "} }"));
  harness.Feed("LANDMARKS",
               {At(1, ParseTextProtoOrDie<LandmarkList>("landmark { z: 0 }")),
                At(1000001, ParseTextProtoOrDie<LandmarkList>(
                                "landmark { z: 1 name: 'a' }"))});
  SYNCLINE_ASSERT_OK(harness.Run());
  ASSERT_THAT(harness.Output("FILTERED_LANDMARKS"), SizeIs(2));
  const Landmark& last =
      harness.Output("FILTERED_LANDMARKS")[1].Get<LandmarkList>().landmark(0);
  EXPECT_THAT(last.z(), FloatNear(kAlpha, 1e-5f));
  EXPECT_EQ(last.name(), "a");
}

TEST(LandmarksSmoothingTest, OptionsAndSizesAreChecked) {
  const auto error_of = [](const std::string& options) {
    return std::string(CalculatorHarness(Smoothing(options)).Run().message());
  };
  EXPECT_THAT(error_of("one_euro_filter { frequency: 0 }"),
              HasSubstr("frequency is 0"));
  EXPECT_THAT(error_of("one_euro_filter { min_cutoff: nan }"),
              HasSubstr("min_cutoff is nan"));
  EXPECT_THAT(error_of("one_euro_filter { beta: -1 }"),
              HasSubstr("beta is -1, but has to be a number not below 0"));
  EXPECT_THAT(error_of("velocity_filter { window_size: 2000000000 }"),
              HasSubstr("from 0 to 10000"));
  EXPECT_THAT(error_of("velocity_filter { velocity_scale: inf }"),
              HasSubstr("velocity_scale is inf"));
  CalculatorHarness harness(Smoothing(kOneEuro));
  harness.Feed("NORM_LANDMARKS", {At(1, LandmarkAt(0))});
  harness.Feed("IMAGE_SIZE", {At(1, Size(0, 0))});
  EXPECT_THAT(std::string(harness.Run().message()), HasSubstr("0 x 0"));
}

// --- MultiLandmarksSmoothingCalculator

using Lists = std::vector<NormalizedLandmarkList>;
using Ids = std::vector<std::int64_t>;

class MultiLandmarksSmoothingTest : public ::testing::Test {
 protected:
  MultiLandmarksSmoothingTest()
      : harness_(absl::StrCat(
            "calculator: 'MultiLandmarksSmoothingCalculator' "
            "input_stream: 'NORM_LANDMARKS:in' "
            "input_stream: 'TRACKING_IDS:ids' input_stream: 'IMAGE_SIZE:size' "
            "output_stream: 'NORM_FILTERED_LANDMARKS:out' "
            "options { [syncline.LandmarksSmoothingCalculatorOptions.ext] {",
            kOneEuro, "} }")) {}

  // One landmark for each id, at x.
  void Feed(int second, const std::vector<float>& xs, Ids ids) {
    Lists lists;
    for (const float x : xs) lists.push_back(LandmarkAt(x));
    harness_.Feed("NORM_LANDMARKS", {At(second * 1000000 + 1, lists)});
    harness_.Feed("TRACKING_IDS", {At(second * 1000000 + 1, ids)});
    harness_.Feed("IMAGE_SIZE", {At(second * 1000000 + 1, Size(100, 50))});
  }

  CalculatorHarness harness_;
};

TEST_F(MultiLandmarksSmoothingTest, EachObjectHasItsFilter) {
  Feed(0, {0, 10}, {7, 8});
  Feed(1, {10, 1}, {8, 7});
  Feed(2, {5}, {8});
  Feed(3, {3, 5}, {7, 8});
  SYNCLINE_ASSERT_OK(harness_.Run());
  const auto& out = harness_.Output(kFiltered);
  ASSERT_THAT(out, SizeIs(4));
  const auto x_of = [&](int packet, int object) {
    return out[packet].Get<Lists>()[object].landmark(0).x();
  };
  EXPECT_THAT(x_of(1, 0), FloatNear(10, 1e-5f));
  EXPECT_THAT(x_of(1, 1), FloatNear(kAlpha, 1e-5f));
  // Object 7 was missing, so it is a new object when it comes back.
  EXPECT_THAT(x_of(3, 0), FloatNear(3, 1e-5f));
}

TEST_F(MultiLandmarksSmoothingTest, VectorsOfDifferentLengthsAreAnError) {
  Feed(0, {0, 10}, {7});
  EXPECT_THAT(std::string(harness_.Run().message()),
              HasSubstr("2 NORM_LANDMARKS, 1 TRACKING_IDS"));
}

TEST_F(MultiLandmarksSmoothingTest, AnIdThatIsThereTwiceIsAnError) {
  Feed(0, {0}, {7});
  Feed(1, {0, 10}, {7, 7});
  EXPECT_THAT(std::string(harness_.Run().message()), HasSubstr("has 7 twice"));
}

// --- VisibilitySmoothingCalculator

std::string Visibility(const std::string& options) {
  return absl::StrCat(
      "calculator: 'VisibilitySmoothingCalculator' "
      "input_stream: 'NORM_LANDMARKS:in' "
      "output_stream: 'NORM_FILTERED_LANDMARKS:out' "
      "options { [syncline.VisibilitySmoothingCalculatorOptions.ext] {",
      options, "} }");
}

TEST(VisibilitySmoothingTest, SmoothsNothingElse) {
  CalculatorHarness harness(Visibility("low_pass_filter { alpha: 0.25 }"));
  harness.Feed("NORM_LANDMARKS",
               {At(1, Landmarks("landmark { x: 1 visibility: 0 } landmark {}")),
                At(2, Landmarks("landmark { x: 9 visibility: 1 } landmark {}")),
                At(3, Landmarks("landmark { visibility: nan } landmark {}")),
                At(4, Landmarks("landmark { visibility: 1 } landmark {}"))});
  SYNCLINE_ASSERT_OK(harness.Run());
  const auto& out = harness.Output(kFiltered);
  ASSERT_THAT(out, SizeIs(4));
  EXPECT_THAT(
      out[1].Get<NormalizedLandmarkList>(),
      EqualsProto(Landmarks("landmark { x: 9 visibility: 0.25 } landmark {}")));
  EXPECT_EQ(out[3].Get<NormalizedLandmarkList>().landmark(0).visibility(), 1);
}

TEST(VisibilitySmoothingTest, WithoutAFilterSendsThePacketOn) {
  CalculatorHarness harness(Visibility("no_filter {}"));
  const Packet packet = At(1, LandmarkAt(1));
  harness.Feed("NORM_LANDMARKS", {packet});
  SYNCLINE_ASSERT_OK(harness.Run());
  ASSERT_THAT(harness.Output(kFiltered), SizeIs(1));
  EXPECT_EQ(&harness.Output(kFiltered)[0].Get<NormalizedLandmarkList>(),
            &packet.Get<NormalizedLandmarkList>());
}

TEST(VisibilitySmoothingTest, OptionsAreChecked) {
  EXPECT_THAT(
      CalculatorHarness(Visibility("low_pass_filter { alpha: 1.5 }")).Run(),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("alpha is 1.5")));
}

// --- LandmarkLetterboxRemovalCalculator

TEST(LandmarkLetterboxRemovalTest, BringsLandmarksToTheImageWithoutPadding) {
  CalculatorHarness harness(
      "calculator: 'LandmarkLetterboxRemovalCalculator' "
      "input_stream: 'LANDMARKS:in' input_stream: 'LETTERBOX_PADDING:padding' "
      "output_stream: 'LANDMARKS:out'");
  harness.Feed("LANDMARKS",
               {At(1, Landmarks("landmark { x: 0.5 y: 0.5 z: 1 name: 'a' }")),
                At(2, LandmarkAt(1))});
  harness.Feed("LETTERBOX_PADDING",
               {At(1, std::array<float, 4>{0.25f, 0, 0.25f, 0.5f})});
  SYNCLINE_ASSERT_OK(harness.Run());
  ASSERT_THAT(harness.Output("LANDMARKS"), SizeIs(1));
  EXPECT_THAT(
      harness.Output("LANDMARKS")[0].Get<NormalizedLandmarkList>(),
      EqualsProto(Landmarks("landmark { x: 0.5 y: 1 z: 2 name: 'a' }")));
}

// --- LandmarksRefinementCalculator

std::string Refinement(const std::string& options) {
  return absl::StrCat(
      "calculator: 'LandmarksRefinementCalculator' "
      "input_stream: 'LANDMARKS:0:face' input_stream: 'LANDMARKS:1:lips' "
      "output_stream: 'REFINED_LANDMARKS:out' "
      "options { [syncline.LandmarksRefinementCalculatorOptions.ext] {",
      options, "} }");
}
constexpr char kFace[] =
    "refinement { indexes_mapping: [ 2, 0, 1 ] z_refinement { copy {} } } ";

TEST(LandmarksRefinementTest, TheLastInputThatHasALandmarkSaysWhereItIs) {
  CalculatorHarness harness(Refinement(absl::StrCat(
      kFace, "refinement { indexes_mapping: 1 z_refinement { none {} } }")));
  harness.Feed("LANDMARKS:0",
               {At(1, Landmarks("landmark { x: 1 z: 1 } landmark { x: 2 z: 2 } "
                                "landmark { x: 3 z: 3 }")),
                At(2, Landmarks(""))});
  harness.Feed("LANDMARKS:1",
               {At(1, Landmarks("landmark { x: 9 y: 8 z: 7 }"))});
  SYNCLINE_ASSERT_OK(harness.Run());
  // Nothing is sent where an input is empty.
  ASSERT_THAT(harness.Output("REFINED_LANDMARKS"), SizeIs(1));
  EXPECT_THAT(
      harness.Output("REFINED_LANDMARKS")[0].Get<NormalizedLandmarkList>(),
      EqualsProto(Landmarks("landmark { x: 2 y: 0 z: 2 } "
                            "landmark { x: 9 y: 8 z: 3 } "
                            "landmark { x: 1 y: 0 z: 1 }")));
}

TEST(LandmarksRefinementTest, DepthMayBeAMean) {
  CalculatorHarness harness(Refinement(absl::StrCat(
      kFace,
      "refinement { indexes_mapping: 3 z_refinement { assign_average { "
      "indexes_for_average: [ 0, 1 ] } } }")));
  harness.Feed("LANDMARKS:0",
               {At(1, Landmarks("landmark { z: 9 } landmark { z: 2 } "
                                "landmark { z: 3 }"))});
  harness.Feed("LANDMARKS:1", {At(1, Landmarks("landmark { x: 4 z: 7 }"))});
  SYNCLINE_ASSERT_OK(harness.Run());
  const auto& out = harness.Output("REFINED_LANDMARKS").at(0);
  EXPECT_EQ(out.Get<NormalizedLandmarkList>().landmark(3).z(), 2.5f);
}

TEST(LandmarksRefinementTest, OptionsAndSizesAreChecked) {
  const auto error_of = [](const std::string& options) {
    return std::string(CalculatorHarness(Refinement(options)).Run().message());
  };
  EXPECT_THAT(error_of(kFace), HasSubstr("there are 2 and 1"));
  EXPECT_THAT(error_of("refinement { indexes_mapping: 0 } "
                       "refinement { indexes_mapping: 2 }"),
              HasSubstr("from 0 to 2"));
  EXPECT_THAT(error_of("refinement { indexes_mapping: -1 } refinement {}"),
              HasSubstr("from -1 to -1"));
  EXPECT_THAT(
      error_of(absl::StrCat(kFace,
                            "refinement { z_refinement { assign_average { "
                            "indexes_for_average: 3 } } }")),
      HasSubstr("indexes_for_average has 3"));
  EXPECT_THAT(error_of(absl::StrCat(
                  kFace, "refinement { z_refinement { assign_average {} } }")),
              HasSubstr("needs indexes_for_average"));

  CalculatorHarness harness(Refinement(absl::StrCat(kFace, "refinement {}")));
  harness.Feed("LANDMARKS:0", {At(7, LandmarkAt(1))});
  harness.Feed("LANDMARKS:1", {At(7, Landmarks(""))});
  EXPECT_THAT(std::string(harness.Run().message()),
              HasSubstr("\"face\" has 1 landmarks at 7"));
}

}  // namespace
}  // namespace syncline
