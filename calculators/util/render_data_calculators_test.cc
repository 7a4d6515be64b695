// Calculators that make drawings of detections, landmarks, rectangles and
// labels.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "framework/calculator_framework.h"
#include "framework/deps/message_matchers.h"
#include "framework/formats/classification.pb.h"
#include "framework/formats/detection.pb.h"
#include "framework/formats/landmark.pb.h"
#include "framework/formats/rect.pb.h"
#include "framework/formats/video_stream_header.h"
#include "framework/port/parse_text_proto.h"
#include "testing/calculator_harness.h"
#include "testing/packet_matchers.h"
#include "util/render_data.pb.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Size = std::pair<int, int>;
using Strings = std::vector<std::string>;

template <typename T>
Packet At(int time, T value) {
  return MakePacket<T>(std::move(value)).At(Timestamp(time));
}
template <typename T>
Packet ParsedAt(int time, const std::string& text) {
  return At(time, ParseTextProtoOrDie<T>(text));
}

std::string NodeOf(const std::string& name, const std::string& ports,
                   const std::string& options) {
  return absl::StrCat("calculator: '", name, "Calculator' ", ports,
                      " options { [syncline.", name, "CalculatorOptions.ext] {",
                      options, "} }");
}
const RenderData& DrawingOf(const CalculatorHarness& harness) {
  static const auto& none = *new RenderData();
  const auto& out = harness.Output("RENDER_DATA");
  return out.empty() ? none : out[0].Get<RenderData>();
}
auto IsDrawing(const std::string& text) {
  return EqualsProto(ParseTextProtoOrDie<RenderData>(text));
}
Strings TextsOf(const RenderData& drawing) {
  Strings result;
  for (const RenderAnnotation& one : drawing.render_annotations()) {
    if (one.has_text()) result.push_back(one.text().display_text());
  }
  return result;
}

constexpr char kDrawingOut[] = "output_stream: 'RENDER_DATA:out' ";

// --- DetectionsToRenderDataCalculator

RenderData DrawingOf(const std::string& detection, const std::string& options) {
  CalculatorHarness harness(NodeOf(
      "DetectionsToRenderData",
      absl::StrCat("input_stream: 'DETECTION:in' ", kDrawingOut), options));
  harness.Feed("DETECTION", {ParsedAt<Detection>(1, detection)});
  SYNCLINE_EXPECT_OK(harness.Run());
  return DrawingOf(harness);
}

