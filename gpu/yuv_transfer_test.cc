#include "gpu/yuv_transfer.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "framework/formats/fourcc.h"
#include "framework/formats/yuv_image.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gpu/device_buffer.h"
#include "gpu/kernels/color_plan.h"
#include "gpu/stand_in/stand_in_devices.h"
#include "gpu/stream.h"
#include "gtest/gtest.h"

namespace syncline::gpu {
namespace {

using ::testing::HasSubstr;

// Of 3 x 3 pixels: 9 bytes of y, and 2 x 2 of u and v, with gaps.
class YuvTransferTest : public ::testing::Test {
 protected:
  YuvTransferTest() {
    for (std::size_t i = 0; i < bytes_.size(); ++i) {
      bytes_[i] = static_cast<std::uint8_t>(i);
    }
  }
  // Rows of y are 5 bytes apart, those of the other planes 6.
  std::unique_ptr<YUVImage> Image(libyuv::FourCC fourcc, int width = 3,
                                  int height = 3, int bit_depth = 8) {
    const bool has_three =
        fourcc != libyuv::FOURCC_NV12 && fourcc != libyuv::FOURCC_NV21;
    return std::make_unique<YUVImage>(
        fourcc, [] {}, &bytes_[0], 5, &bytes_[20], 6,
        has_three ? &bytes_[40] : nullptr, has_three ? 6 : 0, width, height,
        bit_depth);
  }
  DeviceBuffer Memory(MemoryStorageType kind, std::size_t bytes) {
    return *DeviceBuffer::Allocate(devices_[0], kind, bytes, "memory");
  }
  // What is on the device after an upload.
  std::vector<int> Uploaded(const YUVImage& image) {
    const std::size_t bytes = PlanYuvPlanes(image)->bytes;
    const DeviceBuffer to = Memory(MemoryStorageType::kDevice, bytes);
    SYNCLINE_EXPECT_OK(
        UploadYuv(stream_, image, Memory(MemoryStorageType::kHost, bytes), to));
    std::vector<std::uint8_t> there(bytes);
    SYNCLINE_EXPECT_OK(stream_.CopyToHost(there.data(), Reads(to), bytes));
    return {there.begin(), there.end()};
  }
  static std::string ErrorOf(const YUVImage& image) {
    const absl::Status status = PlanYuvPlanes(image).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    return std::string(status.message());
  }

