// The kernels of colours against formulas in doubles, and their plans.

#include "gpu/kernels/color_kernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "gpu/kernels/color_plan.h"
#include "gpu/kernels/image_layout.h"
#include "gpu/kernels/run_kernel.h"

namespace syncline::gpu {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr PixelOrder kOrders[] = {PixelOrder::kGray, PixelOrder::kRgb,
                                  PixelOrder::kBgr, PixelOrder::kRgba,
                                  PixelOrder::kBgra};

// Red, green, blue, alpha.
using Rgba = std::array<int, 4>;

Rgba ReadRgba(const std::uint8_t* p, PixelOrder order) {
  switch (order) {
    case PixelOrder::kGray:
      return {p[0], p[0], p[0], 255};
    case PixelOrder::kRgb:
      return {p[0], p[1], p[2], 255};
    case PixelOrder::kBgr:
      return {p[2], p[1], p[0], 255};
    case PixelOrder::kRgba:
      return {p[0], p[1], p[2], p[3]};
    default:
      return {p[2], p[1], p[0], p[3]};
  }
}

std::vector<std::uint8_t> WriteRgba(const Rgba& c, PixelOrder order) {
  const auto byte = [](int value) { return static_cast<std::uint8_t>(value); };
  switch (order) {
    case PixelOrder::kGray:
      return {byte(static_cast<int>(std::floor(
          (9798.0 * c[0] + 19235.0 * c[1] + 3735.0 * c[2]) / 32768 + 0.5)))};
    case PixelOrder::kRgb:
      return {byte(c[0]), byte(c[1]), byte(c[2])};
    case PixelOrder::kBgr:
      return {byte(c[2]), byte(c[1]), byte(c[0])};
    case PixelOrder::kRgba:
      return {byte(c[0]), byte(c[1]), byte(c[2]), byte(c[3])};
    default:
      return {byte(c[2]), byte(c[1]), byte(c[0]), byte(c[3])};
  }
}

void ExpectColor(ImageForTest& expected, int x, int y, const Rgba& color,
                 PixelOrder order) {
  const std::vector<std::uint8_t> pixel = WriteRgba(color, order);
  std::copy(pixel.begin(), pixel.end(), expected.pixel(x, y));
}

TEST(ConvertColorTest, AnyOrderBecomesAnyOther) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    const PixelOrder from_order = kOrders[random() % 5];
    const PixelOrder to_order = kOrders[random() % 5];
    const int width = RandomSide(random);
    const int height = RandomSide(random);
    const ImageForTest from =
        RandomImage(random, width, height, NumChannels(from_order));
    ImageForTest to = RandomImage(random, width, height, NumChannels(to_order));
    ImageForTest expected = to;
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        ExpectColor(expected, x, y, ReadRgba(from.pixel(x, y), from_order),
                    to_order);
      }
    }
    const auto plan =
        PlanConvertColor(from.placed(), from_order, to.placed(), to_order);
    ASSERT_TRUE(plan.ok()) << plan.status();
    RunPlan(*plan, {ReadsFrom(from.bytes), WritesTo(to.bytes)});
    EXPECT_EQ(to.bytes, expected.bytes);
  }
}

TEST(ConvertColorTest, GrayStaysAndPrimariesHaveTheirWeights) {
  ImageForTest from;
  from.layout = {.width = 5, .height = 1, .channels = 3, .pitch = 15};
  from.bytes = {255, 255, 255, 7, 7, 7, 255, 0, 0, 0, 255, 0, 0, 0, 255};
  ImageForTest to;
  to.layout = {.width = 5, .height = 1, .channels = 1, .pitch = 5};
  to.bytes.resize(5);
  RunPlan(*PlanConvertColor(from.placed(), PixelOrder::kRgb, to.placed(),
                            PixelOrder::kGray),
          {ReadsFrom(from.bytes), WritesTo(to.bytes)});
  EXPECT_THAT(to.bytes, ElementsAre(255, 7, 76, 150, 29));
}

TEST(ConvertColorTest, AnImageMayBeItsOwnOutput) {
  std::mt19937 random(2);
  ImageForTest image = RandomImage(random, 9, 4, 3);
  const std::vector<std::uint8_t> before = image.bytes;
  const auto plan = PlanConvertColor(image.placed(), PixelOrder::kRgb,
                                     image.placed(), PixelOrder::kBgr);
  // Not by RunPlan: on CUDA each of its buffers is a copy.
  const KernelBuffer buffers[] = {ReadsFrom(image.bytes),
                                  WritesTo(image.bytes)};
  const KernelLaunch launch = {.count = plan->count,
                               .buffers = buffers,
                               .num_buffers = 2,
                               .parameters = &plan->parameters,
                               .parameters_size = sizeof(plan->parameters)};
  plan->kernel->stand_in(launch);
  EXPECT_NE(image.bytes, before);
  plan->kernel->stand_in(launch);
  EXPECT_EQ(image.bytes, before);
}

TEST(ConvertColorTest, APlanFitsTheImages) {
  const PlacedImage rgb = {{.width = 2, .height = 2, .channels = 3, .pitch = 6},
                           12};
  const PlacedImage gray = {{.width = 2, .height = 2, .pitch = 2}, 4};
  EXPECT_TRUE(
      PlanConvertColor(rgb, PixelOrder::kRgb, gray, PixelOrder::kGray).ok());
  EXPECT_THAT(PlanConvertColor(rgb, PixelOrder::kRgba, gray, PixelOrder::kGray)
                  .status()
                  .message(),
              HasSubstr("ConvertColor: the input has 3 channels"));
  PlacedImage small = gray;
  small.buffer_bytes = 3;
  EXPECT_THAT(PlanConvertColor(rgb, PixelOrder::kRgb, small, PixelOrder::kGray)
                  .status()
                  .message(),
              HasSubstr("the output ends at byte 4"));
  small = {{.width = 2, .height = 1, .pitch = 2}, 2};
  EXPECT_FALSE(
      PlanConvertColor(rgb, PixelOrder::kRgb, small, PixelOrder::kGray).ok());
}

