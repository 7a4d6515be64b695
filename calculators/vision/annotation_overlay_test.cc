// AnnotationOverlayCalculator: what each annotation draws, on which images,
// that it does not change its input, and impossible drawings. And
// TracksToRenderDataCalculator, which makes its drawings.
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "framework/calculator_framework.h"
#include "framework/formats/detection.pb.h"
#include "framework/formats/image.h"
#include "framework/formats/image_frame.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/calculator_harness.h"
#include "util/render_data.pb.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

constexpr int kSize = 100;

constexpr char kOverlay[] =
    "calculator: 'AnnotationOverlayCalculator' input_stream: 'IMAGE:image' "
    "input_stream: 'first' input_stream: 'second' input_stream: 'VECTOR:many' "
    "output_stream: 'IMAGE:out' ";

ImageFrame Black(ImageFormat::Format format, int size = kSize) {
  ImageFrame frame(format, size, size);
  frame.SetToZero();
  return frame;
}

RenderData Drawing(const std::string& annotation) {
  return ParseTextProtoOrDie<RenderData>(
      absl::StrCat("render_annotations {", annotation, "}"));
}

// The red, green and blue of a pixel, as one number.
int ColorAt(const ImageFrame& image, int x, int y) {
  const std::uint8_t* pixel =
      image.PixelData() + y * image.WidthStep() + x * image.NumberOfChannels();
  return pixel[0] << 16 | pixel[1] << 8 | pixel[2];
}

int CountColored(const ImageFrame& image) {
  int count = 0;
  for (int y = 0; y < image.Height(); ++y) {
    for (int x = 0; x < image.Width(); ++x) count += ColorAt(image, x, y) != 0;
  }
  return count;
}

absl::StatusOr<Packet> Draw(const RenderData& drawing,
                            const std::string& options = "") {
  CalculatorHarness harness(
      absl::StrCat(kOverlay,
                   "options { [syncline.AnnotationOverlayCalculatorOptions.ext]"
                   " {",
                   options, "} }"));
  harness.Feed(
      "IMAGE",
      {MakePacket<ImageFrame>(Black(ImageFormat::SRGB)).At(Timestamp(3))});
  harness.Feed("", {MakePacket<RenderData>(drawing).At(Timestamp(3))});
  SYNCLINE_RETURN_IF_ERROR(harness.Run());
  return harness.Output("IMAGE").at(0);
}

constexpr char kRed[] = " color { r: 255 g: 0 b: 0 } ";
constexpr int kRedColor = 0xff0000;
constexpr char kArea[] = "left: 20 top: 30 right: 80 bottom: 70";

