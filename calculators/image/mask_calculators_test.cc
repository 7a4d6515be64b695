// RecolorCalculator and MaskOverlayCalculator on literal pixels.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/image_frame_opencv.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "opencv2/core.hpp"
#include "testing/calculator_harness.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Packet Filled(ImageFormat::Format format, const cv::Scalar& color,
              int width = 8, int height = 6) {
  auto frame = std::make_unique<ImageFrame>(format, width, height);
  formats::MatView(frame.get()).setTo(color);
  return Adopt(frame.release()).At(Timestamp(5));
}

std::vector<int> Pixel(const Packet& packet) {
  const auto& frame = packet.Get<ImageFrame>();
  const std::uint8_t* const at =
      frame.PixelData() + 3 * frame.WidthStep() + 2 * frame.NumberOfChannels();
  return std::vector<int>(at, at + frame.NumberOfChannels());
}

// --- RecolorCalculator

constexpr char kRecolor[] =
    "calculator: 'RecolorCalculator' input_stream: 'IMAGE:in' "
    "input_stream: 'MASK:mask' output_stream: 'IMAGE:out' ";

std::string RecolorOptions(absl::string_view text) {
  return absl::StrCat("options { [syncline.RecolorCalculatorOptions.ext] { ",
                      text, " } }");
}
constexpr char kPlain[] =
    "color { r: 200 g: 100 b: 0 } adjust_with_luminance: false ";

std::vector<int> Recolored(absl::string_view options, const Packet& mask,
                           const Packet& frame = Filled(ImageFormat::SRGB,
                                                        cv::Scalar(100, 100,
                                                                   100))) {
  CalculatorHarness harness(absl::StrCat(kRecolor, RecolorOptions(options)));
  harness.Feed("IMAGE", {frame});
  harness.Feed("MASK", {mask});
  SYNCLINE_EXPECT_OK(harness.Run());
  EXPECT_EQ(harness.Output("IMAGE").size(), 1);
  return Pixel(harness.Output("IMAGE")[0]);
}

TEST(RecolorTest, MixesAsTheMaskSays) {
  const auto gray = [](int value) { return Filled(ImageFormat::GRAY8, value); };
  EXPECT_THAT(Recolored(kPlain, gray(0)), ElementsAre(100, 100, 100));
  EXPECT_THAT(Recolored(kPlain, gray(255)), ElementsAre(200, 100, 0));
  EXPECT_THAT(Recolored(kPlain, gray(51)), ElementsAre(120, 100, 80));
  EXPECT_THAT(Recolored(absl::StrCat(kPlain, "invert_mask: true"), gray(0)),
              ElementsAre(200, 100, 0));
}

TEST(RecolorTest, DarkPixelsAreColouredLess) {
  const Packet mask = Filled(ImageFormat::GRAY8, 255);
  const std::string options = "color { r: 255 g: 0 b: 0 }";
  EXPECT_THAT(
      Recolored(options, mask, Filled(ImageFormat::SRGB, cv::Scalar(0, 0, 0))),
      ElementsAre(0, 0, 0));
  // A fifth of the way to the new colour.
  EXPECT_THAT(Recolored(options, mask,
                        Filled(ImageFormat::SRGB, cv::Scalar(51, 51, 51))),
              ElementsAre(92, 41, 41));
}

TEST(RecolorTest, BrightnessIsNotRounded) {
  // 0.299 * 200 + 0.587 * 101 + 0.114 * 50 is 124.787, so green becomes
  // 101 * (1 - 124.787 / 255) = 51.57. A brightness of 125 would give 51.49.
  const Packet mask = Filled(ImageFormat::GRAY8, 255);
  EXPECT_THAT(Recolored("color { r: 0 g: 0 b: 255 }", mask,
                        Filled(ImageFormat::SRGB, cv::Scalar(200, 101, 50))),
              ElementsAre(102, 52, 150));
}

TEST(RecolorTest, TakesMasksOfAnySizeKindAndChannel) {
  EXPECT_THAT(Recolored(kPlain, Filled(ImageFormat::VEC32F1, 1, 3, 2)),
              ElementsAre(200, 100, 0));
  // Mask values outside of 0 to 1 are clamped.
  EXPECT_THAT(Recolored(kPlain, Filled(ImageFormat::VEC32F1, 7)),
              ElementsAre(200, 100, 0));
  const Packet colored = Filled(ImageFormat::SRGBA, cv::Scalar(255, 9, 9, 0));
  EXPECT_THAT(Recolored(kPlain, colored), ElementsAre(200, 100, 0));
  EXPECT_THAT(Recolored(absl::StrCat(kPlain, "mask_channel: ALPHA"), colored),
              ElementsAre(100, 100, 100));
  EXPECT_THAT(Recolored(kPlain, Filled(ImageFormat::GRAY8, 255),
                        Filled(ImageFormat::SRGBA, cv::Scalar(1, 2, 3, 4))),
              ElementsAre(200, 100, 0));
}

TEST(RecolorTest, WithoutAMaskTheFrameGoesOn) {
  CalculatorHarness harness(absl::StrCat(kRecolor, RecolorOptions(kPlain)));
  const Packet frame = Filled(ImageFormat::SRGB, 7);
  harness.Feed("IMAGE", {frame});
  harness.Feed("MASK", {Filled(ImageFormat::GRAY8, 255).At(Timestamp(6))});
  SYNCLINE_ASSERT_OK(harness.Run());
  ASSERT_EQ(harness.Output("IMAGE").size(), 1);
  EXPECT_EQ(&harness.Output("IMAGE")[0].Get<ImageFrame>(),
            &frame.Get<ImageFrame>());
}

