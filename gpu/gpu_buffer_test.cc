#include "gpu/gpu_buffer.h"

#include <cstddef>
#include <limits>
#include <string>

#include "absl/status/status.h"
#include "framework/packet/packet.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gpu/device_buffer.h"
#include "gpu/device_work.h"
#include "gpu/stand_in/stand_in_devices.h"
#include "gpu/stream.h"
#include "gtest/gtest.h"

namespace syncline::gpu {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

class GpuBufferTest : public ::testing::Test {
 protected:
  DeviceBuffer Memory(std::size_t bytes) {
    return *DeviceBuffer::Allocate(devices_[0], MemoryStorageType::kDevice,
                                   bytes, "image");
  }

  const StandInDevices devices_ = MakeStandInDevices({.has_threads = false});
};

TEST_F(GpuBufferTest, SaysWhatAnImageFrameSays) {
  const GpuBuffer image =
      *GpuBuffer::Make(Memory(96 + 4), ImageFormat::SRGB, 5, 6, 16, 4);
  EXPECT_TRUE(image);
  EXPECT_EQ(image.format(), ImageFormat::SRGB);
  EXPECT_EQ(image.width(), 5);
  EXPECT_EQ(image.height(), 6);
  EXPECT_EQ(image.channels(), 3);
  EXPECT_EQ(image.channel_bytes(), 1);
  EXPECT_EQ(image.row_bytes(), 15u);
  EXPECT_EQ(image.row_step(), 16u);
  EXPECT_EQ(image.offset(), 4u);
  EXPECT_EQ(image.ToText(), "SRGB 5 x 6");
  // The last row needs no gap behind it.
  SYNCLINE_EXPECT_OK(
      GpuBuffer::Make(Memory(95), ImageFormat::SRGB, 5, 6, 16).status());
}

TEST_F(GpuBufferTest, WithoutAnImageItIsFalse) {
  const GpuBuffer image;
  EXPECT_FALSE(image);
  EXPECT_EQ(image.channels(), 0);
  EXPECT_EQ(image.row_bytes(), 0u);
  EXPECT_EQ(image.ToText(), "no image");
}

TEST_F(GpuBufferTest, WithoutPixelsItHasNoMemory) {
  const GpuBuffer image =
      *GpuBuffer::Make(Memory(8), ImageFormat::GRAY8, 0, 6, 0);
  EXPECT_TRUE(image);
  EXPECT_FALSE(image.has_pixels());
  EXPECT_TRUE(image.memory().is_null());
  EXPECT_EQ(*GpuBuffer::UsualBytes(ImageFormat::GRAY8, 0, 6), 0u);
}

TEST_F(GpuBufferTest, WhatCannotBeIsRefused) {
  const auto refused = [this](ImageFormat::Format format, int width, int height,
                              std::size_t step, std::size_t offset = 0) {
    const absl::Status status =
        GpuBuffer::Make(Memory(96), format, width, height, step, offset)
            .status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    return std::string(status.message());
  };
  EXPECT_THAT(refused(ImageFormat::UNKNOWN, 1, 1, 16),
              HasSubstr("the format UNKNOWN"));
  EXPECT_THAT(refused(ImageFormat::YCBCR420P, 1, 1, 16), HasSubstr("format"));
  EXPECT_THAT(refused(ImageFormat::GRAY8, -1, 1, 16), HasSubstr("-1 x 1"));
  EXPECT_THAT(refused(ImageFormat::SRGB, 5, 6, 14),
              HasSubstr("14 bytes apart"));
  EXPECT_THAT(refused(ImageFormat::SRGB, 5, 7, 16), HasSubstr("does not fit"));
  EXPECT_THAT(refused(ImageFormat::SRGB, 5, 6, 16, 2), HasSubstr("byte 2"));
  EXPECT_THAT(refused(ImageFormat::SRGB, 5, 6, ~std::size_t{0}),
              HasSubstr("does not fit"));
  EXPECT_THAT(refused(ImageFormat::SRGB, 5, 1, 16, 200), HasSubstr("byte 200"));
}

TEST_F(GpuBufferTest, RowsAreMultiplesOf16AsThoseOfFrames) {
  EXPECT_EQ(GpuBuffer::UsualRowStep(ImageFormat::SRGB, 5), 16u);
  EXPECT_EQ(GpuBuffer::UsualRowStep(ImageFormat::SRGB, 6), 32u);
  EXPECT_EQ(GpuBuffer::UsualRowStep(ImageFormat::VEC32F4, 1), 16u);
  EXPECT_EQ(*GpuBuffer::UsualBytes(ImageFormat::SRGB, 6, 3), 96u);
  EXPECT_FALSE(GpuBuffer::UsualBytes(ImageFormat::UNKNOWN, 6, 3).ok());
}

TEST_F(GpuBufferTest, BytesThatNoDeviceHasAreRefusedAndDoNotWrap) {
  constexpr int kMax = std::numeric_limits<int>::max();
  EXPECT_THAT(
      GpuBuffer::UsualBytes(ImageFormat::VEC32F4, kMax, kMax),
      StatusIs(absl::StatusCode::kInvalidArgument,
               HasSubstr("2147483647 x 2147483647 has more than 2^40")));
  EXPECT_EQ(*GpuBuffer::UsualBytes(ImageFormat::GRAY8, 1 << 20, 1 << 20),
            std::size_t{1} << 40);
  EXPECT_FALSE(
      GpuBuffer::UsualBytes(ImageFormat::GRAY8, 1 << 20, (1 << 20) + 1).ok());
}

TEST_F(GpuBufferTest, APacketKnowsTheWorkOnIt) {
  const Stream stream = *Stream::Make(devices_[0], {}, "a");
  const GpuBuffer image =
      *GpuBuffer::Make(Memory(96), ImageFormat::SRGB, 5, 6, 16);
  SYNCLINE_EXPECT_OK(stream.Fill(Writes(image.memory()), 1));
  const DeviceWork work = PendingWorkOf(MakePacket<GpuBuffer>(image));
  EXPECT_THAT(work.PointsBeforeReading(), SizeIs(1));
  EXPECT_TRUE(PendingWorkOf(MakePacket<GpuBuffer>(GpuBuffer())).empty());
}

}  // namespace
}  // namespace syncline::gpu
