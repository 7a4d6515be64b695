// Calculators of images, one by one, with literal pixels.

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "calculators/image/image_file.h"
#include "calculators/image/opencv_frames.h"
#include "calculators/image/opencv_image_encoder_calculator.pb.h"
#include "calculators/video/test_clips.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/image_frame_opencv.h"
#include "framework/formats/rect.pb.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "opencv2/core.hpp"
#include "opencv2/imgcodecs.hpp"
#include "testing/calculator_harness.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A packet with a frame of one colour, at timestamp 5.
Packet Filled(ImageFormat::Format format, const cv::Scalar& color,
              int width = 8, int height = 6) {
  auto frame = std::make_unique<ImageFrame>(format, width, height);
  formats::MatView(frame.get()).setTo(color);
  return Adopt(frame.release()).At(Timestamp(5));
}

const ImageFrame& FrameOf(const Packet& packet) {
  return packet.Get<ImageFrame>();
}

// The values of a pixel.
std::vector<int> Pixel(const Packet& packet, int x, int y) {
  const ImageFrame& frame = FrameOf(packet);
  const std::uint8_t* const at =
      frame.PixelData() + y * frame.WidthStep() + x * frame.NumberOfChannels();
  return std::vector<int>(at, at + frame.NumberOfChannels());
}

std::vector<std::vector<int>> GrayRows(const Packet& packet) {
  std::vector<std::vector<int>> rows(FrameOf(packet).Height());
  for (std::size_t y = 0; y < rows.size(); ++y) {
    for (int x = 0; x < FrameOf(packet).Width(); ++x) {
      rows[y].push_back(Pixel(packet, x, static_cast<int>(y))[0]);
    }
  }
  return rows;
}

// The result of a calculator with one input and one output for a packet; empty,
// with the error in `status`, if it fails.
Packet RunOne(absl::string_view node, absl::string_view input, Packet packet,
              absl::string_view output, absl::Status* status = nullptr) {
  CalculatorHarness harness(node);
  harness.Feed(input, {std::move(packet)});
  const absl::Status result = harness.Run();
  if (status != nullptr) {
    *status = result;
  } else {
    SYNCLINE_EXPECT_OK(result);
  }
  if (!result.ok() || harness.Output(output).empty()) return Packet();
  EXPECT_EQ(harness.Output(output)[0].Timestamp(), Timestamp(5));
  return harness.Output(output)[0];
}

// --- Luminance and edges

constexpr char kLuminance[] =
    "calculator: 'LuminanceCalculator' input_stream: 'in' "
    "output_stream: 'out'";
constexpr char kEdges[] =
    "calculator: 'SobelEdgesCalculator' input_stream: 'VIDEO:in' "
    "output_stream: 'VIDEO:out'";

TEST(LuminanceTest, WeighsColours) {
  for (const auto format : {ImageFormat::SRGB, ImageFormat::SRGBA}) {
    const Packet gray =
        RunOne(kLuminance, "", Filled(format, cv::Scalar(200, 100, 50, 9)), "");
    EXPECT_EQ(FrameOf(gray).Format(), ImageFormat::GRAY8);
    EXPECT_EQ(FrameOf(gray).Width(), 8);
    // 42.5 + 71.54 + 3.605, rounded.
    EXPECT_EQ(Pixel(gray, 7, 5)[0], 118);
  }
}

TEST(LuminanceTest, AGrayFrameIsNotCopied) {
  const Packet gray = Filled(ImageFormat::GRAY8, 7);
  EXPECT_EQ(FrameOf(RunOne(kLuminance, "", gray, "")).PixelData(),
            FrameOf(gray).PixelData());
}

