// Calculators that make rectangles of detections, and that transform
// rectangles.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "framework/calculator_framework.h"
#include "framework/deps/message_matchers.h"
#include "framework/formats/detection.pb.h"
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

constexpr float kQuarter = 1.57079633f;  // a quarter of a turn, in radians

template <typename T>
Packet At(int time, T value) {
  return MakePacket<T>(std::move(value)).At(Timestamp(time));
}

Detection BoxOf(const std::string& location) {
  return ParseTextProtoOrDie<Detection>(
      absl::StrCat("location_data {", location, "}"));
}
Detection Relative(const std::string& box, const std::string& more = "") {
  return BoxOf(absl::StrCat(
      "format: RELATIVE_BOUNDING_BOX relative_bounding_box {", box, "}", more));
}
constexpr char kHalf[] = "xmin: 0.25 ymin: 0.5 width: 0.5 height: 0.25";
// In an image of 200 x 100: a line from the middle, 20 pixels to the right.
constexpr char kLineToTheRight[] =
    "relative_keypoints { x: 0.5 y: 0.5 } relative_keypoints { x: 0.6 y: 0.5 }";

// --- DetectionsToRectsCalculator

std::string ToRects(const std::string& ports, const std::string& options = "",
                    const std::string& name = "DetectionsToRectsCalculator") {
  return absl::StrCat("calculator: '", name, "' ", ports,
                      " options { [syncline.DetectionsToRectsCalculatorOptions"
                      ".ext] {",
                      options, "} }");
}
constexpr char kTurned[] =
    "rotation_vector_start_keypoint_index: 0 "
    "rotation_vector_end_keypoint_index: 1 "
    "rotation_vector_target_angle_degrees: 90";
constexpr char kOne[] = "input_stream: 'DETECTION:in' ";
constexpr char kSeveral[] = "input_stream: 'DETECTIONS:in' ";
constexpr char kSize[] = "input_stream: 'IMAGE_SIZE:size' ";
constexpr char kNormRectOut[] = "output_stream: 'NORM_RECT:out' ";

TEST(DetectionsToRectsTest, TakesTheBoundingBox) {
  CalculatorHarness harness(ToRects(absl::StrCat(kOne, kNormRectOut)));
  harness.Feed("DETECTION", {At(1, Relative(kHalf))});
  SYNCLINE_ASSERT_OK(harness.Run());
  ASSERT_THAT(harness.Output("NORM_RECT"), SizeIs(1));
  EXPECT_THAT(harness.Output("NORM_RECT")[0].Get<NormalizedRect>(),
              EqualsProto(ParseTextProtoOrDie<NormalizedRect>(
                  "x_center: 0.5 y_center: 0.625 width: 0.5 height: 0.25")));
}

TEST(DetectionsToRectsTest, BringsPixelsAndPartsOfTheImageToEachOther) {
  CalculatorHarness harness(ToRects(
      absl::StrCat(kSeveral, kSize,
                   "output_stream: 'RECTS:r' output_stream: 'NORM_RECTS:n'")));
  harness.Feed("DETECTIONS",
               {At(1, std::vector<Detection>{
                          Relative(kHalf),
                          BoxOf("format: BOUNDING_BOX bounding_box {xmin: 10 "
                                "ymin: 20 width: 100 height: 50}"),
                          BoxOf("format: GLOBAL")})});
  harness.Feed("IMAGE_SIZE", {At(1, Size(200, 100))});
  SYNCLINE_ASSERT_OK(harness.Run());
  const auto& rects = harness.Output("RECTS").at(0).Get<std::vector<Rect>>();
  ASSERT_THAT(rects, SizeIs(3));
  EXPECT_THAT(rects[0], EqualsProto(ParseTextProtoOrDie<Rect>(
                            "x_center: 100 y_center: 63 width: 100 "
                            "height: 25")));
  EXPECT_THAT(rects[1], EqualsProto(ParseTextProtoOrDie<Rect>(
                            "x_center: 60 y_center: 45 width: 100 "
                            "height: 50")));
  EXPECT_THAT(rects[2], EqualsProto(ParseTextProtoOrDie<Rect>(
                            "x_center: 100 y_center: 50 width: 200 "
                            "height: 100")));
  const auto& norm =
      harness.Output("NORM_RECTS").at(0).Get<std::vector<NormalizedRect>>();
  ASSERT_THAT(norm, SizeIs(3));
  EXPECT_FLOAT_EQ(norm[1].x_center(), 0.3f);
  EXPECT_FLOAT_EQ(norm[1].height(), 0.5f);
}