  std::vector<std::uint8_t> bytes_ = std::vector<std::uint8_t>(60);
  const StandInDevices devices_ = MakeStandInDevices({});
  const Stream stream_ = *Stream::Make(devices_[0], {}, "a");
};

TEST_F(YuvTransferTest, ThreePlanesComeWithoutGaps) {
  const std::vector<int> planes = {0,  1,  2,  5,  6,  7,  10, 11, 12,  //
                                   20, 21, 26, 27, 40, 41, 46, 47};
  EXPECT_EQ(Uploaded(*Image(libyuv::FOURCC_I420)), planes);
  EXPECT_EQ(Uploaded(*Image(libyuv::FOURCC_YV12)), planes);
  const YuvLayout u_first = PlanYuvPlanes(*Image(libyuv::FOURCC_I420))->layout;
  EXPECT_EQ(u_first.u_offset, 9);
  EXPECT_EQ(u_first.v_offset, 13);
  const YuvLayout v_first = PlanYuvPlanes(*Image(libyuv::FOURCC_YV12))->layout;
  EXPECT_EQ(v_first.u_offset, 13);
  EXPECT_EQ(v_first.v_offset, 9);
}

TEST_F(YuvTransferTest, TwoPlanesComeWithoutGaps) {
  const std::vector<int> planes = {0,  1,  2,  5,  6,  7,  10, 11, 12,  //
                                   20, 21, 22, 23, 26, 27, 28, 29};
  EXPECT_EQ(Uploaded(*Image(libyuv::FOURCC_NV12)), planes);
  EXPECT_EQ(Uploaded(*Image(libyuv::FOURCC_NV21)), planes);
  const YuvLayout v_first = PlanYuvPlanes(*Image(libyuv::FOURCC_NV21))->layout;
  EXPECT_EQ(v_first.u_offset, 10);
  EXPECT_EQ(v_first.v_offset, 9);
  EXPECT_EQ(v_first.chroma_step, 2);
}

TEST_F(YuvTransferTest, TheImageSaysHowColoursAreComputed) {
  const auto coefficients = [](YUVImage& image) {
    return PlanYuvPlanes(image)->coefficients;
  };
  const std::unique_ptr<YUVImage> image = Image(libyuv::FOURCC_I420);
  const auto expect = [&](YuvMatrix matrix, YuvRange range) {
    const YuvCoefficients wanted = MakeYuvCoefficients(matrix, range);
    EXPECT_EQ(coefficients(*image).red_of_v, wanted.red_of_v);
    EXPECT_EQ(coefficients(*image).black, wanted.black);
  };
  expect(YuvMatrix::kBt601, YuvRange::kLimited);
  image->set_matrix_coefficients(YUVImage::COLOR_MATRIX_COEFFICIENTS_BT709);
  expect(YuvMatrix::kBt709, YuvRange::kLimited);
  image->set_full_range(true);
  expect(YuvMatrix::kBt709, YuvRange::kFull);
  image->set_matrix_coefficients(YUVImage::COLOR_MATRIX_COEFFICIENTS_SMPTE170M);
  expect(YuvMatrix::kBt601, YuvRange::kFull);
  image->set_matrix_coefficients(
      YUVImage::COLOR_MATRIX_COEFFICIENTS_BT2020_NCL);
  EXPECT_THAT(ErrorOf(*image), HasSubstr("the matrix coefficients 9"));
}

TEST_F(YuvTransferTest, AnImageWithoutPixelsIsNoWork) {
  const std::unique_ptr<YUVImage> image = Image(libyuv::FOURCC_I420, 0, 3);
  EXPECT_EQ(PlanYuvPlanes(*image)->bytes, 0u);
  SYNCLINE_EXPECT_OK(
      UploadYuv(stream_, *image, DeviceBuffer(), DeviceBuffer()));
  EXPECT_EQ(devices_[0]->counters().works_submitted, 0);
}

TEST_F(YuvTransferTest, OtherImagesAreRefused) {
  EXPECT_THAT(ErrorOf(YUVImage()), HasSubstr("format number 4294967295"));
  EXPECT_THAT(ErrorOf(*Image(libyuv::FOURCC_I444)),
              HasSubstr("3 x 3 in format \"I444\""));
  EXPECT_THAT(ErrorOf(*Image(libyuv::FOURCC_I420, 3, 3, 10)),
              HasSubstr("with 10 bits"));
  EXPECT_THAT(ErrorOf(*Image(libyuv::FOURCC_I420, -1, 3)),
              HasSubstr("a side below 0"));
  EXPECT_THAT(ErrorOf(*Image(libyuv::FOURCC_I420, 6, 3)),
              HasSubstr("plane 0 has rows of 5 bytes; it needs 6"));
  const YUVImage two_planes(
      libyuv::FOURCC_I420, [] {}, &bytes_[0], 5, &bytes_[20], 6, nullptr, 0, 3,
      3);
  EXPECT_THAT(ErrorOf(two_planes), HasSubstr("plane 2 is missing"));
}

TEST_F(YuvTransferTest, MemoryThatIsTooSmallIsRefused) {
  const std::unique_ptr<YUVImage> image = Image(libyuv::FOURCC_I420);
  const DeviceBuffer small = Memory(MemoryStorageType::kHost, 16);
  const DeviceBuffer enough = Memory(MemoryStorageType::kHost, 17);
  EXPECT_THAT(std::string(UploadYuv(stream_, *image, small, enough).message()),
              HasSubstr("the staging memory has 16 bytes; give 17"));
  EXPECT_THAT(std::string(UploadYuv(stream_, *image, enough, small).message()),
              HasSubstr("the device memory has 16 bytes; give 17"));
}

}  // namespace
}  // namespace syncline::gpu