TEST(SobelEdgesTest, FindsAnEdgeAndNothingElse) {
  for (const auto format :
       {ImageFormat::GRAY8, ImageFormat::SRGB, ImageFormat::SRGBA}) {
    auto frame = std::make_unique<ImageFrame>(format, 8, 6);
    cv::Mat view = formats::MatView(frame.get());
    view.setTo(cv::Scalar::all(10));
    view.colRange(4, 8).setTo(cv::Scalar::all(30));
    const Packet edges = RunOne(
        kEdges, "VIDEO", Adopt(frame.release()).At(Timestamp(5)), "VIDEO");
    EXPECT_EQ(FrameOf(edges).Format(), ImageFormat::GRAY8);
    for (int y = 0; y < 6; ++y) {
      for (int x = 0; x < 8; ++x) {
        // Four times the step.
        EXPECT_EQ(Pixel(edges, x, y)[0], x == 3 || x == 4 ? 80 : 0) << x;
      }
    }
  }
}

TEST(FrameFilterTest, RefusesFramesThatItIsNotFor) {
  for (const Packet& packet :
       {MakePacket<ImageFrame>().At(Timestamp(5)),
        MakePacket<ImageFrame>(ImageFormat::VEC32F1, 4, 4).At(Timestamp(5))}) {
    for (const char* const node : {kLuminance, kEdges}) {
      absl::Status status;
      const bool has_tag = node == kEdges;
      RunOne(node, has_tag ? "VIDEO" : "", packet, has_tag ? "VIDEO" : "",
             &status);
      EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    }
  }
}

TEST(FrameFilterTest, PassesTheHeaderOn) {
  CalculatorHarness harness(kLuminance);
  harness.SetHeader("", MakePacket<int>(3));
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_EQ(harness.OutputHeader("").Get<int>(), 3);
}

// --- Bilateral filter

std::string Bilateral(absl::string_view options) {
  return absl::StrCat(
      "calculator: 'BilateralFilterCalculator' input_stream: 'IMAGE:in' "
      "output_stream: 'IMAGE:out' "
      "options { [syncline.BilateralFilterCalculatorOptions.ext] { ",
      options, " } }");
}

TEST(BilateralFilterTest, SmoothsNoiseAndKeepsEdges) {
  auto frame = std::make_unique<ImageFrame>(ImageFormat::GRAY8, 16, 16);
  cv::Mat view = formats::MatView(frame.get());
  view.setTo(50);
  view.at<std::uint8_t>(8, 4) = 58;
  view.colRange(8, 16).setTo(200);
  const Packet smooth =
      RunOne(Bilateral("sigma_color: 20 sigma_space: 3"), "IMAGE",
             Adopt(frame.release()).At(Timestamp(5)), "IMAGE");
  EXPECT_LT(Pixel(smooth, 4, 8)[0], 54);
  EXPECT_NEAR(Pixel(smooth, 7, 8)[0], 50, 2);
  EXPECT_NEAR(Pixel(smooth, 8, 8)[0], 200, 2);
}

// Two pixels away, not three.
TEST(BilateralFilterTest, ReachesAsFarAsSigmaSpace) {
  auto frame = std::make_unique<ImageFrame>(ImageFormat::GRAY8, 9, 1);
  cv::Mat view = formats::MatView(frame.get());
  view.setTo(0);
  view.colRange(4, 9).setTo(200);
  const Packet smooth =
      RunOne(Bilateral("sigma_color: 500 sigma_space: 2"), "IMAGE",
             Adopt(frame.release()).At(Timestamp(5)), "IMAGE");
  EXPECT_EQ(GrayRows(smooth), std::vector<std::vector<int>>(
                                  {{0, 0, 11, 57, 143, 189, 200, 200, 200}}));
}

TEST(BilateralFilterTest, RefusesOptionsOutOfRange) {
  for (const char* const options :
       {"", "sigma_color: 10", "sigma_color: -1 sigma_space: 3",
        "sigma_color: 10 sigma_space: 1e9", "sigma_color: nan sigma_space: 3",
        "sigma_color: inf sigma_space: inf"}) {
    absl::Status status;
    RunOne(Bilateral(options), "IMAGE", Filled(ImageFormat::GRAY8, 7), "IMAGE",
           &status);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << options;
  }
}

// --- Colours