TEST(RecolorTest, RefusesWhatCannotBe) {
  for (const std::string& options :
       {std::string(), RecolorOptions("color { r: 256 g: 0 b: 0 }"),
        RecolorOptions("color { r: 0 g: -1 b: 0 }")}) {
    EXPECT_EQ(CalculatorHarness(absl::StrCat(kRecolor, options)).Run().code(),
              absl::StatusCode::kInvalidArgument);
  }
  CalculatorHarness harness(absl::StrCat(kRecolor, RecolorOptions(kPlain)));
  harness.Feed("IMAGE", {Filled(ImageFormat::GRAY8, 1)});
  harness.Feed("MASK", {Filled(ImageFormat::GRAY8, 1)});
  EXPECT_THAT(std::string(harness.Run().message()), HasSubstr("GRAY8"));
}

// --- MaskOverlayCalculator

std::string Overlay(absl::string_view mask) {
  return absl::StrCat(
      "calculator: 'MaskOverlayCalculator' input_stream: 'VIDEO:0:a' "
      "input_stream: 'VIDEO:1:b' input_stream: '",
      mask, ":m' output_stream: 'OUTPUT:c'");
}

std::vector<int> Overlaid(absl::string_view tag, const Packet& mask) {
  CalculatorHarness harness(Overlay(tag));
  harness.Feed("VIDEO:0", {Filled(ImageFormat::SRGB, cv::Scalar(0, 100, 200))});
  harness.Feed("VIDEO:1", {Filled(ImageFormat::SRGB, cv::Scalar(100, 0, 200))});
  harness.Feed(tag, {mask});
  SYNCLINE_EXPECT_OK(harness.Run());
  EXPECT_EQ(harness.Output("OUTPUT").size(), 1);
  return Pixel(harness.Output("OUTPUT")[0]);
}

TEST(MaskOverlayTest, TheSecondVideoIsWhereTheMaskIs) {
  EXPECT_THAT(Overlaid("MASK", Filled(ImageFormat::GRAY8, 0)),
              ElementsAre(0, 100, 200));
  EXPECT_THAT(Overlaid("MASK", Filled(ImageFormat::GRAY8, 255)),
              ElementsAre(100, 0, 200));
  EXPECT_THAT(Overlaid("MASK", Filled(ImageFormat::VEC32F1, 0.25, 3, 2)),
              ElementsAre(25, 75, 200));
  EXPECT_THAT(Overlaid("CONST_MASK", MakePacket<float>(0.5F).At(Timestamp(5))),
              ElementsAre(50, 50, 200));
}

TEST(MaskOverlayTest, WhereSomethingIsMissingTheFirstVideoGoesOn) {
  CalculatorHarness harness(Overlay("MASK"));
  const Packet first = Filled(ImageFormat::SRGB, 1);
  harness.Feed("VIDEO:0", {first, first.At(Timestamp(6))});
  harness.Feed("VIDEO:1", {first, first.At(Timestamp(7))});
  harness.Feed("MASK", {Filled(ImageFormat::GRAY8, 255).At(Timestamp(6))});
  SYNCLINE_ASSERT_OK(harness.Run());
  ASSERT_EQ(harness.Output("OUTPUT").size(), 2);
  for (const Packet& sent : harness.Output("OUTPUT")) {
    EXPECT_EQ(&sent.Get<ImageFrame>(), &first.Get<ImageFrame>());
  }
}

TEST(MaskOverlayTest, RefusesWhatCannotBe) {
  for (const absl::string_view ports :
       {"input_stream: 'VIDEO:a' input_stream: 'MASK:m'",
        "input_stream: 'VIDEO:0:a' input_stream: 'VIDEO:1:b'",
        "input_stream: 'VIDEO:0:a' input_stream: 'VIDEO:1:b' "
        "input_stream: 'MASK:m' input_stream: 'CONST_MASK:k'"}) {
    EXPECT_EQ(
        CalculatorHarness(absl::StrCat("calculator: 'MaskOverlayCalculator' ",
                                       ports, " output_stream: 'OUTPUT:c'"))
            .Run()
            .code(),
        absl::StatusCode::kInvalidArgument);
  }
  CalculatorHarness sizes(Overlay("MASK"));
  sizes.Feed("VIDEO:0", {Filled(ImageFormat::SRGB, 1)});
  sizes.Feed("VIDEO:1", {Filled(ImageFormat::SRGB, 1, 3, 3)});
  sizes.Feed("MASK", {Filled(ImageFormat::GRAY8, 1)});
  EXPECT_THAT(std::string(sizes.Run().message()), HasSubstr("3x3"));
  CalculatorHarness weight(Overlay("CONST_MASK"));
  weight.Feed("VIDEO:0", {Filled(ImageFormat::SRGB, 1)});
  weight.Feed("VIDEO:1", {Filled(ImageFormat::SRGB, 1)});
  weight.Feed("CONST_MASK", {MakePacket<float>(1.5F).At(Timestamp(5))});
  EXPECT_THAT(std::string(weight.Run().message()), HasSubstr("1.5"));
}

}  // namespace
}  // namespace syncline
