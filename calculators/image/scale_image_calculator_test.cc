// ScaleImageCalculator: sizes, proportions, formats, alignment, headers.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "calculators/image/scale_image_calculator.pb.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/image_frame_opencv.h"
#include "framework/formats/video_stream_header.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "opencv2/core.hpp"
#include "testing/calculator_harness.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;
using Options = ScaleImageCalculatorOptions;

std::string Node(absl::string_view options, absl::string_view ports =
                                                "input_stream: 'FRAMES:a' "
                                                "output_stream: 'FRAMES:b' ") {
  return absl::StrCat("calculator: 'ScaleImageCalculator' ", ports,
                      "options { [syncline.ScaleImageCalculatorOptions.ext] { ",
                      options, " } }");
}

Packet Filled(int width, int height,
              ImageFormat::Format format = ImageFormat::SRGB) {
  auto frame = std::make_unique<ImageFrame>(format, width, height);
  formats::MatView(frame.get()).setTo(cv::Scalar(10, 20, 30, 40));
  return Adopt(frame.release()).At(Timestamp(1));
}

Packet Scaled(absl::string_view options, Packet frame) {
  CalculatorHarness harness(Node(options));
  harness.Feed("FRAMES", {std::move(frame)});
  SYNCLINE_EXPECT_OK(harness.Run()) << options;
  return harness.Output("FRAMES").empty() ? Packet()
                                          : harness.Output("FRAMES")[0];
}

std::string SizeAfter(absl::string_view options, int width, int height) {
  const Packet packet = Scaled(options, Filled(width, height));
  if (packet.IsEmpty()) return "none";
  const auto& frame = packet.Get<ImageFrame>();
  return absl::StrCat(frame.Width(), "x", frame.Height());
}

TEST(ScaleImageTest, FitsIntoTheTargetSize) {
  EXPECT_EQ(SizeAfter("target_width: 160", 320, 240), "160x120");
  EXPECT_EQ(SizeAfter("target_height: 60", 320, 240), "80x60");
  // 77 * 240 / 320 is 57.75.
  EXPECT_EQ(SizeAfter("target_width: 77 scale_to_multiple_of: 1", 320, 240),
            "77x57");
  EXPECT_EQ(SizeAfter("target_width: 160 target_height: 60", 320, 240),
            "80x60");
  EXPECT_EQ(SizeAfter("target_width: 640 target_height: 999", 320, 240),
            "640x480");
  EXPECT_EQ(SizeAfter("target_width: 100 target_height: 100 "
                      "preserve_aspect_ratio: false",
                      320, 240),
            "100x100");
  EXPECT_EQ(
      SizeAfter("target_width: 100 preserve_aspect_ratio: false", 320, 240),
      "100x240");
}

TEST(ScaleImageTest, HasAtMostTheTargetArea) {
  EXPECT_EQ(SizeAfter("target_max_area: 19200", 320, 240), "160x120");
  EXPECT_EQ(SizeAfter("target_max_area: 76800", 320, 240), "320x240");
  // The root of 8192 / (320 / 180) is 67.9, and 67 * 320 / 180 is 119.1.
  EXPECT_EQ(SizeAfter("target_max_area: 8192", 320, 180), "118x66");
  EXPECT_EQ(
      SizeAfter("target_max_area: 8192 scale_to_multiple_of: 1", 320, 180),
      "119x67");
}

TEST(ScaleImageTest, SizesAreMultiples) {
  EXPECT_EQ(SizeAfter("", 321, 241), "320x240");
  EXPECT_EQ(SizeAfter("scale_to_multiple_of: 1", 321, 241), "321x241");
  EXPECT_EQ(SizeAfter("scale_to_multiple_of: 16 target_width: 100", 320, 240),
            "96x64");
}

TEST(ScaleImageTest, ScalesUpUnlessToldOtherwise) {
  EXPECT_EQ(SizeAfter("target_width: 640", 320, 240), "640x480");
  EXPECT_EQ(SizeAfter("target_width: 640 algorithm: DEFAULT_WITHOUT_UPSCALE",
                      320, 240),
            "320x240");
  EXPECT_EQ(SizeAfter("target_width: 160 algorithm: DEFAULT_WITHOUT_UPSCALE",
                      320, 240),
            "160x120");
}