TEST(ColorConvertTest, ConvertsEveryPair) {
  const struct {
    const char* name;
    ImageFormat::Format format;
    cv::Scalar color;
    std::vector<int> pixel;
  } kColors[] = {
      {"RGB", ImageFormat::SRGB, {40, 40, 40}, {40, 40, 40}},
      {"RGBA", ImageFormat::SRGBA, {40, 40, 40, 255}, {40, 40, 40, 255}},
      {"BGRA", ImageFormat::SBGRA, {40, 40, 40, 255}, {40, 40, 40, 255}},
      {"GRAY", ImageFormat::GRAY8, {40}, {40}},
  };
  for (const auto& from : kColors) {
    for (const auto& to : kColors) {
      const Packet result = RunOne(
          absl::StrCat("calculator: 'ColorConvertCalculator' input_stream: '",
                       from.name, "_IN:in' output_stream: '", to.name,
                       "_OUT:out'"),
          absl::StrCat(from.name, "_IN"), Filled(from.format, from.color),
          absl::StrCat(to.name, "_OUT"));
      EXPECT_EQ(FrameOf(result).Format(), to.format);
      EXPECT_EQ(Pixel(result, 3, 3), to.pixel) << from.name << to.name;
    }
  }
  const Packet blue = RunOne(
      "calculator: 'ColorConvertCalculator' input_stream: 'RGB_IN:in' "
      "output_stream: 'BGRA_OUT:out'",
      "RGB_IN", Filled(ImageFormat::SRGB, cv::Scalar(1, 2, 3)), "BGRA_OUT");
  EXPECT_THAT(Pixel(blue, 0, 0), ElementsAre(3, 2, 1, 255));
}

TEST(ColorConvertTest, AFrameThatStaysAsItIsIsNotCopied) {
  const Packet frame = Filled(ImageFormat::SRGB, 7);
  EXPECT_EQ(
      FrameOf(RunOne("calculator: 'ColorConvertCalculator' "
                     "input_stream: 'RGB_IN:in' output_stream: 'RGB_OUT:out'",
                     "RGB_IN", frame, "RGB_OUT"))
          .PixelData(),
      FrameOf(frame).PixelData());
}

TEST(ColorConvertTest, AsksForOneOfEach) {
  for (const char* const ports :
       {"input_stream: 'RGB_IN:a'", "output_stream: 'RGB_OUT:a'",
        "input_stream: 'RGB_IN:a' input_stream: 'GRAY_IN:b' "
        "output_stream: 'RGBA_OUT:c'"}) {
    EXPECT_THAT(
        std::string(CalculatorHarness(
                        absl::string_view(absl::StrCat(
                            "calculator: 'ColorConvertCalculator' ", ports)))
                        .Run()
                        .message()),
        HasSubstr("one input"));
  }
  absl::Status status;
  RunOne(
      "calculator: 'ColorConvertCalculator' input_stream: 'RGB_IN:in' "
      "output_stream: 'GRAY_OUT:out'",
      "RGB_IN", Filled(ImageFormat::GRAY8, 7), "GRAY_OUT", &status);
  EXPECT_THAT(std::string(status.message()), HasSubstr("GRAY8"));
}