TEST(AnnotationOverlayTest, DrawsEachShape) {
  struct Case {
    std::string annotation;
    std::vector<std::pair<int, int>> drawn;
    std::vector<std::pair<int, int>> not_drawn;
  };
  const std::vector<std::pair<int, int>> corners = {
      {20, 30}, {80, 30}, {80, 70}, {20, 70}};
  const std::vector<std::pair<int, int>> sides = {
      {50, 30}, {80, 50}, {50, 70}, {20, 50}};
  const std::vector<std::pair<int, int>> middle = {{50, 50}};
  const std::string area = kArea;
  const std::vector<Case> cases = {
      {absl::StrCat("rectangle {", area, "}"), corners, middle},
      {"rectangle { left: .2 top: .3 right: .8 bottom: .7 normalized: true }",
       corners, middle},
      // Turned by a quarter, the wide shape is high.
      {absl::StrCat("rectangle {", area, " rotation: 1.5707963 }"),
       {{50, 20}, {30, 50}, {70, 50}, {50, 80}},
       {{20, 50}, {50, 50}}},
      {absl::StrCat("filled_rectangle { rectangle {", area, "} }"),
       middle,
       {{10, 10}}},
      {absl::StrCat("oval { rectangle {", area, "} }"),
       sides,
       {{50, 50}, {20, 30}}},
      {absl::StrCat("filled_oval { oval { rectangle {", area, "} } }"),
       middle,
       {{20, 30}}},
      {absl::StrCat("rounded_rectangle { rectangle {", area,
                    "} corner_radius: 15 }"),
       sides,
       {{20, 30}, {80, 70}, {50, 50}}},
      {absl::StrCat(
           "filled_rounded_rectangle { rounded_rectangle { rectangle {", area,
           "} corner_radius: 15 } }"),
       {{50, 50}, {22, 50}},
       {{20, 30}, {80, 70}}},
      {"point { x: 50 y: 50 } thickness: 5", middle, {{40, 50}}},
      {"line { x_start: 10 y_start: 50 x_end: 90 y_end: 50 }",
       {{10, 50}, {50, 50}, {90, 50}},
       {{50, 40}}},
      {"line { x_start: -50 y_start: 50 x_end: 500 y_end: 50 }",
       {{0, 50}, {99, 50}},
       {{50, 40}}},
      {"arrow { x_start: 10 y_start: 50 x_end: 90 y_end: 50 }",
       {{50, 50}, {90, 50}, {87, 47}},
       {{50, 40}}},
      {"scribble { point { x: 10 y: 10 } point { x: 50 y: 50 } point { x: 0.9 "
       "y: 0.5 normalized: true } }",
       {{30, 30}, {70, 50}},
       {{10, 50}}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.annotation);
    SYNCLINE_ASSERT_OK_AND_ASSIGN(
        const Packet packet, Draw(Drawing(absl::StrCat(c.annotation, kRed))));
    EXPECT_EQ(packet.Timestamp(), Timestamp(3));
    const auto& image = packet.Get<ImageFrame>();
    EXPECT_EQ(image.Format(), ImageFormat::SRGB);
    for (const auto& [x, y] : c.drawn) {
      EXPECT_EQ(ColorAt(image, x, y), kRedColor) << x << " " << y;
    }
    for (const auto& [x, y] : c.not_drawn) {
      EXPECT_EQ(ColorAt(image, x, y), 0) << x << " " << y;
    }
  }
}

TEST(AnnotationOverlayTest, FillsInAColorOfItsOwn) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const Packet packet,
      Draw(Drawing(absl::StrCat("filled_rectangle { rectangle {", kArea,
                                "} fill_color { b: 255 } }", kRed))));
  EXPECT_EQ(ColorAt(packet.Get<ImageFrame>(), 50, 50), 0x0000ff);
}

TEST(AnnotationOverlayTest, ALineChangesItsColorOnItsWay) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const Packet packet,
      Draw(Drawing("gradient_line { x_start: 5 y_start: 50 x_end: 95 y_end: 50 "
                   "color1 { r: 200 } color2 { b: 200 } }")));
  const auto& image = packet.Get<ImageFrame>();
  const int left = ColorAt(image, 8, 50), right = ColorAt(image, 92, 50);
  EXPECT_GT(left >> 16, 180);
  EXPECT_GT(right & 0xff, 180);
  EXPECT_NEAR(ColorAt(image, 50, 50) >> 16, 100, 10);
}

TEST(AnnotationOverlayTest, WritesTexts) {
  const std::string text =
      "text { display_text: 'H' left: 40 baseline: 60 "
      "font_height: 30 ";
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Packet plain,
                                Draw(Drawing(absl::StrCat(text, "}", kRed))));
  const int plain_count = CountColored(plain.Get<ImageFrame>());
  EXPECT_GT(plain_count, 50);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const Packet outlined,
      Draw(Drawing(absl::StrCat(
          text, "outline_thickness: 2 outline_color { g: 255 } }", kRed))));
  EXPECT_GT(CountColored(outlined.Get<ImageFrame>()), plain_count + 50);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const Packet centered,
      Draw(Drawing(absl::StrCat("text { display_text: 'H' left: 50 baseline: "
                                "50 font_height: 30 center_horizontally: true "
                                "center_vertically: true }",
                                kRed))));
  // The bar of the H.
  bool bar = false;
  for (int y = 46; y <= 54; ++y) {
    bar = bar || ColorAt(centered.Get<ImageFrame>(), 50, y) == kRedColor;
  }
  EXPECT_TRUE(bar);
  SYNCLINE_EXPECT_OK(
      Draw(Drawing(absl::StrCat(text, "}", kRed)), "flip_text_vertically: true")
          .status());
}