TEST(DetectionsToRectsTest, TurnsTheRectangleSoThatALineHasTheTargetAngle) {
  CalculatorHarness harness(
      ToRects(absl::StrCat(kOne, kSize, kNormRectOut), kTurned));
  const auto with_line = [](float x, float y) {
    return Relative(kHalf, absl::StrCat("relative_keypoints { x: 0.5 y: 0.5 } "
                                        "relative_keypoints { x: ",
                                        x, " y: ", y, "}"));
  };
  // The line points up, to the right, or to the lower right, always at these
  // angles in pixels.
  harness.Feed("DETECTION",
               {At(1, with_line(0.5f, 0.4f)), At(2, with_line(0.6f, 0.5f)),
                At(3, with_line(0.55f, 0.6f))});
  for (const int time : {1, 2, 3}) {
    harness.Feed("IMAGE_SIZE", {At(time, Size(200, 100))});
  }
  SYNCLINE_ASSERT_OK(harness.Run());
  const std::vector<float> expected = {0, kQuarter, 1.5f * kQuarter};
  ASSERT_THAT(harness.Output("NORM_RECT"), SizeIs(3));
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(harness.Output("NORM_RECT")[i].Get<NormalizedRect>().rotation(),
                FloatNear(expected[i], 1e-5f));
  }
}

TEST(DetectionsToRectsTest, TurnedRectanglesNeedTheImageSizeOfTheirTime) {
  CalculatorHarness harness(
      ToRects(absl::StrCat(kOne, kSize, kNormRectOut), kTurned));
  harness.Feed("DETECTION", {At(1, Relative(kHalf, kLineToTheRight))});
  harness.Feed("IMAGE_SIZE", {At(2, Size(200, 100))});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("NORM_RECT"), IsEmpty());

  EXPECT_THAT(
      CalculatorHarness(ToRects(absl::StrCat(kOne, kNormRectOut), kTurned))
          .Run(),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("IMAGE_SIZE")));
}

TEST(DetectionsToRectsTest, EnclosesKeypoints) {
  CalculatorHarness harness(ToRects(absl::StrCat(kOne, kNormRectOut),
                                    "conversion_mode: USE_KEYPOINTS"));
  harness.Feed("DETECTION",
               {At(1, Relative(kHalf,
                               "relative_keypoints { x: 0.25 y: 0.75 } "
                               "relative_keypoints { x: 0.5 y: 0.25 } "
                               "relative_keypoints { x: 0.75 y: 0.5 }"))});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("NORM_RECT").at(0).Get<NormalizedRect>(),
              EqualsProto(ParseTextProtoOrDie<NormalizedRect>(
                  "x_center: 0.5 y_center: 0.5 width: 0.5 height: 0.5")));
}

TEST(DetectionsToRectsTest, RoundsToPixels) {
  const auto rect_of = [](const Detection& detection, const char* options) {
    CalculatorHarness harness(
        ToRects(absl::StrCat(kOne, kSize, "output_stream: 'RECT:r'"), options));
    harness.Feed("DETECTION", {At(1, detection)});
    harness.Feed("IMAGE_SIZE", {At(1, Size(10, 20))});
    SYNCLINE_EXPECT_OK(harness.Run());
    return harness.Output("RECT").at(0).Get<Rect>();
  };
  // From 1.6 to 8.2 and from 4.6 to 7.2 pixels: what is relative is rounded.
  EXPECT_THAT(rect_of(Relative(kHalf,
                               "relative_keypoints { x: 0.16 y: 0.36 } "
                               "relative_keypoints { x: 0.82 y: 0.23 }"),
                      "conversion_mode: USE_KEYPOINTS"),
              EqualsProto(ParseTextProtoOrDie<Rect>(
                  "x_center: 5 y_center: 6 width: 7 height: 3")));
  // The middle of an odd side lies half a pixel lower, on both sides of 0.
  EXPECT_THAT(rect_of(BoxOf("format: BOUNDING_BOX bounding_box {xmin: -5 "
                            "ymin: 4 width: 5 height: 7}"),
                      ""),
              EqualsProto(ParseTextProtoOrDie<Rect>(
                  "x_center: -3 y_center: 7 width: 5 height: 7")));
}