TEST(SetAlphaTest, IsThatOfTheOptionOrOfTheInput) {
  const std::string node =
      "calculator: 'SetAlphaCalculator' input_stream: 'IMAGE:in' "
      "output_stream: 'IMAGE:out' ";
  const std::string option =
      "options { [syncline.SetAlphaCalculatorOptions.ext] { alpha_value: 7 } }";
  for (const auto format : {ImageFormat::SRGB, ImageFormat::SRGBA}) {
    EXPECT_THAT(Pixel(RunOne(node + option, "IMAGE",
                             Filled(format, cv::Scalar(1, 2, 3, 4)), "IMAGE"),
                      0, 0),
                ElementsAre(1, 2, 3, 7));
  }
  CalculatorHarness harness(
      absl::string_view(node + "input_stream: 'ALPHA:alpha'"));
  harness.Feed(
      "IMAGE",
      {Filled(ImageFormat::SRGB, cv::Scalar(1, 2, 3)),
       Filled(ImageFormat::SRGB, cv::Scalar(1, 2, 3)).At(Timestamp(6))});
  harness.Feed("ALPHA", {Filled(ImageFormat::GRAY8, 9)});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(Pixel(harness.Output("IMAGE")[0], 7, 5), ElementsAre(1, 2, 3, 9));
  EXPECT_THAT(Pixel(harness.Output("IMAGE")[1], 7, 5),
              ElementsAre(1, 2, 3, 255));
  for (const std::string& bad :
       {node, node + "input_stream: 'ALPHA:alpha' " + option,
        node + "options { [syncline.SetAlphaCalculatorOptions.ext] { "
               "alpha_value: 256 } }"}) {
    EXPECT_EQ(CalculatorHarness(absl::string_view(bad)).Run().code(),
              absl::StatusCode::kInvalidArgument);
  }
  CalculatorHarness sizes(
      absl::string_view(node + "input_stream: 'ALPHA:alpha'"));
  sizes.Feed("IMAGE", {Filled(ImageFormat::SRGB, 1)});
  sizes.Feed("ALPHA", {Filled(ImageFormat::GRAY8, 9, 3, 3)});
  EXPECT_THAT(std::string(sizes.Run().message()), HasSubstr("3x3"));
}

// --- Files in memory

std::string Jpeg(const Packet& frame, absl::string_view options = "") {
  const Packet result = RunOne(
      absl::StrCat(
          "calculator: 'OpenCvImageEncoderCalculator' input_stream: 'in' "
          "output_stream: 'out' "
          "options { [syncline.OpenCvImageEncoderCalculatorOptions.ext] { ",
          options, " } }"),
      "", frame, "");
  const auto& file = result.Get<OpenCvImageEncoderCalculatorResults>();
  EXPECT_EQ(file.width(), FrameOf(frame).Width());
  EXPECT_EQ(file.height(), FrameOf(frame).Height());
  EXPECT_EQ(file.colorspace(),
            FrameOf(frame).Format() == ImageFormat::GRAY8
                ? OpenCvImageEncoderCalculatorResults::GRAYSCALE
                : OpenCvImageEncoderCalculatorResults::RGB);
  return file.encoded_image();
}

constexpr char kDecode[] =
    "calculator: 'OpenCvEncodedImageToImageFrameCalculator' "
    "input_stream: 'in' output_stream: 'out' ";

Packet Decoded(const std::string& file, absl::Status* status = nullptr,
               absl::string_view options = "") {
  return RunOne(absl::StrCat(kDecode, options), "",
                MakePacket<std::string>(file).At(Timestamp(5)), "", status);
}

TEST(ImageFileTest, AJpegComesBack) {
  for (const auto format :
       {ImageFormat::GRAY8, ImageFormat::SRGB, ImageFormat::SRGBA}) {
    const Packet frame = Decoded(
        Jpeg(Filled(format, cv::Scalar(200, 100, 50, 255)), "quality: 100"));
    EXPECT_EQ(FrameOf(frame).Format(), format == ImageFormat::GRAY8
                                           ? ImageFormat::GRAY8
                                           : ImageFormat::SRGB);
    EXPECT_NEAR(Pixel(frame, 4, 4)[0], 200, 3);
    if (format != ImageFormat::GRAY8) {
      EXPECT_NEAR(Pixel(frame, 4, 4)[2], 50, 3);
    }
  }
}

TEST(ImageFileTest, QualityCosts) {
  const Packet frame = ClipFrame(5, Timestamp(5), {.width = 8, .height = 6});
  EXPECT_GT(Jpeg(frame, "quality: 100").size(),
            Jpeg(frame, "quality: 5").size());
  EXPECT_EQ(
      CalculatorHarness("calculator: 'OpenCvImageEncoderCalculator' "
                        "input_stream: 'in' output_stream: 'out' options { "
                        "[syncline.OpenCvImageEncoderCalculatorOptions.ext] { "
                        "quality: 101 } }")
          .Run()
          .code(),
      absl::StatusCode::kInvalidArgument);
}

