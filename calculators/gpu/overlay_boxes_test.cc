// Boxes of detections and rectangles, and GpuOverlayBoxesCalculator.

#include "calculators/gpu/overlay_boxes.h"

#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "calculators/gpu/graph_on_stand_in_test.h"
#include "calculators/gpu/host_images.h"
#include "framework/calculator_framework.h"
#include "framework/formats/detection.pb.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/rect.pb.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

Detection BoxDetection(int left, int top, int width, int height) {
  Detection detection;
  auto& location = *detection.mutable_location_data();
  location.set_format(LocationData::BOUNDING_BOX);
  location.mutable_bounding_box()->set_xmin(left);
  location.mutable_bounding_box()->set_ymin(top);
  location.mutable_bounding_box()->set_width(width);
  location.mutable_bounding_box()->set_height(height);
  return detection;
}

std::string Places(const std::vector<gpu::OverlayBox>& boxes) {
  std::string text;
  for (const gpu::OverlayBox& box : boxes) {
    absl::StrAppend(&text, box.left, ",", box.top, "-", box.right, ",",
                    box.bottom, " ");
  }
  return text;
}

TEST(OverlayBoxesTest, PlacesAreInPixels) {
  const gpu::OverlayBox style;
  std::vector<gpu::OverlayBox> boxes;
  SYNCLINE_EXPECT_OK(
      AddBox(BoxDetection(2, 3, 10, 20), style, 100, 50, &boxes));
  Detection relative;
  relative.mutable_location_data()->set_format(
      LocationData::RELATIVE_BOUNDING_BOX);
  auto& place =
      *relative.mutable_location_data()->mutable_relative_bounding_box();
  place.set_xmin(0.25f);
  place.set_ymin(-0.5f);
  place.set_width(0.5f);
  place.set_height(1);
  SYNCLINE_EXPECT_OK(AddBox(relative, style, 100, 50, &boxes));
  SYNCLINE_EXPECT_OK(AddBox(
      ParseTextProtoOrDie<Rect>("x_center: 10 y_center: 20 width: 4 height: 6"),
      style, 100, 50, &boxes));
  SYNCLINE_EXPECT_OK(
      AddBox(ParseTextProtoOrDie<NormalizedRect>(
                 "x_center: 0.5 y_center: 0.5 width: 0.5 height: 0.2"),
             style, 100, 50, &boxes));
  EXPECT_EQ(Places(boxes), "2,3-12,23 25,-25-75,25 8,17-12,23 25,20-75,30 ");
}

TEST(OverlayBoxesTest, FarPlacesDoNotOverflowAndOthersAreRefused) {
  const gpu::OverlayBox style;
  std::vector<gpu::OverlayBox> boxes;
  constexpr int kMax = std::numeric_limits<int>::max();
  SYNCLINE_EXPECT_OK(
      AddBox(BoxDetection(-kMax, kMax, kMax, kMax), style, 9, 9, &boxes));
  EXPECT_EQ(Places(boxes), "-16777216,16777216-0,16777216 ");
  NormalizedRect rect = ParseTextProtoOrDie<NormalizedRect>(
      "x_center: 0.5 y_center: 0.5 width: 0.5 height: 0.2");
  rect.set_width(std::nanf(""));
  EXPECT_THAT(std::string(AddBox(rect, style, 9, 9, &boxes).message()),
              HasSubstr("is not at a place"));
  Detection mask;
  mask.mutable_location_data()->set_format(LocationData::MASK);
  EXPECT_THAT(std::string(AddBox(mask, style, 9, 9, &boxes).message()),
              HasSubstr("the location of a detection is MASK"));
}

TEST(OverlayBoxesTest, ColorsAreThoseOfTheFormat) {
  const auto options = ParseTextProtoOrDie<GpuOverlayBoxesCalculatorOptions>(
      "color { r: 10 g: 20 b: 30 } opacity: 0.5");
  const auto color = [&options](ImageFormat::Format format) {
    const gpu::OverlayBox box = *BoxStyle(options, format);
    EXPECT_EQ(box.opacity, 128);
    return std::vector<int>(box.color, box.color + 4);
  };
  using ::testing::ElementsAre;
  EXPECT_THAT(color(ImageFormat::SRGB), ElementsAre(10, 20, 30, 255));
  EXPECT_THAT(color(ImageFormat::SBGRA), ElementsAre(30, 20, 10, 255));
  EXPECT_EQ(color(ImageFormat::GRAY8)[0], 18);
}

