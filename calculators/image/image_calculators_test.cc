// Calculators of this folder on literal images.

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image.h"
#include "framework/formats/image_frame.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/calculator_harness.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;
using Size = std::pair<int, int>;

Packet FrameAt(int width, int height, int timestamp) {
  return MakePacket<ImageFrame>(ImageFormat::SRGB, width, height)
      .At(Timestamp(timestamp));
}

TEST(ImagePropertiesCalculatorTest, SendsTheSizeOfFramesAndImages) {
  for (const std::string tag : {"IMAGE", "IMAGE_CPU"}) {
    CalculatorHarness harness(
        "calculator: 'ImagePropertiesCalculator' "
        "input_stream: '" +
        tag + ":in' output_stream: 'SIZE:size'");
    harness.Feed(
        tag, {FrameAt(4, 3, 1), MakePacket<Image>(std::make_shared<ImageFrame>(
                                                      ImageFormat::GRAY8, 5, 6))
                                    .At(Timestamp(2))});
    SYNCLINE_ASSERT_OK(harness.Run());
    ASSERT_EQ(harness.Output("SIZE").size(), 2);
    EXPECT_EQ(harness.Output("SIZE")[0].Get<Size>(), Size(4, 3));
    EXPECT_EQ(harness.Output("SIZE")[1].Get<Size>(), Size(5, 6));
    EXPECT_EQ(harness.Output("SIZE")[1].Timestamp(), Timestamp(2));
  }
}

TEST(ImagePropertiesCalculatorTest, AsksForOneImage) {
  for (const char* const inputs :
       {"", "input_stream: 'IMAGE:a' input_stream: 'IMAGE_CPU:b'"}) {
    CalculatorHarness harness(
        std::string("calculator: 'ImagePropertiesCalculator' "
                    "output_stream: 'SIZE:size' ") +
        inputs);
    EXPECT_THAT(std::string(harness.Run().message()),
                HasSubstr("either IMAGE or IMAGE_CPU"));
  }
}

// --- SegmentationSmoothingCalculator

constexpr char kSmoothing[] =
    "calculator: 'SegmentationSmoothingCalculator' "
    "input_stream: 'MASK:mask' input_stream: 'MASK_PREVIOUS:previous' "
    "output_stream: 'MASK_SMOOTHED:out' "
    "options { [syncline.SegmentationSmoothingCalculatorOptions.ext] { "
    "combine_with_previous_ratio: ";

std::string Smoothing(const std::string& ratio) {
  return kSmoothing + ratio + "} }";
}

// A row of probabilities, with padding after it.
Packet MaskAt(int timestamp, const std::vector<float>& values) {
  auto frame = std::make_shared<ImageFrame>(ImageFormat::VEC32F1,
                                            static_cast<int>(values.size()), 1);
  std::copy(values.begin(), values.end(),
            reinterpret_cast<float*>(frame->MutablePixelData()));
  return MakePacket<Image>(std::move(frame)).At(Timestamp(timestamp));
}
std::vector<float> ValuesOf(const Packet& packet) {
  const auto& image = packet.Get<Image>();
  const PixelReadLock lock(image);
  const auto* const values = reinterpret_cast<const float*>(lock.Pixels());
  return std::vector<float>(values, values + image.width());
}

TEST(SegmentationSmoothingTest, MixesThePreviousMaskWhereTheNewIsUncertain) {
  CalculatorHarness harness(Smoothing("0.5"));
  const float nan = std::nanf("");
  harness.Feed("MASK",
               {MaskAt(1, {0, 1, 0.5f, 0.5f, 0.25f, nan, 0.5f, -1, 2})});
  harness.Feed("MASK_PREVIOUS",
               {MaskAt(1, {1, 0, 1, 0, 1, 1, nan, 0.5f, 0.5f})});
  SYNCLINE_ASSERT_OK(harness.Run());
  ASSERT_EQ(harness.Output("MASK_SMOOTHED").size(), 1);
  const std::vector<float> out = ValuesOf(harness.Output("MASK_SMOOTHED")[0]);
  EXPECT_FLOAT_EQ(out[2], 0.75f);
  EXPECT_FLOAT_EQ(out[3], 0.25f);
  // The polynomial of 0.25^2 is 0.657662; the entropy of a quarter squared
  // would be 0.658172.
  EXPECT_NEAR(out[4], 0.25 + 0.75 * 0.5 * 0.657662, 1e-6);
  EXPECT_TRUE(std::isnan(out[5]));
  EXPECT_FLOAT_EQ(out[6], 0.5f);
  // That of 0.5^2 is nearly 0.
  EXPECT_NEAR(out[0], 0.5 * 4.279e-5, 1e-7);
  EXPECT_NEAR(out[1], 1 - 0.5 * 4.279e-5, 1e-7);
  // These are no probabilities.
  EXPECT_EQ(out[7], -1);
  EXPECT_EQ(out[8], 2);
}

TEST(SegmentationSmoothingTest, SendsTheMaskItselfWhereNothingIsMixed) {
  CalculatorHarness first(Smoothing("0.5"));
  const Packet mask = MaskAt(1, {0.5f});
  first.Feed("MASK", {mask});
  SYNCLINE_ASSERT_OK(first.Run());
  EXPECT_EQ(first.Output("MASK_SMOOTHED").at(0).Get<Image>(),
            mask.Get<Image>());

  CalculatorHarness none(Smoothing("0"));
  none.Feed("MASK", {mask});
  none.Feed("MASK_PREVIOUS", {MaskAt(1, {1})});
  SYNCLINE_ASSERT_OK(none.Run());
  EXPECT_EQ(none.Output("MASK_SMOOTHED").at(0).Get<Image>(), mask.Get<Image>());
}

TEST(SegmentationSmoothingTest, MasksThatDoNotGoTogetherAreAnError) {
  CalculatorHarness sizes(Smoothing("0.5"));
  sizes.Feed("MASK", {MaskAt(1, {1, 1})});
  sizes.Feed("MASK_PREVIOUS", {MaskAt(1, {1})});
  EXPECT_THAT(std::string(sizes.Run().message()),
              HasSubstr("the mask at 1 is 2 x 1, but the one before is 1 x 1"));

  for (const Packet& packet :
       {MakePacket<Image>().At(Timestamp(1)),
        MakePacket<Image>(std::make_shared<ImageFrame>(ImageFormat::SRGB, 1, 1))
            .At(Timestamp(1))}) {
    CalculatorHarness formats(Smoothing("0.5"));
    formats.Feed("MASK", {MaskAt(1, {1})});
    formats.Feed("MASK_PREVIOUS", {packet});
    EXPECT_THAT(std::string(formats.Run().message()),
                HasSubstr("masks are of VEC32F1"));
  }
  EXPECT_THAT(std::string(CalculatorHarness(Smoothing("1.5")).Run().message()),
              HasSubstr("from 0 to 1"));
}

}  // namespace
}  // namespace syncline
