// No calculator copies an image that it only reads, and the overlay copies its
// image once.
//
// What a calculator needs besides the image (a gray one, pyramids, gradients)
// depends on the image's size, not on whether it came in gray or in colours. So
// blocks of memory as large as an image of one byte for each pixel are counted
// for both: with colours there is one more, the gray image that is made of
// them. A copy would be a second one.
//
// The program puts itself between everybody and the C library's allocator,
// which is why it does not run under a sanitizer, which does the same.
#include <errno.h>
#include <malloc.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
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

namespace {

constexpr int kWidth = 320;
constexpr int kHeight = 240;
constexpr std::size_t kGrayBytes = std::size_t{kWidth} * kHeight;

std::atomic<int> large_blocks{0};

[[maybe_unused]] void Count(std::size_t size) {
  if (size >= kGrayBytes) large_blocks.fetch_add(1, std::memory_order_relaxed);
}

// The C library's own.
extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* __libc_calloc(std::size_t count, std::size_t size);
extern "C" void* __libc_memalign(std::size_t alignment, std::size_t size);

}  // namespace

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kCounts = false;
#else
constexpr bool kCounts = true;

extern "C" void* malloc(std::size_t size) noexcept {
  Count(size);
  return __libc_malloc(size);
}
extern "C" void* calloc(std::size_t count, std::size_t size) noexcept {
  Count(count * size);
  return __libc_calloc(count, size);
}
extern "C" void* memalign(std::size_t alignment, std::size_t size) noexcept {
  Count(size);
  return __libc_memalign(alignment, size);
}
extern "C" void* aligned_alloc(std::size_t alignment,
                               std::size_t size) noexcept {
  Count(size);
  return __libc_memalign(alignment, size);
}
extern "C" int posix_memalign(void** memory, std::size_t alignment,
                              std::size_t size) noexcept {
  Count(size);
  *memory = __libc_memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}
#endif

namespace syncline {
namespace {

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

// Large blocks that a node takes for an image.
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
  SYNCLINE_EXPECT_OK(harness.Run());  // Whatever is made once.
  large_blocks = 0;
  SYNCLINE_EXPECT_OK(harness.Run());
  return static_cast<double>(large_blocks) / kImages;
}

TEST(ImageCopiesTest, WhatIsOnlyReadIsNotCopied) {
  if (!kCounts) GTEST_SKIP() << "a sanitizer allocates";
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
  if (!kCounts) GTEST_SKIP() << "a sanitizer allocates";
  EXPECT_EQ(LargeBlocksPerImage(
                "calculator: 'AnnotationOverlayCalculator' input_stream: "
                "'IMAGE:a' output_stream: 'IMAGE:b'",
                ImageFormat::SRGB),
            1);
}

}  // namespace
}  // namespace syncline