TEST(DetectionsToRectsTest, NoDetectionsAreNothingOrARectangleOfZeros) {
  for (const bool zero : {false, true}) {
    CalculatorHarness harness(ToRects(
        absl::StrCat(kSeveral, kNormRectOut, "output_stream: 'RECTS:r'"),
        absl::StrCat("output_zero_rect_for_empty_detections: ", zero)));
    harness.Feed("DETECTIONS", {At(1, std::vector<Detection>())});
    SYNCLINE_ASSERT_OK(harness.Run());
    ASSERT_THAT(harness.Output("NORM_RECT"), SizeIs(zero));
    ASSERT_THAT(harness.Output("RECTS"), SizeIs(zero));
    if (!zero) continue;
    EXPECT_EQ(harness.Output("NORM_RECT")[0].Get<NormalizedRect>().width(), 0);
    EXPECT_THAT(harness.Output("RECTS")[0].Get<std::vector<Rect>>(), SizeIs(1));
  }
}

TEST(DetectionsToRectsTest, ADetectionWithoutWhatIsAskedForIsAnError) {
  const auto error_of = [](const Detection& detection, const char* options,
                           Size size) {
    CalculatorHarness harness(
        ToRects(absl::StrCat(kOne, kSize, kNormRectOut), options));
    harness.Feed("DETECTION", {At(7, detection)});
    harness.Feed("IMAGE_SIZE", {At(7, size)});
    return std::string(harness.Run().message());
  };
  EXPECT_THAT(error_of(BoxOf("format: MASK"), "", {1, 1}),
              HasSubstr("it is a MASK"));
  EXPECT_THAT(
      error_of(Relative(kHalf), "conversion_mode: USE_KEYPOINTS", {1, 1}),
      HasSubstr("it has 0 key points, but 2 or more"));
  EXPECT_THAT(error_of(Relative(kHalf, "relative_keypoints { x: 0.5 y: 1 }"),
                       "conversion_mode: USE_KEYPOINTS", {1, 1}),
              HasSubstr("it has 1 key points, but 2 or more"));
  EXPECT_THAT(error_of(Relative(kHalf), kTurned, {1, 1}),
              HasSubstr("it has 0 key points"));
  EXPECT_THAT(error_of(Relative(kHalf, kLineToTheRight), kTurned, {0, 5}),
              HasSubstr("stream \"size\" at 7 is 0 x 5"));
}

TEST(DetectionsToRectsTest, NumbersThatNoPixelHasStayAtTheEnd) {
  CalculatorHarness harness(
      ToRects(absl::StrCat(kOne, kSize, "output_stream: 'RECT:r'")));
  harness.Feed("DETECTION",
               {At(1, Relative("xmin: nan ymin: -inf width: 1e30 height: 1"))});
  harness.Feed("IMAGE_SIZE", {At(1, Size(100, 100))});
  SYNCLINE_ASSERT_OK(harness.Run());
  const Rect& rect = harness.Output("RECT").at(0).Get<Rect>();
  EXPECT_EQ(rect.x_center(), 0);
  EXPECT_EQ(rect.y_center(), std::numeric_limits<int>::min());
  EXPECT_EQ(rect.width(), std::numeric_limits<int>::max());
}

TEST(DetectionsToRectsTest, OptionsAreChecked) {
  const auto error_of = [](const std::string& options) {
    return std::string(
        CalculatorHarness(
            ToRects(absl::StrCat(kOne, kSize, kNormRectOut), options))
            .Run()
            .message());
  };
  EXPECT_THAT(error_of("rotation_vector_start_keypoint_index: 0"),
              HasSubstr("a line has two ends"));
  EXPECT_THAT(error_of("rotation_vector_start_keypoint_index: 0 "
                       "rotation_vector_end_keypoint_index: -1 "
                       "rotation_vector_target_angle: 0"),
              HasSubstr("from 0 to -1"));
  EXPECT_THAT(error_of(absl::StrCat(kTurned,
                                    " rotation_vector_target_angle: "
                                    "1")),
              HasSubstr("to which angle"));
  EXPECT_THAT(error_of("rotation_vector_start_keypoint_index: 0 "
                       "rotation_vector_end_keypoint_index: 1 "
                       "rotation_vector_target_angle: nan"),
              HasSubstr("no finite number"));
}