// --- YUV

int RoundedByte(double value) {
  return std::clamp(static_cast<int>(std::floor(value + 0.5)), 0, 255);
}

// In doubles, of the 2^16ths that the kernel has.
Rgba ColorOfYuv(const YuvCoefficients& by, int y, int u, int v) {
  const double luma = by.luma * double(y - by.black);
  return {RoundedByte((luma + by.red_of_v * double(v - 128)) / 65536),
          RoundedByte((luma + by.green_of_u * double(u - 128) +
                       by.green_of_v * double(v - 128)) /
                      65536),
          RoundedByte((luma + by.blue_of_u * double(u - 128)) / 65536), 255};
}

TEST(YuvToColorTest, PlanesBecomeAnyOrder) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    const int width = RandomSide(random);
    const int height = RandomSide(random);
    YuvLayout layout = random() % 2 == 0 ? I420Layout(width, height)
                                         : Nv12Layout(width, height);
    std::vector<std::uint8_t> planes(Yuv420Bytes(width, height));
    for (std::uint8_t& byte : planes)
      byte = static_cast<std::uint8_t>(random());
    if (random() % 2 == 0) std::swap(layout.u_offset, layout.v_offset);
    const YuvCoefficients by = MakeYuvCoefficients(
        random() % 2 == 0 ? YuvMatrix::kBt601 : YuvMatrix::kBt709,
        random() % 2 == 0 ? YuvRange::kLimited : YuvRange::kFull);
    const PixelOrder order = kOrders[random() % 5];
    ImageForTest to = RandomImage(random, width, height, NumChannels(order));
    ImageForTest expected = to;
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        const std::int64_t chroma =
            (y / 2) * layout.chroma_pitch + (x / 2) * layout.chroma_step;
        ExpectColor(expected, x, y,
                    ColorOfYuv(by, planes[y * layout.y_pitch + x],
                               planes[layout.u_offset + chroma],
                               planes[layout.v_offset + chroma]),
                    order);
      }
    }
    const auto plan =
        PlanYuvToColor(layout, planes.size(), by, to.placed(), order);
    ASSERT_TRUE(plan.ok()) << plan.status();
    RunPlan(*plan, {ReadsFrom(planes), WritesTo(to.bytes)});
    EXPECT_EQ(to.bytes, expected.bytes);
  }
}

TEST(YuvToColorTest, TheCoefficientsAreThoseOfTheStandards) {
  const YuvCoefficients video =
      MakeYuvCoefficients(YuvMatrix::kBt601, YuvRange::kLimited);
  EXPECT_EQ(ColorOfYuv(video, 16, 128, 128), (Rgba{0, 0, 0, 255}));
  EXPECT_EQ(ColorOfYuv(video, 235, 128, 128), (Rgba{255, 255, 255, 255}));
  EXPECT_EQ(ColorOfYuv(video, 81, 90, 240), (Rgba{254, 0, 0, 255}));
  const YuvCoefficients jpeg =
      MakeYuvCoefficients(YuvMatrix::kBt601, YuvRange::kFull);
  EXPECT_EQ(jpeg.red_of_v, std::lround(1.402 * 65536));
  EXPECT_EQ(jpeg.blue_of_u, std::lround(1.772 * 65536));
  const YuvCoefficients hd =
      MakeYuvCoefficients(YuvMatrix::kBt709, YuvRange::kFull);
  EXPECT_EQ(hd.red_of_v, std::lround(1.5748 * 65536));
  EXPECT_EQ(hd.blue_of_u, std::lround(1.8556 * 65536));
}

TEST(YuvToColorTest, APlanFitsThePlanes) {
  const PlacedImage to = {{.width = 5, .height = 3, .channels = 3, .pitch = 15},
                          45};
  const YuvCoefficients by =
      MakeYuvCoefficients(YuvMatrix::kBt601, YuvRange::kLimited);
  for (const YuvLayout& layout : {I420Layout(5, 3), Nv12Layout(5, 3)}) {
    const std::size_t bytes = Yuv420Bytes(5, 3);
    EXPECT_EQ(bytes, 27u);
    EXPECT_TRUE(PlanYuvToColor(layout, bytes, by, to, PixelOrder::kRgb).ok());
    EXPECT_THAT(PlanYuvToColor(layout, bytes - 1, by, to, PixelOrder::kRgb)
                    .status()
                    .message(),
                HasSubstr("YuvToColor: the plane of v ends at byte 27"));
    YuvLayout wrong = layout;
    wrong.chroma_step = 0;
    EXPECT_FALSE(PlanYuvToColor(wrong, bytes, by, to, PixelOrder::kRgb).ok());
    wrong = layout;
    wrong.width = 6;
    EXPECT_FALSE(PlanYuvToColor(wrong, 1000, by, to, PixelOrder::kRgb).ok());
    wrong = layout;
    wrong.u_offset = -1;
    EXPECT_FALSE(PlanYuvToColor(wrong, 1000, by, to, PixelOrder::kRgb).ok());
  }
}

// --- on a device

TEST(KernelsOnCudaTest, EveryTestOfThisFolderComparesBothDevices) {
  const absl::Status status = CanCompareWithCuda();
  if (!status.ok()) GTEST_SKIP() << status.message();
}

}  // namespace
}  // namespace syncline::gpu