TEST(ScaleImageTest, TakesTheMiddleOfWhatIsTooNarrowOrTooWide) {
  EXPECT_EQ(SizeAfter("", 3200, 90), "160x90");
  EXPECT_EQ(SizeAfter("", 90, 3200), "90x160");
  EXPECT_EQ(SizeAfter("min_aspect_ratio: '' max_aspect_ratio: ''", 3200, 90),
            "3200x90");
  EXPECT_EQ(
      SizeAfter("min_aspect_ratio: '0/1' max_aspect_ratio: '0/1'", 3200, 90),
      "3200x90");
  EXPECT_EQ(
      SizeAfter("min_aspect_ratio: '0/1' max_aspect_ratio: '1/0'", 90, 3200),
      "90x3200");
  EXPECT_EQ(SizeAfter("max_aspect_ratio: '1/1'", 320, 240), "240x240");
  auto frame = std::make_unique<ImageFrame>(ImageFormat::GRAY8, 300, 100);
  cv::Mat pixels = formats::MatView(frame.get());
  pixels.setTo(0);
  pixels.colRange(100, 200).setTo(255);
  const Packet middle = Scaled("max_aspect_ratio: '1/1'",
                               Adopt(frame.release()).At(Timestamp(1)));
  EXPECT_EQ(cv::mean(formats::MatView(&middle.Get<ImageFrame>()))[0], 255);
}

TEST(ScaleImageTest, WhatIsCroppedIsRoundedDown) {
  // 320 * 16 / 9 is 568.9, and 96 * 16 / 9 is 170.7.
  const char* const kWhole = "scale_to_multiple_of: 1";
  EXPECT_EQ(SizeAfter(kWhole, 640, 320), "568x320");
  EXPECT_EQ(SizeAfter(kWhole, 96, 480), "96x170");
  EXPECT_EQ(SizeAfter(kWhole, 1920, 1080), "1920x1080");
  EXPECT_EQ(SizeAfter(kWhole, 640, 1024), "640x1024");
  // A quotient that misses a whole number only by the rounding of doubles.
  EXPECT_EQ(SizeAfter(absl::StrCat(kWhole, " max_aspect_ratio: '4.9/0.7'"),
                      7000, 100),
            "700x100");
}

TEST(ScaleImageTest, KeepsColoursInEveryFormatAndAlgorithm) {
  for (const absl::string_view algorithm :
       {"DEFAULT", "LINEAR", "CUBIC", "AREA", "LANCZOS"}) {
    for (const absl::string_view format : {"SRGB", "SRGBA", "GRAY8"}) {
      for (const auto input :
           {ImageFormat::SRGB, ImageFormat::SRGBA, ImageFormat::GRAY8}) {
        const Packet packet =
            Scaled(absl::StrCat("target_width: 16 algorithm: ", algorithm,
                                " output_format: ", format),
                   Filled(32, 24, input));
        ASSERT_FALSE(packet.IsEmpty());
        const auto& frame = packet.Get<ImageFrame>();
        EXPECT_EQ(ImageFormat::Format_Name(frame.Format()), format);
        const int first = frame.PixelData()[0];
        if (input == ImageFormat::GRAY8 || format != "GRAY8") {
          EXPECT_EQ(first, 10);
        } else {
          EXPECT_NEAR(first, 18, 1);  // 0.3 * 10 + 0.59 * 20 + 0.11 * 30
        }
      }
    }
  }
}

TEST(ScaleImageTest, WithNothingToDoTheFrameGoesOn) {
  const Packet frame = Filled(320, 240);
  EXPECT_EQ(&Scaled("target_width: 320", frame).Get<ImageFrame>(),
            &frame.Get<ImageFrame>());
}

TEST(ScaleImageTest, AlignsRowsAndClearsWhatIsBetween) {
  const Packet packet =
      Scaled("alignment_boundary: 64 target_width: 30", Filled(60, 40));
  const auto& frame = packet.Get<ImageFrame>();
  EXPECT_TRUE(frame.IsAligned(64));
  ASSERT_GT(frame.WidthStep(), 90);
  for (int x = 90; x < frame.WidthStep(); ++x) {
    EXPECT_EQ(frame.PixelData()[x], 0);
  }
}

TEST(ScaleImageTest, SharpensEdges) {
  auto frame = std::make_unique<ImageFrame>(ImageFormat::GRAY8, 32, 24);
  cv::Mat pixels = formats::MatView(frame.get());
  pixels.setTo(100);
  pixels.colRange(16, 32).setTo(150);
  const Packet sharp = Scaled("post_sharpening_coefficient: 1",
                              Adopt(frame.release()).At(Timestamp(1)));
  const std::uint8_t* row = sharp.Get<ImageFrame>().PixelData();
  EXPECT_LT(row[15], 95);
  EXPECT_GT(row[16], 155);
  EXPECT_EQ(row[3], 100);
}