// Frames at 0, 1, 2, ..., with boxes where there are some.
std::string OverlayNodes(const std::string& boxes_port,
                         const std::string& options) {
  return GpuNode("ImageFrameToGpuBufferCalculator", "frames", "up") +
         "node { calculator: 'GpuOverlayBoxesCalculator' name: 'boxes_node' "
         "input_stream: 'IMAGE:up' input_stream: '" +
         boxes_port +
         "' output_stream: 'IMAGE:drawn' options { "
         "[syncline.GpuOverlayBoxesCalculatorOptions.ext] { " +
         options + " } } }" +
         GpuNode("GpuBufferToImageFrameCalculator", "drawn", "out");
}

TEST(GpuOverlayBoxesCalculatorTest, DrawsAsTheHostDoes) {
  std::mt19937 random(3);
  std::vector<Packet> frames;
  std::vector<Packet> detections;
  std::vector<ImageFrame> expected;
  for (int i = 0; i < 60; ++i) {
    ImageFrame frame = RandomFrame(random);
    std::vector<HostBox> boxes;
    std::vector<Detection> found;
    for (unsigned b = random() % 4; b > 0; --b) {
      const HostBox box = {static_cast<int>(random() % 50) - 10,
                           static_cast<int>(random() % 50) - 10,
                           static_cast<int>(random() % 50),
                           static_cast<int>(random() % 50)};
      boxes.push_back(box);
      found.push_back(BoxDetection(box.left, box.top, box.right - box.left,
                                   box.bottom - box.top));
    }
    const std::vector<int> color = frame.Format() == ImageFormat::GRAY8
                                       ? std::vector<int>{76}
                                   : frame.Format() == ImageFormat::SBGRA
                                       ? std::vector<int>{0, 0, 255, 255}
                                       : std::vector<int>{255, 0, 0, 255};
    expected.push_back(HostBoxes(frame, boxes, 3, color));
    frames.push_back(MakePacket<ImageFrame>(std::move(frame)).At(Timestamp(i)));
    // Without a packet there is no box.
    if (boxes.empty() && random() % 2 == 0) continue;
    detections.push_back(
        MakePacket<std::vector<Detection>>(found).At(Timestamp(i)));
  }
  GraphOnStandIn graph;
  SYNCLINE_ASSERT_OK(graph.Run(
      OverlayNodes("DETECTIONS:boxes", "color { r: 255 } thickness: 3"),
      {{"frames", frames}, {"boxes", detections}}));
  ASSERT_EQ(graph.out().size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    SCOPED_TRACE(i);
    ExpectSameImage(graph.out()[i].Get<ImageFrame>(), expected[i]);
  }
}

TEST(GpuOverlayBoxesCalculatorTest, TheInputIsNotChanged) {
  std::vector<Packet> frames = {
      MakePacket<ImageFrame>(ImageFormat::GRAY8, 8, 8).At(Timestamp(0))};
  SYNCLINE_ASSERT_OK(frames[0].ValidateAsType<ImageFrame>());
  ImageFrame expected;
  expected.CopyFrom(frames[0].Get<ImageFrame>(), 1);
  const std::vector<Rect> rects = {
      ParseTextProtoOrDie<Rect>("x_center: 4 y_center: 4 width: 6 height: 6")};
  GraphOnStandIn graph;
  std::string nodes = OverlayNodes("RECTS:boxes", "thickness: 0");
  // What is seen is what the boxes were drawn on.
  nodes.replace(nodes.find("input_stream: 'drawn'"), 21,
                "input_stream: 'up'   ");
  SYNCLINE_ASSERT_OK(graph.Run(
      nodes,
      {{"frames", frames},
       {"boxes", {MakePacket<std::vector<Rect>>(rects).At(Timestamp(0))}}}));
  ASSERT_EQ(graph.out().size(), 1u);
  ExpectSameImage(graph.out()[0].Get<ImageFrame>(), expected);
}

TEST(GpuOverlayBoxesCalculatorTest, ErrorsNameTheNode) {
  const std::vector<Packet> frames = {
      MakePacket<ImageFrame>(ImageFormat::SRGB, 8, 8).At(Timestamp(0))};
  const std::vector<Packet> boxes = {
      MakePacket<std::vector<Detection>>(std::vector<Detection>(1))
          .At(Timestamp(0))};
  GraphOnStandIn graph;
  EXPECT_THAT(
      std::string(graph
                      .Run(OverlayNodes("DETECTIONS:boxes", ""),
                           {{"frames", frames}, {"boxes", boxes}})
                      .message()),
      AllOf(HasSubstr("Node \"boxes_node\" at 0"), HasSubstr("BOUNDING_BOX")));
  EXPECT_THAT(
      std::string(graph
                      .Run(OverlayNodes("DETECTIONS:boxes", "opacity: 2"),
                           {{"frames", frames}, {"boxes", boxes}})
                      .message()),
      HasSubstr("opacity 2; give"));
}

}  // namespace
}  // namespace syncline