TEST(DetectionsToRectsTest, PortsAreChecked) {
  const auto error_of = [](const std::string& ports) {
    return std::string(CalculatorHarness(ToRects(ports)).Run().message());
  };
  EXPECT_THAT(error_of(kNormRectOut),
              HasSubstr("one of DETECTION, DETECTIONS, but 0 are connected"));
  EXPECT_THAT(error_of(absl::StrCat(kOne, kSeveral, kNormRectOut)),
              HasSubstr("but 2 are connected"));
  EXPECT_THAT(error_of(kOne), HasSubstr("what is to come out?"));
}

// --- AlignmentPointsRectsCalculator

constexpr char kAlignment[] = "AlignmentPointsRectsCalculator";

TEST(AlignmentPointsRectsTest, MakesASquareAroundTheFirstPoint) {
  CalculatorHarness harness(ToRects(absl::StrCat(kSeveral, kSize, kNormRectOut),
                                    kTurned, kAlignment));
  harness.Feed(
      "DETECTIONS",
      {At(1, std::vector<Detection>{Relative(kHalf, kLineToTheRight)})});
  harness.Feed("IMAGE_SIZE", {At(1, Size(200, 100))});
  SYNCLINE_ASSERT_OK(harness.Run());
  const auto& rect = harness.Output("NORM_RECT").at(0).Get<NormalizedRect>();
  EXPECT_FLOAT_EQ(rect.x_center(), 0.5f);
  EXPECT_FLOAT_EQ(rect.y_center(), 0.5f);
  EXPECT_THAT(rect.width(), FloatNear(0.2f, 1e-5f));   // 40 pixels
  EXPECT_THAT(rect.height(), FloatNear(0.4f, 1e-5f));  // 40 pixels
  EXPECT_THAT(rect.rotation(), FloatNear(kQuarter, 1e-5f));
}

TEST(AlignmentPointsRectsTest, NeedsThePoints) {
  EXPECT_THAT(CalculatorHarness(ToRects(absl::StrCat(kOne, kSize, kNormRectOut),
                                        "", kAlignment))
                  .Run(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("around which points")));
}

// --- RectTransformationCalculator

std::string Transform(const std::string& tag, const std::string& options) {
  return absl::StrCat(
      "calculator: 'RectTransformationCalculator' input_stream: '", tag,
      ":in' input_stream: 'IMAGE_SIZE:size' output_stream: 'out' "
      "options { [syncline.RectTransformationCalculatorOptions.ext] {",
      options, "} }");
}

// Transforms a rectangle in an image of 200 x 100.
NormalizedRect Transformed(const std::string& rect,
                           const std::string& options) {
  CalculatorHarness harness(Transform("NORM_RECT", options));
  harness.Feed("NORM_RECT", {At(1, ParseTextProtoOrDie<NormalizedRect>(rect))});
  harness.Feed("IMAGE_SIZE", {At(1, Size(200, 100))});
  SYNCLINE_EXPECT_OK(harness.Run());
  if (harness.Output("").empty()) return {};
  return harness.Output("")[0].Get<NormalizedRect>();
}
// A rectangle that is 40 pixels wide and 10 high.
constexpr char kFlat[] = "x_center: 0.5 y_center: 0.5 width: 0.2 height: 0.1";

void ExpectRect(const NormalizedRect& rect, float x, float y, float width,
                float height, float rotation) {
  EXPECT_THAT(rect.x_center(), FloatNear(x, 1e-5f));
  EXPECT_THAT(rect.y_center(), FloatNear(y, 1e-5f));
  EXPECT_THAT(rect.width(), FloatNear(width, 1e-5f));
  EXPECT_THAT(rect.height(), FloatNear(height, 1e-5f));
  EXPECT_THAT(rect.rotation(), FloatNear(rotation, 1e-5f));
}

TEST(RectTransformationTest, WithoutOptionsChangesNothing) {
  EXPECT_THAT(Transformed(absl::StrCat(kFlat, " rotation: 7 rect_id: 5"), ""),
              EqualsProto(ParseTextProtoOrDie<NormalizedRect>(
                  absl::StrCat(kFlat, " rotation: 7 rect_id: 5"))));
}