TEST(ImageFileTest, BytesThatAreNoImageAreAnError) {
  const std::string jpeg = Jpeg(Filled(ImageFormat::GRAY8, 9));
  for (const std::string& bytes :
       {std::string(), std::string("x"), std::string(1000, '\0'),
        jpeg.substr(0, 20)}) {
    absl::Status status;
    Decoded(bytes, &status);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()),
                HasSubstr(absl::StrCat(bytes.size(), " bytes")));
  }
  // Any damage to the bytes gives a frame or an error.
  for (std::size_t i = 0; i < jpeg.size(); i += 3) {
    std::string damaged = jpeg;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x5A);
    absl::Status status;
    Decoded(damaged, &status);
  }
}

// OpenCV would fill the missing part with any pixels.
TEST(ImageFileTest, AJpegThatWasCutOffIsAnError) {
  const std::string jpeg = Jpeg(
      ClipFrame(5, Timestamp(5), {.width = 8, .height = 6}), "quality: 90");
  // A segment may contain an end marker, as in a thumbnail.
  const std::string with_thumbnail =
      absl::StrCat(jpeg.substr(0, 2), "\xFF\xE1", std::string("\0\x06", 2),
                   "\xFF\xD8", "\xFF\xD9", jpeg.substr(2));
  for (const std::string& whole : {jpeg, with_thumbnail}) {
    EXPECT_FALSE(HasNoJpegEnd(whole));
    EXPECT_FALSE(HasNoJpegEnd(absl::StrCat(whole, "behind the end")));
    for (std::size_t size = 3; size < whole.size(); ++size) {
      EXPECT_TRUE(HasNoJpegEnd(whole.substr(0, size))) << size;
    }
    SYNCLINE_EXPECT_OK(DecodeImage(whole, cv::IMREAD_UNCHANGED).status());
    absl::Status status;
    Decoded(whole.substr(0, whole.size() - 3), &status);
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
    EXPECT_THAT(std::string(status.message()),
                AllOf(HasSubstr("cut off"), HasSubstr("8x6")));
    SYNCLINE_EXPECT_OK(DecodeImage(whole.substr(0, whole.size() - 3),
                                   cv::IMREAD_UNCHANGED,
                                   /*allow_truncated=*/true)
                           .status());
  }
  // Other formats are not checked for an end marker.
  EXPECT_FALSE(HasNoJpegEnd(""));
  EXPECT_FALSE(HasNoJpegEnd("\xFF\xD8"));
  EXPECT_FALSE(HasNoJpegEnd("\x89PNG"));
}

// Some cameras leave out the end marker.
TEST(ImageFileTest, AJpegWithAllItsPixelsNeedsNoEnd) {
  const Packet frame = ClipFrame(5, Timestamp(5), {.width = 37, .height = 29});
  const Packet gray = ClipFrame(5, Timestamp(5), {.width = 37, .height = 29},
                                ImageFormat::GRAY8);
  cv::Mat noise(29, 37, CV_8UC3);
  cv::randu(noise, 0, 255);
  std::vector<std::uint8_t> with_restarts;
  ASSERT_TRUE(cv::imencode(".jpg", noise, with_restarts,
                           {cv::IMWRITE_JPEG_RST_INTERVAL, 1}));
  for (const std::string& whole :
       {Jpeg(frame, "quality: 90"), Jpeg(gray, "quality: 90"),
        std::string(with_restarts.begin(), with_restarts.end())}) {
    SYNCLINE_ASSERT_OK_AND_ASSIGN(const cv::Mat pixels,
                                  DecodeImage(whole, cv::IMREAD_UNCHANGED));
    absl::Status status;
    // Without the end marker, and with half of it.
    for (const std::size_t missing : {2, 1}) {
      Decoded(whole.substr(0, whole.size() - missing), &status);
      SYNCLINE_EXPECT_OK(status);
    }
    // Every file that is accepted has all of its pixels.
    int refused = 0;
    for (std::size_t size = 3; size < whole.size() - 2; ++size) {
      const absl::StatusOr<cv::Mat> part =
          DecodeImage(whole.substr(0, size), cv::IMREAD_UNCHANGED);
      if (!part.ok()) {
        ++refused;
      } else {
        EXPECT_EQ(cv::norm(*part, pixels, cv::NORM_INF), 0) << size;
      }
    }
    EXPECT_GT(refused, static_cast<int>(whole.size()) - 10);
  }
}

