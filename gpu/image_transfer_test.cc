#include "gpu/image_transfer.h"

#include <cstdint>
#include <cstring>
#include <random>
#include <utility>

#include "absl/status/status.h"
#include "framework/formats/image_frame.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gpu/device_buffer.h"
#include "gpu/gpu_buffer.h"
#include "gpu/stand_in/stand_in_devices.h"
#include "gpu/stream.h"
#include "gtest/gtest.h"

namespace syncline::gpu {
namespace {

using ::testing::HasSubstr;

class ImageTransferTest : public ::testing::Test {
 protected:
  DeviceBuffer Memory(MemoryStorageType kind, std::size_t bytes) {
    return *DeviceBuffer::Allocate(devices_[0], kind, bytes, "memory");
  }
  GpuBuffer Image(ImageFormat::Format format, int width, int height,
                  std::size_t step, std::size_t offset) {
    return *GpuBuffer::Make(
        Memory(MemoryStorageType::kDevice, offset + step * height + 1), format,
        width, height, step, offset);
  }
  // Of random bytes, those between rows, too.
  ImageFrame Frame(ImageFormat::Format format, int width, int height) {
    ImageFrame frame(format, width, height, 1u << random_() % 7);
    for (int i = 0; i < frame.PixelDataSize(); ++i) {
      frame.MutablePixelData()[i] = static_cast<std::uint8_t>(random_());
    }
    return frame;
  }

  std::mt19937 random_;
  const StandInDevices devices_ = MakeStandInDevices({});
  const Stream stream_ = *Stream::Make(devices_[0], {}, "a");
};

TEST_F(ImageTransferTest, ThereAndBackItIsTheSameImage) {
  for (int i = 0; i < 60; ++i) {
    const auto format =
        std::initializer_list<ImageFormat::Format>{
            ImageFormat::GRAY8, ImageFormat::SRGB, ImageFormat::SRGBA,
            ImageFormat::GRAY16, ImageFormat::VEC32F2}
            .begin()[random_() % 5];
    const int width = static_cast<int>(random_() % 40);
    const int height = static_cast<int>(random_() % 20);
    const ImageFrame frame = Frame(format, width, height);
    const GpuBuffer image =
        Image(format, width, height,
              GpuBuffer::UsualRowStep(format, width) + random_() % 3 * 4,
              random_() % 2 * 8);
    const auto staging = [&] {
      return Memory(MemoryStorageType::kHost, StagingBytes(image) + 1);
    };
    SYNCLINE_ASSERT_OK(Upload(stream_, frame, staging(), image));
    const ImageFrame back = *Download(stream_, image, staging());
    ASSERT_EQ(back.Format(), format);
    ASSERT_EQ(back.Width(), width);
    ASSERT_EQ(back.Height(), height);
    for (int y = 0; width > 0 && y < height; ++y) {
      ASSERT_EQ(std::memcmp(back.PixelData() + y * back.WidthStep(),
                            frame.PixelData() + y * frame.WidthStep(),
                            image.row_bytes()),
                0);
    }
  }
}

TEST_F(ImageTransferTest, AFrameIsTheStagingMemoryAndGivesItBack) {
  const ImageFrame frame = Frame(ImageFormat::SRGB, 9, 5);
  const GpuBuffer image = Image(ImageFormat::SRGB, 9, 5, 32, 0);
  DeviceBuffer staging = Memory(MemoryStorageType::kHost, 160);
  SYNCLINE_ASSERT_OK(Upload(stream_, frame, staging, image));
  ImageFrame back = *Download(stream_, image, std::move(staging));
  EXPECT_EQ(devices_.stand_in->PinnedBytesInUse(), 160u);
  // It may be changed as any frame.
  back.MutablePixelData()[0] = 7;
  back = ImageFrame();
  EXPECT_EQ(devices_.stand_in->PinnedBytesInUse(), 0u);
}

TEST_F(ImageTransferTest, WhatDoesNotFitIsRefused) {
  const GpuBuffer image = Image(ImageFormat::SRGB, 9, 5, 32, 0);
  const DeviceBuffer staging = Memory(MemoryStorageType::kHost, 160);
  const DeviceBuffer small = Memory(MemoryStorageType::kHost, 20);
  const auto text = [](const absl::Status& status) {
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    return std::string(status.message());
  };
  EXPECT_THAT(
      text(Upload(stream_, Frame(ImageFormat::GRAY8, 9, 5), staging, image)),
      HasSubstr("a frame GRAY8 9 x 5 to a GpuBuffer SRGB 9 x 5"));
  EXPECT_THAT(
      text(Upload(stream_, Frame(ImageFormat::SRGB, 9, 5), small, image)),
      HasSubstr("the staging memory has 20 bytes; give 160"));
  EXPECT_THAT(text(Download(stream_, image, small).status()),
              HasSubstr("20 bytes"));
  EXPECT_THAT(text(Download(stream_, image, DeviceBuffer()).status()),
              HasSubstr("0 bytes"));
  EXPECT_THAT(text(Download(stream_, GpuBuffer(), staging).status()),
              HasSubstr("without image"));
}

}  // namespace
}  // namespace syncline::gpu
