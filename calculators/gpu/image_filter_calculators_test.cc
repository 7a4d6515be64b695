// Calculators that make one image of another: equal to the bit to what the host
// calculates plainly.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "calculators/gpu/graph_on_stand_in_test.h"
#include "calculators/gpu/host_images.h"
#include "framework/calculator_framework.h"
#include "framework/formats/fourcc.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/yuv_image.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string UpFilterDown(const std::string& calculator,
                         const std::string& options) {
  return GpuNode("ImageFrameToGpuBufferCalculator", "in", "up") +
         GpuNode(calculator, "up", "filtered", options) +
         GpuNode("GpuBufferToImageFrameCalculator", "filtered", "out");
}

// Runs 60 random frames, and compares.
void ExpectOnDevice(const std::string& calculator, const std::string& options,
                    const std::function<ImageFrame(const ImageFrame&)>& on_host,
                    bool with_pixels_only = false) {
  std::mt19937 random(17);
  std::vector<ImageFrame> frames;
  std::vector<ImageFrame> expected;
  while (frames.size() < 60) {
    ImageFrame frame = RandomFrame(random);
    if (with_pixels_only && frame.PixelDataSize() == 0) continue;
    expected.push_back(on_host(frame));
    frames.push_back(std::move(frame));
  }
  GraphOnStandIn graph;
  SYNCLINE_ASSERT_OK(
      graph.Run(UpFilterDown(calculator, options), std::move(frames)));
  ASSERT_EQ(graph.out().size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    SCOPED_TRACE(absl::StrCat(calculator, " ", options, ", frame ", i));
    ExpectSameImage(graph.out()[i].Get<ImageFrame>(), expected[i]);
  }
}

std::string FilterError(const std::string& calculator,
                        const std::string& options,
                        ImageFormat::Format format = ImageFormat::SRGB) {
  std::vector<ImageFrame> frames;
  frames.emplace_back(format, 5, 4);
  GraphOnStandIn graph;
  const absl::Status status =
      graph.Run(UpFilterDown(calculator, options), std::move(frames));
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  return std::string(status.message());
}

TEST(GpuColorConvertCalculatorTest, ConvertsBetweenAnyTwoFormats) {
  for (const auto format : {ImageFormat::GRAY8, ImageFormat::SRGB,
                            ImageFormat::SRGBA, ImageFormat::SBGRA}) {
    ExpectOnDevice(
        "GpuColorConvertCalculator",
        absl::StrCat(
            "[syncline.GpuColorConvertCalculatorOptions.ext] { output_format: ",
            ImageFormat::Format_Name(format), " }"),
        [format](const ImageFrame& frame) {
          return HostConvert(frame, format);
        });
  }
}

TEST(GpuColorConvertCalculatorTest, RefusesOtherFormats) {
  EXPECT_THAT(
      FilterError("GpuColorConvertCalculator",
                  "[syncline.GpuColorConvertCalculatorOptions.ext] { "
                  "output_format: GRAY16 }"),
      HasSubstr("output_format: the format is GRAY16; it can be GRAY8"));
  EXPECT_THAT(
      FilterError("GpuColorConvertCalculator", "", ImageFormat::VEC32F1),
      AllOf(HasSubstr("Node \"filtered_node\" at 0: the image is VEC32F1 5 x "
                      "4; it can be GRAY8"),
            HasSubstr("convert it on the host")));
}

// An image of 4 x 2 pixels whose left half is white and whose right half is
// red, as video has it.
std::unique_ptr<YUVImage> WhiteAndRed(libyuv::FourCC fourcc) {
  auto bytes = std::make_unique<std::uint8_t[]>(12);
  const std::uint8_t planes[] = {235, 235, 81,  81, 235, 235,
                                 81,  81,  128, 90, 128, 240};
  std::copy(std::begin(planes), std::end(planes), bytes.get());
  std::uint8_t* const y = bytes.get();
  if (fourcc == libyuv::FOURCC_NV12) std::swap(y[9], y[10]);
  const bool has_three = fourcc == libyuv::FOURCC_I420;
  return std::make_unique<YUVImage>(
      fourcc, std::move(bytes), y, 4, y + 8, has_three ? 2 : 4,
      has_three ? y + 10 : nullptr, has_three ? 2 : 0, 4, 2);
}

std::string ConvertTo(const std::string& format) {
  return GpuNode("GpuColorConvertCalculator", "in", "color",
                 "[syncline.GpuColorConvertCalculatorOptions.ext] { "
                 "output_format: " +
                     format + " }") +
         GpuNode("GpuBufferToImageFrameCalculator", "color", "out");
}

// The bytes of a row.
std::vector<int> RowOf(const ImageFrame& frame, int y) {
  const std::uint8_t* const row = frame.PixelData() + y * frame.WidthStep();
  return {row, row + frame.Width() * frame.NumberOfChannels()};
}