TEST(ScaleImageTest, HeadersTellTheNewSize) {
  VideoHeader header;
  header.format = ImageFormat::SRGB;
  header.width = 320;
  header.height = 240;
  header.frame_rate = 25;
  CalculatorHarness harness(
      Node("target_width: 160 output_format: GRAY8",
           "input_stream: 'FRAMES:a' input_stream: 'VIDEO_HEADER:h' "
           "output_stream: 'FRAMES:b' output_stream: 'VIDEO_HEADER:i' "));
  harness.SetHeader("FRAMES", MakePacket<VideoHeader>(header));
  harness.Feed("VIDEO_HEADER",
               {MakePacket<VideoHeader>(header).At(Timestamp::PreStream())});
  SYNCLINE_ASSERT_OK(harness.Run());
  ASSERT_EQ(harness.Output("VIDEO_HEADER").size(), 1);
  const Packet& sent = harness.Output("VIDEO_HEADER")[0];
  EXPECT_EQ(sent.Timestamp(), Timestamp::PreStream());
  for (const Packet& packet : {sent, harness.OutputHeader("FRAMES")}) {
    const auto& scaled = packet.Get<VideoHeader>();
    EXPECT_EQ(scaled.width, 160);
    EXPECT_EQ(scaled.height, 120);
    EXPECT_EQ(scaled.format, ImageFormat::GRAY8);
    EXPECT_EQ(scaled.frame_rate, 25);
  }
}

TEST(ScaleImageTest, OptionsMayChange) {
  CalculatorHarness harness(
      Node("target_width: 160",
           "input_stream: 'FRAMES:a' input_stream: 'OVERRIDE_OPTIONS:o' "
           "output_stream: 'FRAMES:b' "));
  Options options;
  options.set_target_width(80);
  harness.Feed("OVERRIDE_OPTIONS",
               {MakePacket<Options>(options).At(Timestamp(2))});
  const Packet frame = Filled(320, 240);
  harness.Feed("FRAMES",
               {frame, frame.At(Timestamp(2)), frame.At(Timestamp(3))});
  SYNCLINE_ASSERT_OK(harness.Run());
  ASSERT_EQ(harness.Output("FRAMES").size(), 3);
  EXPECT_EQ(harness.Output("FRAMES")[0].Get<ImageFrame>().Width(), 160);
  EXPECT_EQ(harness.Output("FRAMES")[1].Get<ImageFrame>().Width(), 80);
  EXPECT_EQ(harness.Output("FRAMES")[2].Get<ImageFrame>().Width(), 80);
}

TEST(ScaleImageTest, RefusesOptionsThatCannotBe) {
  for (const absl::string_view options :
       {"target_width: -1", "target_height: 2000000", "target_max_area: -1",
        "target_max_area: 9 preserve_aspect_ratio: false",
        "alignment_boundary: 3", "alignment_boundary: 0",
        "scale_to_multiple_of: 0", "post_sharpening_coefficient: nan",
        "output_format: LAB8", "min_aspect_ratio: '16:9'",
        "min_aspect_ratio: '1/0'", "max_aspect_ratio: '0/0'",
        "max_aspect_ratio: '-1/1'", "max_aspect_ratio: '1e300/1e-300'",
        "max_aspect_ratio: 'x'",
        "min_aspect_ratio: '2/1' max_aspect_ratio: '1/1'"}) {
    EXPECT_EQ(CalculatorHarness(Node(options)).Run().code(),
              absl::StatusCode::kInvalidArgument)
        << options;
  }
}

TEST(ScaleImageTest, RefusesFramesThatCannotBe) {
  const auto message = [](absl::string_view options, Packet frame) {
    CalculatorHarness harness(Node(options));
    harness.Feed("FRAMES", {std::move(frame)});
    return std::string(harness.Run().message());
  };
  EXPECT_THAT(message("", Filled(1, 1)), HasSubstr("nothing would be left"));
  EXPECT_THAT(message("target_max_area: 1", Filled(20, 10)),
              HasSubstr("nothing would be left"));
  EXPECT_THAT(message("", Filled(8, 8, ImageFormat::VEC32F1)),
              HasSubstr("VEC32F1"));
  EXPECT_THAT(message("input_format: GRAY8", Filled(8, 8)), HasSubstr("GRAY8"));
  EXPECT_THAT(message("", MakePacket<ImageFrame>().At(Timestamp(1))),
              HasSubstr("frame"));
  EXPECT_THAT(message("target_width: 1000000", Filled(320, 240)),
              HasSubstr("at most"));
}

}  // namespace
}  // namespace syncline