TEST(DetectionsToRenderDataTest, DrawsBoxTextAndKeypoints) {
  // The line is a tenth of the box's height.
  EXPECT_THAT(DrawingOf("label: 'cat' score: 0.912 location_data { "
                        "format: RELATIVE_BOUNDING_BOX relative_bounding_box { "
                        "xmin: 0.25 ymin: 0.5 width: 0.5 height: 1 } "
                        "relative_keypoints { x: 0.5 y: 0.75 } }",
                        "thickness: 4 color { r: 9 } text { normalized: true "
                        "font_height: 0.125 }"),
              IsDrawing(R"pb(
                scene_class: "DETECTION"
                render_annotations {
                  text {
                    display_text: "cat,0.91,"
                    left: 0.25
                    baseline: 0.6
                    font_height: 0.125
                    normalized: true
                  }
                  scene_tag: "LABEL"
                  thickness: 4
                  color { r: 9 }
                }
                render_annotations {
                  rectangle {
                    left: 0.25
                    top: 0.5
                    right: 0.75
                    bottom: 1
                    normalized: true
                  }
                  scene_tag: "LOCATION"
                  thickness: 4
                  color { r: 9 }
                }
                render_annotations {
                  point { x: 0.5 y: 0.75 normalized: true }
                  scene_tag: "KEYPOINT"
                  thickness: 4
                  color { r: 9 }
                }
              )pb"));
}

TEST(DetectionsToRenderDataTest, FontHeightsHaveTheUnitOfTheDetection) {
  const std::string in_pixels =
      "label: 'cat' location_data { format: BOUNDING_BOX bounding_box { "
      "xmin: 1 ymin: 10 width: 3 height: 4 } }";
  const auto height_of = [&](const char* options) {
    return DrawingOf(in_pixels, options)
        .render_annotations(0)
        .text()
        .font_height();
  };
  EXPECT_EQ(height_of("text { font_height: 20 }"), 20);
  // The message's own default.
  EXPECT_EQ(height_of("text { font_height: 0.1 normalized: true }"), 8);
  EXPECT_EQ(height_of(""), 8);
}

TEST(DetectionsToRenderDataTest, LinesAreATenthOfTheBoxApart) {
  const RenderData drawing = DrawingOf(
      "label: 'cat' feature_tag: 'model' location_data { "
      "format: RELATIVE_BOUNDING_BOX relative_bounding_box { "
      "xmin: 0.25 ymin: 0.25 width: 0.5 height: 0.5 } }",
      "text { font_height: 20 }");
  const RenderAnnotation& label = drawing.render_annotations(0);
  const RenderAnnotation& feature = drawing.render_annotations(1);
  EXPECT_EQ(feature.scene_tag(), "FEATURE");
  EXPECT_DOUBLE_EQ(label.text().baseline(), 0.3);
  EXPECT_DOUBLE_EQ(feature.text().baseline(), 0.35);
  EXPECT_DOUBLE_EQ(label.text().font_height(), 0.045);
  EXPECT_DOUBLE_EQ(feature.text().font_height(), 0.045);
}

TEST(DetectionsToRenderDataTest, DrawsWhatOfARelativeBoxIsInTheImage) {
  const auto drawing_of = [](const char* box) {
    return DrawingOf(absl::StrCat("label: 'a' location_data { "
                                  "format: RELATIVE_BOUNDING_BOX "
                                  "relative_bounding_box { ",
                                  box, " } }"),
                     "");
  };
  const RenderData wide = drawing_of("xmin: -0.5 ymin: -1 width: 2 height: 30");
  EXPECT_EQ(wide.render_annotations(0).text().left(), 0);
  EXPECT_EQ(wide.render_annotations(0).text().baseline(), 1);
  const auto& box = wide.render_annotations(1).rectangle();
  EXPECT_EQ(box.left(), 0);
  EXPECT_EQ(box.top(), 0);
  EXPECT_EQ(box.right(), 1);
  EXPECT_EQ(box.bottom(), 1);
  EXPECT_THAT(
      drawing_of("xmin: 1.5 ymin: 0 width: 1 height: 1").render_annotations(),
      SizeIs(1));
}

TEST(DetectionsToRenderDataTest, ScoresAreRoundedToTwoDecimals) {
  EXPECT_THAT(TextsOf(DrawingOf("label: 'a' label: 'b' label: 'c' "
                                "score: [ 0.987654, 0.333333, 1 ]",
                                "")),
              ElementsAre("a,0.99,b,0.33,c,1,"));
}

TEST(DetectionsToRenderDataTest, WritesALineForEachLabelOrOneForAll) {
  const std::string detection =
      "label: 'cat' label: 'dog' score: [ 0.5, 0.25 ] feature_tag: 'model' "
      "detection_id: 7";
  EXPECT_THAT(TextsOf(DrawingOf(detection, "")),
              ElementsAre("cat,0.5,dog,0.25,", "model"));
  EXPECT_THAT(TextsOf(DrawingOf(detection,
                                "one_label_per_line: true text_delimiter: ' ' "
                                "render_detection_id: true")),
              ElementsAre("Id: 7", "cat 0.5 ", "dog 0.25 ", "model"));
  EXPECT_THAT(TextsOf(DrawingOf("label_id: 3", "")), ElementsAre("3"));
  EXPECT_THAT(TextsOf(DrawingOf("label: 'a' display_name: 'A'", "")),
              ElementsAre("A"));
}

TEST(DetectionsToRenderDataTest, TakesAllInputs) {
  CalculatorHarness harness(
      NodeOf("DetectionsToRenderData",
             absl::StrCat("input_stream: 'DETECTION:a' "
                          "input_stream: 'DETECTIONS:b' "
                          "input_stream: 'DETECTION_LIST:c' ",
                          kDrawingOut),
             ""));
  harness.Feed("DETECTION", {ParsedAt<Detection>(1, "label: 'a'")});
  harness.Feed("DETECTIONS",
               {At(1, std::vector<Detection>{
                          ParseTextProtoOrDie<Detection>("label: 'b'")})});
  harness.Feed("DETECTION_LIST",
               {ParsedAt<DetectionList>(1, "detection { label: 'c' }")});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(TextsOf(DrawingOf(harness)), ElementsAre("c", "b", "a"));
}

TEST(DetectionsToRenderDataTest, NoDetectionsAreADrawingOfNothingOrNothing) {
  for (const bool produce : {false, true}) {
    CalculatorHarness harness(NodeOf(
        "DetectionsToRenderData",
        absl::StrCat("input_stream: 'DETECTIONS:in' ", kDrawingOut),
        absl::StrCat("scene_class: 'X' produce_empty_packet: ", produce)));
    harness.Feed("DETECTIONS", {At(1, std::vector<Detection>())});
    SYNCLINE_ASSERT_OK(harness.Run());
    ASSERT_THAT(harness.Output("RENDER_DATA"), SizeIs(produce));
    if (produce) {
      EXPECT_THAT(DrawingOf(harness), IsDrawing("scene_class: 'X'"));
    }
  }
}

// --- LandmarksToRenderDataCalculator

std::string Landmarks(const std::string& tag, const std::string& options,
                      const std::string& more = "") {
  return NodeOf(
      "LandmarksToRenderData",
      absl::StrCat("input_stream: '", tag, ":in' ", more, kDrawingOut),
      absl::StrCat("landmark_connections: [ 0, 1, 1, 9 ] "
                   "landmark_color { r: 1 } "
                   "connection_color { r: 100 } ",
                   options));
}
constexpr char kTwoFlat[] = "landmark { x: 1 y: 2 } landmark { x: 3 y: 4 }";

TEST(LandmarksToRenderDataTest, DrawsPointsAndConnections) {
  CalculatorHarness harness(Landmarks("LANDMARKS", "thickness: 2",
                                      "input_stream: 'RENDER_SCALE:s' "));
  harness.Feed("LANDMARKS", {ParsedAt<LandmarkList>(1, kTwoFlat),
                             ParsedAt<LandmarkList>(2, kTwoFlat)});
  harness.Feed("RENDER_SCALE", {At(1, 1.5f)});
  SYNCLINE_ASSERT_OK(harness.Run());
  // Nothing is drawn without a scale at its timestamp.
  ASSERT_THAT(harness.Output("RENDER_DATA"), SizeIs(1));
  EXPECT_THAT(
      DrawingOf(harness), IsDrawing(R"pb(
        render_annotations {
          line { x_start: 1 y_start: 2 x_end: 3 y_end: 4 normalized: false }
          thickness: 3
          color { r: 100 }
        }
        render_annotations {
          point { x: 1 y: 2 normalized: false }
          thickness: 3
          color { r: 1 }
        }
        render_annotations {
          point { x: 3 y: 4 normalized: false }
          thickness: 3
          color { r: 1 }
        }
      )pb"));
}

testing::Matcher<const Color&> IsGrey(int shade) {
  return testing::AllOf(testing::Property("r", &Color::r, shade),
                        testing::Property("g", &Color::g, shade),
                        testing::Property("b", &Color::b, shade));
}

TEST(LandmarksToRenderDataTest, ShowsDepth) {
  CalculatorHarness harness(
      Landmarks("NORM_LANDMARKS", "max_depth_circle_thickness: 8"));
  harness.Feed("NORM_LANDMARKS",
               {ParsedAt<NormalizedLandmarkList>(
                   1,
                   "landmark { z: -1 } landmark { z: 1 } landmark { z: 0 } "
                   "landmark { z: nan }")});
  SYNCLINE_ASSERT_OK(harness.Run());
  const RenderData& drawing = DrawingOf(harness);
  ASSERT_THAT(drawing.render_annotations(), SizeIs(5));
  const auto& line = drawing.render_annotations(0).gradient_line();
  EXPECT_EQ(line.color1().r(), 100);
  EXPECT_EQ(line.color2().r(), 0);
  EXPECT_TRUE(line.normalized());
  // The nearest point is the thickest and the lightest.
  EXPECT_EQ(drawing.render_annotations(1).thickness(), 8);
  EXPECT_EQ(drawing.render_annotations(2).thickness(), 0);
  EXPECT_EQ(drawing.render_annotations(3).thickness(), 4);
  EXPECT_THAT(drawing.render_annotations(1).color(), IsGrey(255));
  EXPECT_THAT(drawing.render_annotations(2).color(), IsGrey(0));
  EXPECT_THAT(drawing.render_annotations(3).color(), IsGrey(128));

  CalculatorHarness flat(
      Landmarks("NORM_LANDMARKS", "visualize_landmark_depth: false"));
  flat.Feed("NORM_LANDMARKS", {ParsedAt<NormalizedLandmarkList>(
                                  1, "landmark { z: -1 } landmark { z: 1 }")});
  SYNCLINE_ASSERT_OK(flat.Run());
  EXPECT_TRUE(DrawingOf(flat).render_annotations(0).has_line());
  const RenderAnnotation& point = DrawingOf(flat).render_annotations(1);
  EXPECT_EQ(point.color().r(), 1);
  EXPECT_EQ(point.thickness(), 1);
}

TEST(LandmarksToRenderDataTest, ShowsDepthUnlessTheOptionsSayOtherwise) {
  CalculatorHarness harness(Landmarks("NORM_LANDMARKS", "thickness: 4"));
  harness.Feed("NORM_LANDMARKS",
               {ParsedAt<NormalizedLandmarkList>(
                   1, "landmark { z: -1 } landmark { z: 1 }")});
  SYNCLINE_ASSERT_OK(harness.Run());
  const RenderData& drawing = DrawingOf(harness);
  ASSERT_THAT(drawing.render_annotations(), SizeIs(3));
  EXPECT_EQ(drawing.render_annotations(0).thickness(), 4) << "a line";
  EXPECT_EQ(drawing.render_annotations(1).thickness(), 18);
  EXPECT_EQ(drawing.render_annotations(2).thickness(), 0);
}

TEST(LandmarksToRenderDataTest, ShowsNoDepthThatIsNearlyNone) {
  const auto first_of = [](const char* z) {
    CalculatorHarness harness(Landmarks("NORM_LANDMARKS", ""));
    harness.Feed(
        "NORM_LANDMARKS",
        {ParsedAt<NormalizedLandmarkList>(
            1, absl::StrCat("landmark { z: 0 } landmark { z: ", z, " }"))});
    SYNCLINE_EXPECT_OK(harness.Run());
    return DrawingOf(harness).render_annotations(0);
  };
  EXPECT_TRUE(first_of("0.0009").has_line());
  EXPECT_TRUE(first_of("0.0011").has_gradient_line());
}

TEST(LandmarksToRenderDataTest, LeavesOutWhatIsHiddenOrAbsent) {
  CalculatorHarness harness(
      Landmarks("NORM_LANDMARKS",
                "utilize_visibility: true visibility_threshold: 0.5 "
                "utilize_presence: true presence_threshold: 0.25"));
  harness.Feed("NORM_LANDMARKS",
               {ParsedAt<NormalizedLandmarkList>(
                   1,
                   "landmark { visibility: 0.5 presence: 0.25 } "
                   "landmark { visibility: 0.4 presence: 1 } "
                   "landmark { visibility: 1 presence: 0.2 }")});
  SYNCLINE_ASSERT_OK(harness.Run());
  ASSERT_THAT(DrawingOf(harness).render_annotations(), SizeIs(1));
  EXPECT_TRUE(DrawingOf(harness).render_annotations(0).has_point());
}

TEST(LandmarksToRenderDataTest, ConnectionsArePairsOfIndexes) {
  const auto error_of = [](const char* more) {
    return std::string(
        CalculatorHarness(Landmarks("LANDMARKS", more)).Run().message());
  };
  EXPECT_THAT(error_of("landmark_connections: 1"),
              HasSubstr("there are 5 indexes"));
  EXPECT_THAT(error_of("landmark_connections: [ 1, -1 ]"),
              HasSubstr("counts from 0"));
}

// --- RectToRenderDataCalculator

TEST(RectToRenderDataTest, DrawsRectangles) {
  CalculatorHarness harness(
      NodeOf("RectToRenderData",
             absl::StrCat("input_stream: 'NORM_RECTS:in' ", kDrawingOut),
             "color { b: 5 } thickness: 3 top_left_thickness: 6"));
  harness.Feed(
      "NORM_RECTS",
      {At(1, std::vector<NormalizedRect>{ParseTextProtoOrDie<NormalizedRect>(
                 "x_center: 0.5 y_center: 0.5 width: 0.5 "
                 "height: 0.25 rotation: 1")}),
       At(2, std::vector<NormalizedRect>())});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(DrawingOf(harness), IsDrawing(R"pb(
                render_annotations {
                  rectangle {
                    left: 0.25
                    top: 0.375
                    right: 0.75
                    bottom: 0.625
                    normalized: true
                    rotation: 1
                    top_left_thickness: 6
                  }
                  thickness: 3
                  color { b: 5 }
                }
              )pb"));
  EXPECT_THAT(harness.Output("RENDER_DATA"), SizeIs(2));
}

TEST(RectToRenderDataTest, DrawsOtherShapes) {
  const auto shape_of = [](const char* options) {
    CalculatorHarness harness(
        NodeOf("RectToRenderData",
               absl::StrCat("input_stream: 'RECT:in' ", kDrawingOut), options));
    harness.Feed("RECT", {ParsedAt<Rect>(
                             1, "x_center: 5 y_center: 5 width: 3 height: 2")});
    SYNCLINE_EXPECT_OK(harness.Run());
    return DrawingOf(harness).render_annotations(0);
  };
  EXPECT_EQ(shape_of("").rectangle().left(), 3.5);
  EXPECT_EQ(shape_of("oval: true").oval().rectangle().top(), 4);
  EXPECT_EQ(shape_of("filled: true color { r: 7 }")
                .filled_rectangle()
                .fill_color()
                .r(),
            7);
  EXPECT_EQ(shape_of("filled: true oval: true")
                .filled_oval()
                .oval()
                .rectangle()
                .right(),
            6.5);
}

// --- RectToRenderScaleCalculator

TEST(RectToRenderScaleTest, GrowsWithTheLongerSide) {
  CalculatorHarness harness(
      NodeOf("RectToRenderScale",
             "input_stream: 'NORM_RECT:in' input_stream: 'IMAGE_SIZE:size' "
             "output_stream: 'RENDER_SCALE:out'",
             "multiplier: 0.5"));
  const auto rect = ParseTextProtoOrDie<NormalizedRect>(
      "x_center: 0 y_center: 0 width: 0.5 height: 0.75");
  harness.Feed("NORM_RECT", {At(1, rect), At(2, rect)});
  harness.Feed("IMAGE_SIZE", {At(1, Size(200, 100)), At(3, Size(200, 100))});
  SYNCLINE_ASSERT_OK(harness.Run());
  // A rectangle without a size sends nothing; a size without a rectangle sends
  // the multiplier.
  EXPECT_THAT(harness.Output("RENDER_SCALE"),
              StreamIs<float>({{1, 50.0f}, {3, 0.5f}}));
}

TEST(RectToRenderScaleTest, IsTheMultiplierWhereThereIsSettledToBeNone) {
  CalculatorHarness harness(
      NodeOf("RectToRenderScale",
             "input_stream: 'NORM_RECT:in' input_stream: 'IMAGE_SIZE:size' "
             "output_stream: 'RENDER_SCALE:out'",
             "multiplier: 0.5 process_timestamp_bounds: true"));
  harness.Feed("IMAGE_SIZE", {At(3, Size(200, 100))});
  SYNCLINE_ASSERT_OK(harness.Run());
  ASSERT_FALSE(harness.Output("RENDER_SCALE").empty());
  EXPECT_THAT(harness.Output("RENDER_SCALE")[0], PacketIs<float>(3, 0.5f));
}

// --- LabelsToRenderDataCalculator

TEST(LabelsToRenderDataTest, WritesLabelsBelowEachOther) {
  CalculatorHarness harness(NodeOf(
      "LabelsToRenderData",
      absl::StrCat("input_stream: 'LABELS:l' input_stream: 'SCORES:s' ",
                   kDrawingOut),
      "color { r: 1 } color { r: 2 } max_num_labels: 3 font_height_px: 18 "
      "horizontal_offset_px: 5 vertical_offset_px: 7 outline_thickness: 1 "
      "outline_color { b: 3 }"));
  harness.Feed("LABELS", {At(1, Strings{"cat", "dog", "fox", "hen"})});
  harness.Feed("SCORES", {At(1, std::vector<float>{0.5f, 0.25f, 0, 0})});
  SYNCLINE_ASSERT_OK(harness.Run());
  const RenderData& drawing = DrawingOf(harness);
  ASSERT_THAT(TextsOf(drawing),
              ElementsAre("cat:0.50", "dog:0.25", "fox:0.00"));
  const RenderAnnotation& second = drawing.render_annotations(1);
  EXPECT_EQ(second.color().r(), 2);
  EXPECT_EQ(second.text().left(), 5);
  EXPECT_EQ(second.text().font_height(), 18);
  // A line is 1.25 font heights high, and 22.5 pixels are 23.
  EXPECT_EQ(second.text().baseline(), 7 + 2 * 23);
  EXPECT_EQ(second.text().outline_color().b(), 3);
  EXPECT_EQ(drawing.render_annotations(2).color().r(), 1);
}

TEST(LabelsToRenderDataTest, WritesClassificationsAtTheBottom) {
  CalculatorHarness harness(
      NodeOf("LabelsToRenderData",
             absl::StrCat("input_stream: 'CLASSIFICATIONS:c' "
                          "input_stream: 'VIDEO_PRESTREAM:v' ",
                          kDrawingOut),
             "location: BOTTOM_LEFT max_num_labels: 0 font_height_px: 10 "
             "use_display_name: true display_classification_score: true"));
  VideoHeader header;
  header.height = 100;
  harness.Feed("VIDEO_PRESTREAM",
               {MakePacket<VideoHeader>(header).At(Timestamp::PreStream())});
  harness.Feed("CLASSIFICATIONS",
               {ParsedAt<ClassificationList>(
                   1,
                   "classification { label: 'a' display_name: 'A' score: 1 "
                   "} classification { label: 'b' }")});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(TextsOf(DrawingOf(harness)), ElementsAre("A:1.00", "b:0.00"));
  EXPECT_EQ(DrawingOf(harness).render_annotations(0).text().baseline(), 87);
  EXPECT_EQ(DrawingOf(harness).render_annotations(1).text().baseline(), 100);
}

TEST(LabelsToRenderDataTest, InputsAndOptionsAreChecked) {
  const std::string labels =
      absl::StrCat("input_stream: 'LABELS:l' ", kDrawingOut);
  const auto error_of = [](const std::string& ports,
                           const std::string& options) {
    return std::string(
        CalculatorHarness(NodeOf("LabelsToRenderData", ports, options))
            .Run()
            .message());
  };
  EXPECT_THAT(error_of(labels, "font_height_px: 0"),
              HasSubstr("font_height_px is 0"));
  EXPECT_THAT(error_of(labels, "location: BOTTOM_LEFT"),
              HasSubstr("VIDEO_PRESTREAM"));
  EXPECT_THAT(error_of(kDrawingOut, ""), HasSubstr("0 are connected"));

  CalculatorHarness scores(
      NodeOf("LabelsToRenderData",
             absl::StrCat(labels, "input_stream: 'SCORES:s'"), ""));
  scores.Feed("LABELS", {At(1, Strings{"cat"})});
  scores.Feed("SCORES", {At(1, std::vector<float>())});
  EXPECT_THAT(std::string(scores.Run().message()),
              HasSubstr("1 LABELS, but 0 SCORES"));

  CalculatorHarness header(
      NodeOf("LabelsToRenderData",
             absl::StrCat(labels, "input_stream: 'VIDEO_PRESTREAM:v'"),
             "location: BOTTOM_LEFT"));
  header.Feed("LABELS", {At(1, Strings{"cat"})});
  EXPECT_THAT(std::string(header.Run().message()),
              HasSubstr("how high is the image"));
}

// --- All of them

TEST(RenderDataTest, AThicknessIsANumber) {
  for (const auto& [name, input] :
       {std::pair("DetectionsToRenderData", "DETECTIONS:a"),
        std::pair("LandmarksToRenderData", "LANDMARKS:a"),
        std::pair("RectToRenderData", "RECT:a"),
        std::pair("LabelsToRenderData", "LABELS:a")}) {
    for (const char* const thickness : {"-1", "nan", "inf"}) {
      CalculatorHarness harness(NodeOf(
          name, absl::StrCat("input_stream: '", input, "' ", kDrawingOut),
          absl::StrCat("thickness: ", thickness)));
      EXPECT_THAT(std::string(harness.Run().message()),
                  HasSubstr(absl::StrCat("thickness is ", thickness)))
          << name;
    }
  }
}

}  // namespace
}  // namespace syncline