TEST(ImageFileTest, AProgressiveJpegWithoutItsEndIsAnError) {
  cv::Mat noise(29, 37, CV_8UC3);
  cv::randu(noise, 0, 255);
  std::vector<std::uint8_t> bytes;
  ASSERT_TRUE(
      cv::imencode(".jpg", noise, bytes, {cv::IMWRITE_JPEG_PROGRESSIVE, 1}));
  EXPECT_FALSE(DecodeImage(std::string(bytes.begin(), bytes.end() - 2),
                           cv::IMREAD_UNCHANGED)
                   .ok());
}

// A BMP whose header claims a size that it does not have.
TEST(ImageFileTest, AHugeClaimIsAnError) {
  std::string bmp = "BM";
  const auto add = [&bmp](std::uint32_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) {
      bmp += static_cast<char>(value >> (8 * i) & 0xFF);
    }
  };
  for (const std::uint32_t value : {70u, 0u, 54u, 40u, 1000000u, 1000000u}) {
    add(value, 4);
  }
  add(1, 2);
  add(24, 2);
  for (int i = 0; i < 6; ++i) add(0, 4);
  bmp += std::string(100, 'x');
  absl::Status status;
  Decoded(bmp, &status);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
}

// --- Cropping

std::string Crop(absl::string_view ports, absl::string_view options = "") {
  return absl::StrCat(
      "calculator: 'ImageCroppingCalculator' input_stream: 'IMAGE:in' "
      "output_stream: 'IMAGE:out' ",
      ports, " options { [syncline.ImageCroppingCalculatorOptions.ext] { ",
      options, " } }");
}

// The value of a pixel is 10 x + y.
Packet Ramp() {
  auto frame = std::make_unique<ImageFrame>(ImageFormat::GRAY8, 8, 6);
  cv::Mat view = formats::MatView(frame.get());
  for (int y = 0; y < 6; ++y) {
    for (int x = 0; x < 8; ++x) {
      view.at<std::uint8_t>(y, x) = static_cast<std::uint8_t>(10 * x + y);
    }
  }
  return Adopt(frame.release()).At(Timestamp(5));
}

template <typename R>
R MakeRect(double x, double y, double width, double height,
           double rotation = 0) {
  R rect;
  rect.set_x_center(x);
  rect.set_y_center(y);
  rect.set_width(width);
  rect.set_height(height);
  rect.set_rotation(static_cast<float>(rotation));
  return rect;
}

template <typename R>
absl::Status CropBy(const char* tag, const R& rect, Packet& result,
                    absl::string_view options = "") {
  CalculatorHarness harness{absl::string_view(
      Crop(absl::StrCat("input_stream: '", tag, ":rect'"), options))};
  harness.Feed("IMAGE", {Ramp()});
  harness.Feed(tag, {MakePacket<R>(rect).At(Timestamp(5))});
  SYNCLINE_RETURN_IF_ERROR(harness.Run());
  result = harness.Output("IMAGE").at(0);
  return absl::OkStatus();
}