TEST(AnnotationOverlayTest, DrawsItsInputsInOrderAndLeavesTheImageAlone) {
  CalculatorHarness harness(kOverlay);
  const Packet image = MakePacket<ImageFrame>(Black(ImageFormat::SRGB));
  const auto dot = [](int x, const std::string& color) {
    return Drawing(absl::StrCat("point { x: ", x,
                                " y: 50 } thickness: 8 color {", color, "}"));
  };
  harness.Feed("IMAGE", {image.At(Timestamp(1)), image.At(Timestamp(2)),
                         image.At(Timestamp(3))});
  harness.Feed("",
               {MakePacket<RenderData>(dot(30, "r: 255")).At(Timestamp(1))});
  harness.Feed(":1",
               {MakePacket<RenderData>(dot(40, "g: 255")).At(Timestamp(1))});
  harness.Feed("VECTOR",
               {MakePacket<std::vector<RenderData>>(
                    std::vector<RenderData>{dot(50, "b: 255"), dot(60, "r: 9")})
                    .At(Timestamp(1)),
                MakePacket<std::vector<RenderData>>().At(Timestamp(3)),
                // If there is no image, nothing is sent.
                MakePacket<std::vector<RenderData>>().At(Timestamp(4))});
  SYNCLINE_ASSERT_OK(harness.Run());
  ASSERT_EQ(harness.Output("IMAGE").size(), 3);
  const auto& drawn = harness.Output("IMAGE")[0].Get<ImageFrame>();
  EXPECT_EQ(ColorAt(drawn, 30, 50), 0xff0000);
  EXPECT_EQ(ColorAt(drawn, 35, 50), 0x00ff00);
  EXPECT_EQ(ColorAt(drawn, 45, 50), 0x0000ff);
  EXPECT_EQ(ColorAt(drawn, 55, 50), 0x090000);
  EXPECT_EQ(CountColored(harness.Output("IMAGE")[1].Get<ImageFrame>()), 0);
  EXPECT_EQ(CountColored(image.Get<ImageFrame>()), 0);
}

TEST(AnnotationOverlayTest, DrawsOnImagesOfOtherFormats) {
  for (const auto& [format, expected] :
       std::vector<std::pair<ImageFormat::Format, ImageFormat::Format>>{
           {ImageFormat::SRGBA, ImageFormat::SRGBA},
           {ImageFormat::GRAY8, ImageFormat::SRGB}}) {
    CalculatorHarness harness(
        "calculator: 'AnnotationOverlayCalculator' input_stream: "
        "'UIMAGE:image' input_stream: 'drawing' output_stream: 'UIMAGE:out'");
    harness.Feed("UIMAGE",
                 {MakePacket<Image>(std::make_shared<ImageFrame>(Black(format)))
                      .At(Timestamp(0))});
    harness.Feed("", {MakePacket<RenderData>(
                          Drawing(absl::StrCat("filled_rectangle { rectangle {",
                                               kArea, "} }", kRed)))
                          .At(Timestamp(0))});
    SYNCLINE_ASSERT_OK(harness.Run());
    const auto image =
        harness.Output("UIMAGE")[0].Get<Image>().GetImageFrameSharedPtr();
    EXPECT_EQ(image->Format(), expected);
    EXPECT_EQ(ColorAt(*image, 50, 50), kRedColor);
    if (expected == ImageFormat::SRGBA) {
      EXPECT_EQ(image->PixelData()[50 * image->WidthStep() + 50 * 4 + 3], 255);
    }
  }
}