TEST(RectTransformationTest, ScalesTheSides) {
  ExpectRect(Transformed(kFlat, "scale_x: 2 scale_y: 3"), 0.5f, 0.5f, 0.4f,
             0.3f, 0);
}

TEST(RectTransformationTest, MakesSquaresInPixels) {
  ExpectRect(Transformed(kFlat, "square_long: true"), 0.5f, 0.5f, 0.2f, 0.4f,
             0);
  ExpectRect(Transformed(kFlat, "square_short: true scale_x: 2"), 0.5f, 0.5f,
             0.1f, 0.1f, 0);
}

TEST(RectTransformationTest, ShiftsAlongTheSidesAfterTheTurn) {
  ExpectRect(Transformed(kFlat, "shift_x: 0.5 shift_y: -1"), 0.6f, 0.4f, 0.2f,
             0.1f, 0);
  // A quarter of a turn clockwise: right becomes down, and up becomes right.
  ExpectRect(Transformed(kFlat,
                         "shift_x: 0.5 shift_y: -1 "
                         "rotation_degrees: 90"),
             0.55f, 0.7f, 0.2f, 0.1f, kQuarter);
}

TEST(RectTransformationTest, TurnsOnFromWhereItIs) {
  ExpectRect(Transformed(absl::StrCat(kFlat, " rotation: 3"), "rotation: 1"),
             0.5f, 0.5f, 0.2f, 0.1f, 4 - 4 * kQuarter);
}

TEST(RectTransformationTest, CutsFractionsOfPixels) {
  CalculatorHarness harness(
      "calculator: 'RectTransformationCalculator' input_stream: 'RECTS:in' "
      "output_stream: 'out' options { "
      "[syncline.RectTransformationCalculatorOptions.ext] { scale_x: 1.5 "
      "scale_y: 1e20 shift_x: 0.5 } }");
  harness.Feed("RECTS", {At(1, std::vector<Rect>{ParseTextProtoOrDie<Rect>(
                                   "x_center: 10 y_center: 20 width: 5 "
                                   "height: 4")})});
  SYNCLINE_ASSERT_OK(harness.Run());
  const auto& rects = harness.Output("").at(0).Get<std::vector<Rect>>();
  ASSERT_THAT(rects, SizeIs(1));
  EXPECT_THAT(rects[0], EqualsProto(ParseTextProtoOrDie<Rect>(
                            "x_center: 12 y_center: 20 width: 7 "
                            "height: 2147483647")));
}

TEST(RectTransformationTest, WithoutAnImageSizeNothingIsSent) {
  CalculatorHarness harness(Transform("NORM_RECTS", ""));
  harness.Feed("NORM_RECTS", {At(1, std::vector<NormalizedRect>())});
  harness.Feed("IMAGE_SIZE", {At(2, Size(1, 1))});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output(""), IsEmpty());
}

TEST(RectTransformationTest, OptionsAndSizesAreChecked) {
  const auto error_of = [](const std::string& options) {
    return std::string(
        CalculatorHarness(Transform("NORM_RECT", options)).Run().message());
  };
  EXPECT_THAT(error_of("rotation: 1 rotation_degrees: 1"),
              HasSubstr("one of rotation and rotation_degrees"));
  EXPECT_THAT(error_of("square_long: true square_short: true"),
              HasSubstr("a square has one side"));
  EXPECT_THAT(error_of("shift_x: inf"), HasSubstr("finite"));
  EXPECT_THAT(CalculatorHarness("calculator: 'RectTransformationCalculator' "
                                "input_stream: 'NORM_RECT:in' "
                                "output_stream: 'out'")
                  .Run(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("NORM_RECT needs IMAGE_SIZE")));
  CalculatorHarness harness(Transform("NORM_RECT", ""));
  harness.Feed("NORM_RECT",
               {At(3, ParseTextProtoOrDie<NormalizedRect>(kFlat))});
  harness.Feed("IMAGE_SIZE", {At(3, Size(-1, 100))});
  EXPECT_THAT(std::string(harness.Run().message()), HasSubstr("-1 x 100"));
}

}  // namespace
}  // namespace syncline