TEST(ImageCroppingTest, CutsThePixelsOfTheRectangle) {
  using Rows = std::vector<std::vector<int>>;
  const Rows rows = {{21, 31}, {22, 32}};
  Packet result;
  SYNCLINE_ASSERT_OK(CropBy("RECT", MakeRect<Rect>(3, 2, 2, 2), result));
  EXPECT_EQ(GrayRows(result), rows);
  SYNCLINE_ASSERT_OK(
      CropBy("NORM_RECT",
             MakeRect<NormalizedRect>(3 / 8., 2 / 6., 2 / 8., 2 / 6.), result));
  EXPECT_EQ(GrayRows(result), rows);
  // The rectangle is turned clockwise by a quarter: its top is what was on its
  // right.
  SYNCLINE_ASSERT_OK(
      CropBy("RECT", MakeRect<Rect>(3, 2, 2, 2, M_PI / 2), result));
  EXPECT_EQ(GrayRows(result), Rows({{31, 32}, {21, 22}}));
}

TEST(ImageCroppingTest, IsBlackOrAsTheEdgeOutside) {
  using Rows = std::vector<std::vector<int>>;
  Packet result;
  SYNCLINE_ASSERT_OK(CropBy("RECT", MakeRect<Rect>(8, 1, 4, 2), result));
  EXPECT_EQ(GrayRows(result), Rows({{60, 70, 0, 0}, {61, 71, 0, 0}}));
  SYNCLINE_ASSERT_OK(CropBy("RECT", MakeRect<Rect>(8, 1, 4, 2), result,
                            "border_mode: BORDER_REPLICATE"));
  EXPECT_EQ(GrayRows(result), Rows({{60, 70, 70, 70}, {61, 71, 71, 71}}));
}

TEST(ImageCroppingTest, IsNoLargerThanAskedFor) {
  Packet result;
  SYNCLINE_ASSERT_OK(CropBy("RECT", MakeRect<Rect>(4, 3, 8, 6), result,
                            "output_max_width: 4 output_max_height: 5"));
  EXPECT_EQ(FrameOf(result).Width(), 4);
  EXPECT_EQ(FrameOf(result).Height(), 3);
  // The middles of the pixels are at 1, 3, 5 and 7.
  EXPECT_EQ(GrayRows(result)[0], (std::vector<int>{11, 31, 51, 71}));
  // 5/6 of 8 is 6.67.
  SYNCLINE_ASSERT_OK(CropBy("RECT", MakeRect<Rect>(4, 3, 8, 6), result,
                            "output_max_height: 5"));
  EXPECT_EQ(FrameOf(result).Width(), 6);
  EXPECT_EQ(FrameOf(result).Height(), 5);
}

TEST(ImageCroppingTest, CutsAroundTheMiddleUnlessBothCentresAreSet) {
  using Rows = std::vector<std::vector<int>>;
  const auto rows = [](absl::string_view options) {
    return GrayRows(RunOne(Crop("", options), "IMAGE", Ramp(), "IMAGE"));
  };
  const Rows middle = {{32, 42}, {33, 43}};
  EXPECT_EQ(rows("width: 2 height: 2"), middle);
  EXPECT_EQ(rows("norm_width: 0.25 norm_height: 0.34"), middle);
  EXPECT_EQ(rows("width: 2 height: 2 norm_center_x: 0.25"), middle);
  EXPECT_EQ(rows("width: 2 height: 2 norm_center_y: 0.25"), middle);
  EXPECT_EQ(rows("width: 2 height: 2 norm_center_x: 0.25 norm_center_y: 0.34"),
            Rows({{11, 21}, {12, 22}}));
}

TEST(ImageCroppingTest, RoundsToWholePixelsAndDoesNotMixThem) {
  using Rows = std::vector<std::vector<int>>;
  Packet result;
  // 2.4 x 2.4 pixels around 3.2, 1.8.
  SYNCLINE_ASSERT_OK(CropBy(
      "NORM_RECT", MakeRect<NormalizedRect>(0.4, 0.3, 0.3, 0.4), result));
  EXPECT_EQ(GrayRows(result), Rows({{21, 31}, {22, 32}}));
  // 0.4 pixels are one.
  SYNCLINE_ASSERT_OK(CropBy(
      "NORM_RECT", MakeRect<NormalizedRect>(0.4, 0.3, 0.05, 0.05), result));
  EXPECT_EQ(GrayRows(result), Rows({{32}}));
  // Three columns, turned by half.
  SYNCLINE_ASSERT_OK(CropBy("RECT", MakeRect<Rect>(4, 3, 3, 1, M_PI), result));
  EXPECT_EQ(GrayRows(result), Rows({{53, 43, 33}}));
}