TEST(GpuColorConvertCalculatorTest, YuvOfTheHostBecomesColours) {
  for (const libyuv::FourCC fourcc :
       {libyuv::FOURCC_I420, libyuv::FOURCC_NV12}) {
    const auto converted = [&](const std::string& format) {
      GraphOnStandIn graph;
      SYNCLINE_EXPECT_OK(graph.Run(
          ConvertTo(format),
          {{"in", {Adopt(WhiteAndRed(fourcc).release()).At(Timestamp(0))}}}));
      EXPECT_EQ(graph.out().size(), 1);
      return graph.TakeOut().at(0);
    };
    const Packet rgb = converted("SRGB");
    const Packet bgra = converted("SBGRA");
    const Packet gray = converted("GRAY8");
    for (const int y : {0, 1}) {
      EXPECT_THAT(RowOf(rgb.Get<ImageFrame>(), y),
                  ElementsAre(255, 255, 255, 255, 255, 255,  //
                              254, 0, 0, 254, 0, 0));
      EXPECT_THAT(RowOf(bgra.Get<ImageFrame>(), y),
                  ElementsAre(255, 255, 255, 255, 255, 255, 255, 255,  //
                              0, 0, 254, 255, 0, 0, 254, 255));
      EXPECT_THAT(RowOf(gray.Get<ImageFrame>(), y),
                  ElementsAre(255, 255, 76, 76));
    }
  }
}

TEST(GpuColorConvertCalculatorTest, YuvWithoutPixelsIsAnImageWithout) {
  GraphOnStandIn graph;
  SYNCLINE_ASSERT_OK(
      graph.Run(ConvertTo("SRGB"), {{"in",
                                     {MakePacket<YUVImage>(
                                          libyuv::FOURCC_I420, [] {}, nullptr,
                                          0, nullptr, 0, nullptr, 0, 0, 0)
                                          .At(Timestamp(0))}}}));
  ASSERT_EQ(graph.out().size(), 1);
  EXPECT_EQ(graph.out()[0].Get<ImageFrame>().Width(), 0);
}

TEST(GpuColorConvertCalculatorTest, OtherYuvIsRefused) {
  GraphOnStandIn graph;
  const absl::Status status = graph.Run(
      ConvertTo("SRGB"), {{"in", {MakePacket<YUVImage>().At(Timestamp(7))}}});
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("Node \"color_node\" at 7: the YUVImage"),
                    HasSubstr("give I420")));
}

TEST(GpuResizeCalculatorTest, ResizesAsTheHostDoes) {
  for (const bool nearest : {false, true}) {
    for (const auto& [width, height] :
         std::vector<std::pair<int, int>>{{1, 1}, {7, 31}, {64, 50}}) {
      ExpectOnDevice(
          "GpuResizeCalculator",
          absl::StrCat(
              "[syncline.GpuResizeCalculatorOptions.ext] { width: ", width,
              " height: ", height,
              " interpolation: ", nearest ? "NEAREST" : "BILINEAR", " }"),
          [nearest, w = width, h = height](const ImageFrame& frame) {
            return HostResize(frame, w, h, nearest);
          },
          /*with_pixels_only=*/true);
    }
  }
}

TEST(GpuResizeCalculatorTest, OneSideFollowsFromTheOther) {
  ExpectOnDevice(
      "GpuResizeCalculator",
      "[syncline.GpuResizeCalculatorOptions.ext] { width: 30 }",
      [](const ImageFrame& frame) {
        const int height = std::max(
            1, (2 * 30 * frame.Height() + frame.Width()) / (2 * frame.Width()));
        return HostResize(frame, 30, height, false);
      },
      /*with_pixels_only=*/true);
}

TEST(GpuResizeCalculatorTest, RefusesWhatItCannotDo) {
  EXPECT_THAT(FilterError("GpuResizeCalculator", ""),
              HasSubstr("give one of them, or both, above 0"));
  EXPECT_THAT(
      FilterError("GpuResizeCalculator",
                  "[syncline.GpuResizeCalculatorOptions.ext] { width: -3 }"),
      HasSubstr("width -3"));
  // Nothing becomes something.
  std::vector<ImageFrame> frames;
  frames.emplace_back(ImageFormat::SRGB, 0, 4);
  GraphOnStandIn graph;
  EXPECT_THAT(
      std::string(graph
                      .Run(UpFilterDown("GpuResizeCalculator",
                                        "[syncline.GpuResizeCalculatorOptions."
                                        "ext] { width: 5 height: 5 }"),
                           std::move(frames))
                      .message()),
      HasSubstr("Node \"filtered_node\" at 0"));
}

TEST(GpuThresholdCalculatorTest, MakesEachChannelOneOfTwoValues) {
  ExpectOnDevice("GpuThresholdCalculator", "", [](const ImageFrame& frame) {
    return HostThreshold(frame, 127, 255, 0);
  });
  ExpectOnDevice(
      "GpuThresholdCalculator",
      "[syncline.GpuThresholdCalculatorOptions.ext] { threshold: 40 "
      "above: 9 not_above: 200 }",
      [](const ImageFrame& frame) { return HostThreshold(frame, 40, 9, 200); });
  EXPECT_THAT(
      FilterError(
          "GpuThresholdCalculator",
          "[syncline.GpuThresholdCalculatorOptions.ext] { above: 256 }"),
      HasSubstr("give numbers from 0 to 255"));
}

TEST(GpuEdgesCalculatorTest, FindsEdgesAsTheHostDoes) {
  for (const bool sum_of_sides : {false, true}) {
    ExpectOnDevice("GpuEdgesCalculator",
                   absl::StrCat("[syncline.GpuEdgesCalculatorOptions.ext] { "
                                "sum_of_sides: ",
                                sum_of_sides ? "true" : "false", " }"),
                   [sum_of_sides](const ImageFrame& frame) {
                     return HostEdges(frame, sum_of_sides);
                   });
  }
  EXPECT_THAT(FilterError("GpuEdgesCalculator", "", ImageFormat::GRAY16),
              HasSubstr("GRAY16 5 x 4"));
}

}  // namespace
}  // namespace syncline