TEST(AnnotationOverlayTest, DrawsOnACanvasWhereThereAreNoImages) {
  CalculatorHarness harness(
      "calculator: 'AnnotationOverlayCalculator' input_stream: 'drawing' "
      "output_stream: 'IMAGE:out' options { "
      "[syncline.AnnotationOverlayCalculatorOptions.ext] { canvas_width_px: 40 "
      "canvas_height_px: 30 canvas_color { g: 255 } } }");
  harness.Feed("", {MakePacket<RenderData>(
                        Drawing(absl::StrCat("point { x: 20 y: 20 }", kRed)))
                        .At(Timestamp(0)),
                    MakePacket<RenderData>().At(Timestamp(1))});
  SYNCLINE_ASSERT_OK(harness.Run());
  ASSERT_EQ(harness.Output("IMAGE").size(), 2);
  const auto& image = harness.Output("IMAGE")[0].Get<ImageFrame>();
  EXPECT_EQ(image.Width(), 40);
  EXPECT_EQ(image.Height(), 30);
  EXPECT_EQ(ColorAt(image, 5, 5), 0x00ff00);
  EXPECT_EQ(ColorAt(image, 20, 20), kRedColor);
}

TEST(AnnotationOverlayTest, RefusesWhatCannotBeDrawn) {
  const std::string area = "left: 0 top: 0 right: 1 bottom: 1";
  for (const std::string annotation :
       {"rectangle { left: nan top: 0 right: 1 bottom: 1 }",
        "rectangle { left: 0 top: 0 right: inf bottom: 1 }",
        "rectangle { left: 0 top: 0 right: 1e300 bottom: 1 normalized: true }",
        "rectangle { left: 0 top: 0 right: 1 bottom: 1 rotation: nan }",
        "oval { rectangle { left: -1e9 top: 0 right: 1 bottom: 1 } }",
        "point { x: nan y: 0 }", "line { x_start: 0 y_start: inf }",
        "arrow { x_end: nan }", "gradient_line { x_end: nan }",
        "scribble { point { x: nan y: 0 } }",
        "text { display_text: 'a' left: nan }",
        "text { display_text: 'a' font_height: inf }",
        "text { display_text: 'a' font_face: 99 }",
        "text { display_text: 'a' font_face: -1 }",
        "rounded_rectangle { rectangle { left: 0 top: 0 right: 1 bottom: 1 } "
        "line_type: 77 }",
        "point { x: 0 y: 0 } thickness: nan",
        "point { x: 0 y: 0 } thickness: -1", ""}) {
    EXPECT_THAT(std::string(Draw(Drawing(annotation)).status().message()),
                HasSubstr("an annotation cannot be drawn, as it "))
        << annotation;
  }
}

TEST(AnnotationOverlayTest, DrawsWhatLiesFarOutsideAndIsVeryLarge) {
  for (const std::string annotation :
       {"rectangle { left: -900000 top: -900000 right: 900000 bottom: 900000 }",
        "filled_rectangle { rectangle { left: -900000 top: -900000 right: "
        "900000 bottom: 900000 rotation: 1 } }",
        "filled_oval { oval { rectangle { left: -900000 top: -900000 right: "
        "900000 bottom: 900000 rotation: 1e300 } } }",
        "rounded_rectangle { rectangle { left: -900000 top: 0 right: 900000 "
        "bottom: 9 } corner_radius: 2147483647 } thickness: 1e9",
        "rounded_rectangle { rectangle { left: 0 top: 0 right: 9 bottom: 9 } "
        "corner_radius: -2147483648 }",
        "arrow { x_start: -900000 y_start: 5 x_end: 900000 y_end: 7 } "
        "thickness: 255",
        "gradient_line { x_start: -900000 y_start: 5 x_end: 900000 y_end: 7 }",
        "text { display_text: 'wide' left: -900000 baseline: 900000 "
        "font_height: 900000 outline_thickness: 1e9 }",
        "text { display_text: '' font_height: 0 }",
        "text { display_text: 'a\\nb\\377' font_height: -5 }",
        "point { x: 50 y: 50 } thickness: 1e300", "scribble {}"}) {
    SYNCLINE_EXPECT_OK(Draw(Drawing(annotation)).status()) << annotation;
  }
}

