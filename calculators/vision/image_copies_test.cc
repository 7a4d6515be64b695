// No calculator copies an image that it only reads, and
// AnnotationOverlayCalculator copies its image once.
//
// Other memory of a calculator (a gray image, pyramids, gradients) depends on
// the image's size, and not on whether it is gray or has colours. So blocks of
// at least one byte for each pixel are counted for both: for an image with
// colours there is one more, its gray image. A copy would be a second one.
//
// //benchmarks:image_copies shows the same for more calculators.
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "calculators/vision/walkers.h"
#include "framework/calculator_framework.h"
#include "framework/formats/detection.pb.h"
#include "framework/formats/image.h"
#include "framework/formats/image_frame.h"
#include "framework/port/status_matchers.h"
#include "gtest/gtest.h"
#include "opencv2/core.hpp"
#include "testing/calculator_harness.h"
#include "testing/large_blocks.h"

namespace syncline {
namespace {

constexpr int kWidth = 320;
constexpr int kHeight = 240;
constexpr std::size_t kGrayBytes = std::size_t{kWidth} * kHeight;

using Detections = std::vector<Detection>;

ImageFrame Scene(ImageFormat::Format format) {
  ImageFrame color = DrawWalkers({{100, 220, 150, 30}}, kWidth, kHeight, 0);
  if (format == ImageFormat::SRGB) return color;
  ImageFrame gray(format, kWidth, kHeight);
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      gray.MutablePixelData()[y * gray.WidthStep() + x] =
          color.PixelData()[y * color.WidthStep() + 3 * x];
    }
  }
  return gray;
}

constexpr int kImages = 4;

// The large blocks that a node allocates for an image.
double LargeBlocksPerImage(const std::string& node, ImageFormat::Format format,
                           bool as_image = false) {
  cv::setNumThreads(1);
  CalculatorHarness harness(node);
  std::vector<Packet> images;
  for (int i = 0; i < kImages; ++i) {
    Packet packet =
        as_image
            ? MakePacket<Image>(std::make_shared<ImageFrame>(Scene(format)))
            : MakePacket<ImageFrame>(Scene(format));
    images.push_back(std::move(packet).At(Timestamp(i)));
  }
  harness.Feed("IMAGE", images);
  // The first run makes the allocations that are made only once.
  SYNCLINE_EXPECT_OK(harness.Run());
  StartCountingLargeBlocks(kGrayBytes);
  SYNCLINE_EXPECT_OK(harness.Run());
  return static_cast<double>(GetLargeBlocks().blocks) / kImages;
}

TEST(ImageCopiesTest, WhatIsOnlyReadIsNotCopied) {
  if (!CanCountLargeBlocks()) GTEST_SKIP() << "a sanitizer allocates";
  for (const std::string ports :
       {"calculator: 'PeopleDetectorCalculator' input_stream: 'IMAGE:a' ",
        "calculator: 'CascadeDetectorCalculator' input_stream: 'IMAGE:a' "
        "options { [syncline.CascadeDetectorCalculatorOptions.ext] { "
        "cascade_path: '/usr/share/opencv4/haarcascades/"
        "haarcascade_frontalface_default.xml' } } ",
        "calculator: 'OpticalFlowTrackerCalculator' input_stream: 'IMAGE:a' "
        "input_stream: 'DETECTIONS:b' "}) {
    const std::string node =
        absl::StrCat(ports, "output_stream: 'DETECTIONS:out'");
    const double gray = LargeBlocksPerImage(node, ImageFormat::GRAY8);
    EXPECT_EQ(LargeBlocksPerImage(node, ImageFormat::SRGB) - gray, 1) << node;
    EXPECT_EQ(LargeBlocksPerImage(node, ImageFormat::SRGB, true) - gray, 1)
        << node;
  }
}

TEST(ImageCopiesTest, TheOverlayCopiesOnce) {
  if (!CanCountLargeBlocks()) GTEST_SKIP() << "a sanitizer allocates";
  EXPECT_EQ(LargeBlocksPerImage(
                "calculator: 'AnnotationOverlayCalculator' input_stream: "
                "'IMAGE:a' output_stream: 'IMAGE:b'",
                ImageFormat::SRGB),
            1);
}

}  // namespace
}  // namespace syncline