// With a rectangle that is not valid, the options do not count either.
TEST(ImageCroppingTest, WithoutARectangleSendsTheWholeFrame) {
  const auto whole = GrayRows(Ramp());
  EXPECT_EQ(GrayRows(RunOne(Crop(""), "IMAGE", Ramp(), "IMAGE")), whole);
  EXPECT_EQ(GrayRows(RunOne(Crop("", "width: 3"), "IMAGE", Ramp(), "IMAGE")),
            whole);
  const char* const options = "width: 2 height: 2 rotation: 1";
  for (const auto& [width, height] :
       {std::pair(0, 0), std::pair(0, 2), std::pair(2, -2)}) {
    Packet result;
    SYNCLINE_ASSERT_OK(CropBy("RECT", MakeRect<Rect>(1, 1, width, height, 1),
                              result, options));
    EXPECT_EQ(GrayRows(result), whole);
    SYNCLINE_ASSERT_OK(CropBy(
        "NORM_RECT", MakeRect<NormalizedRect>(0.1, 0.1, width, height, 1),
        result, options));
    EXPECT_EQ(GrayRows(result), whole);
  }
}

TEST(ImageCroppingTest, TakesItsSizeFromStreamsOrOptions) {
  CalculatorHarness harness{absl::string_view(
      Crop("input_stream: 'WIDTH:w' input_stream: 'HEIGHT:h'"))};
  harness.Feed("IMAGE", {Ramp(), Ramp().At(Timestamp(6))});
  harness.Feed("WIDTH", {MakePacket<int>(2).At(Timestamp(5))});
  harness.Feed("HEIGHT", {MakePacket<int>(4).At(Timestamp(5))});
  SYNCLINE_ASSERT_OK(harness.Run());
  ASSERT_EQ(harness.Output("IMAGE").size(), 1u);
  EXPECT_EQ(GrayRows(harness.Output("IMAGE")[0])[0],
            (std::vector<int>{31, 41}));
  const Packet cut =
      RunOne(Crop("",
                  "norm_center_x: 0.5 norm_center_y: 0.5 norm_width: 0.25 "
                  "norm_height: 0.6667"),
             "IMAGE", Ramp(), "IMAGE");
  EXPECT_EQ(FrameOf(cut).Width(), 2);
  EXPECT_EQ(FrameOf(cut).Height(), 4);
}

TEST(ImageCroppingTest, RefusesWhatCannotBe) {
  Packet result;
  for (const auto& rect :
       {MakeRect<Rect>(3, 2, 40000, 2), MakeRect<Rect>(2e9, 2, 2, 2),
        MakeRect<Rect>(3, 2, 2, 2, NAN)}) {
    EXPECT_EQ(CropBy("RECT", rect, result).code(),
              absl::StatusCode::kInvalidArgument);
  }
  EXPECT_FALSE(
      CropBy("NORM_RECT", MakeRect<NormalizedRect>(NAN, 0, 1, 1), result).ok());
  EXPECT_FALSE(
      CropBy("NORM_RECT", MakeRect<NormalizedRect>(0, 0, 1, INFINITY), result)
          .ok());
  for (const std::string& node :
       {Crop("input_stream: 'WIDTH:w'"),
        Crop("input_stream: 'RECT:r' input_stream: 'NORM_RECT:n'"),
        Crop("", "width: 4 height: -4"),
        Crop("input_stream: 'RECT:r'", "output_max_width: 0")}) {
    EXPECT_EQ(CalculatorHarness(absl::string_view(node)).Run().code(),
              absl::StatusCode::kInvalidArgument)
        << node;
  }
}

}  // namespace
}  // namespace syncline