TEST(AnnotationOverlayTest, RefusesImagesAndOptionsThatCannotBe) {
  for (const Packet& image :
       {MakePacket<ImageFrame>(),
        MakePacket<ImageFrame>(ImageFormat::GRAY16, 5, 5),
        MakePacket<ImageFrame>(ImageFormat::SBGRA, 5, 5),
        MakePacket<ImageFrame>(ImageFormat::SRGB, 5, 0)}) {
    CalculatorHarness harness(kOverlay);
    harness.Feed("IMAGE", {image.At(Timestamp(0))});
    EXPECT_THAT(std::string(harness.Run().message()), HasSubstr("image"));
  }
  for (const std::string options :
       {"canvas_width_px: 0", "canvas_height_px: -1",
        "canvas_width_px: 2147483647"}) {
    EXPECT_THAT(std::string(Draw(RenderData(), options).status().message()),
                HasSubstr("canvas from 1"));
  }
  EXPECT_THAT(
      std::string(CalculatorHarness("calculator: 'AnnotationOverlayCalculator' "
                                    "input_stream: 'UIMAGE:a' output_stream: "
                                    "'IMAGE:b'")
                      .Run()
                      .message()),
      HasSubstr("of the same tag"));
}

// --- TracksToRenderDataCalculator

Detection Track(const std::string& id) {
  auto detection = ParseTextProtoOrDie<Detection>(R"pb(
    label: "person"
    location_data {
      format: RELATIVE_BOUNDING_BOX
      relative_bounding_box { xmin: 0.25 ymin: 0.5 width: 0.5 height: 0.25 }
    })pb");
  detection.set_track_id(id);
  return detection;
}

absl::StatusOr<RenderData> DrawTracks(const std::vector<Detection>& tracks,
                                      const std::string& options = "") {
  CalculatorHarness harness(
      absl::StrCat("calculator: 'TracksToRenderDataCalculator' input_stream: "
                   "'DETECTIONS:in' output_stream: 'RENDER_DATA:out' options { "
                   "[syncline.TracksToRenderDataCalculatorOptions.ext] {",
                   options, "} }"));
  harness.Feed("DETECTIONS",
               {MakePacket<std::vector<Detection>>(tracks).At(Timestamp(0))});
  SYNCLINE_RETURN_IF_ERROR(harness.Run());
  return harness.Output("RENDER_DATA").at(0).Get<RenderData>();
}

TEST(TracksToRenderDataTest, GivesEachTrackABoxAndALabelInItsColor) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const RenderData drawing,
                                DrawTracks({Track("1"), Track("2")}));
  ASSERT_EQ(drawing.render_annotations_size(), 4);
  const RenderAnnotation& box = drawing.render_annotations(0);
  EXPECT_DOUBLE_EQ(box.rectangle().left(), 0.25);
  EXPECT_DOUBLE_EQ(box.rectangle().bottom(), 0.75);
  EXPECT_TRUE(box.rectangle().normalized());
  EXPECT_EQ(drawing.render_annotations(1).text().display_text(), "person #1");
  EXPECT_EQ(drawing.render_annotations(1).color().ShortDebugString(),
            box.color().ShortDebugString());
  EXPECT_NE(drawing.render_annotations(2).color().ShortDebugString(),
            box.color().ShortDebugString());
}

TEST(TracksToRenderDataTest, DrawsBoxesWithoutTrackAndWithoutLabel) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const RenderData drawing,
                                DrawTracks({Track("")}, "font_height: 0"));
  ASSERT_EQ(drawing.render_annotations_size(), 1);
  EXPECT_EQ(drawing.render_annotations(0).color().r(),
            drawing.render_annotations(0).color().g());
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const RenderData nothing, DrawTracks({}));
  EXPECT_EQ(nothing.render_annotations_size(), 0);
}

TEST(TracksToRenderDataTest, RefusesBoxesAndOptionsThatCannotBe) {
  EXPECT_THAT(std::string(DrawTracks({Detection()}).status().message()),
              HasSubstr("has no box"));
  for (const std::string options : {"thickness: 0", "thickness: nan",
                                    "font_height: -1", "font_height: nan"}) {
    EXPECT_THAT(std::string(DrawTracks({}, options).status().message()),
                HasSubstr("needs a thickness"));
  }
}

}  // namespace
}  // namespace syncline
