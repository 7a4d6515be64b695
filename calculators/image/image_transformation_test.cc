// Turning, flipping, scaling and padding, pixel by pixel on small frames; and
// the calculator that does it.

#include "calculators/image/image_transformation.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "calculators/image/opencv_frames.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/image_frame_opencv.h"
#include "framework/formats/video_stream_header.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gpu/scale_mode.pb.h"
#include "gtest/gtest.h"
#include "opencv2/core.hpp"
#include "testing/calculator_harness.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatEq;
using ::testing::HasSubstr;

using Rows = std::vector<std::vector<int>>;

std::unique_ptr<ImageFrame> Gray(const Rows& rows) {
  auto frame = std::make_unique<ImageFrame>(ImageFormat::GRAY8,
                                            static_cast<int>(rows[0].size()),
                                            static_cast<int>(rows.size()));
  cv::Mat view = formats::MatView(frame.get());
  for (int y = 0; y < view.rows; ++y) {
    for (int x = 0; x < view.cols; ++x) {
      view.at<std::uint8_t>(y, x) = static_cast<std::uint8_t>(rows[y][x]);
    }
  }
  return frame;
}

Rows RowsOf(const ImageFrame& frame) {
  const cv::Mat view = formats::MatView(&frame);
  Rows rows(view.rows);
  for (int y = 0; y < view.rows; ++y) {
    for (int x = 0; x < view.cols; ++x) {
      rows[y].push_back(view.at<std::uint8_t>(y, x));
    }
  }
  return rows;
}

Rows Transformed(const Rows& rows, const Transformation& transformation) {
  const auto result = Transform(*Gray(rows), transformation);
  SYNCLINE_EXPECT_OK(result.status());
  return result.ok() ? RowsOf(**result) : Rows();
}

// 1 2 3
// 4 5 6
const Rows kSix = {{1, 2, 3}, {4, 5, 6}};

TEST(TransformTest, TurnsCounterclockwise) {
  EXPECT_EQ(Transformed(kSix, {.degrees = 0}), kSix);
  EXPECT_EQ(Transformed(kSix, {.degrees = 90}), Rows({{3, 6}, {2, 5}, {1, 4}}));
  EXPECT_EQ(Transformed(kSix, {.degrees = 180}), Rows({{6, 5, 4}, {3, 2, 1}}));
  EXPECT_EQ(Transformed(kSix, {.degrees = 270}),
            Rows({{4, 1}, {5, 2}, {6, 3}}));
  EXPECT_EQ(Transformed(kSix, {.degrees = -90}),
            Transformed(kSix, {.degrees = 270}));
  EXPECT_EQ(Transformed(kSix, {.degrees = 450}),
            Transformed(kSix, {.degrees = 90}));
}

TEST(TransformTest, FlipsAfterTurning) {
  EXPECT_EQ(Transformed(kSix, {.flips_vertically = true}),
            Rows({{4, 5, 6}, {1, 2, 3}}));
  EXPECT_EQ(Transformed(kSix, {.flips_horizontally = true}),
            Rows({{3, 2, 1}, {6, 5, 4}}));
  EXPECT_EQ(Transformed(kSix, {.degrees = 90, .flips_vertically = true}),
            Rows({{1, 4}, {2, 5}, {3, 6}}));
  EXPECT_EQ(Transformed(kSix, {.degrees = 180,
                               .flips_vertically = true,
                               .flips_horizontally = true}),
            kSix);
}

// The places of pixels do not depend on the size of the frame.
TEST(TransformTest, ScalesWhatIsTurnedAndFlipped) {
  for (const int degrees : {0, 90, 180, 270}) {
    for (const bool flips : {false, true}) {
      const Rows small =
          Transformed(kSix, {.degrees = degrees, .flips_horizontally = flips});
      Transformation twice{.width = static_cast<int>(small[0].size()) * 2,
                           .height = static_cast<int>(small.size()) * 2,
                           .degrees = degrees,
                           .flips_horizontally = flips};
      twice.interpolation = ImageTransformationCalculatorOptions::NEAREST;
      const Rows large = Transformed(kSix, twice);
      ASSERT_EQ(large.size(), small.size() * 2);
      for (std::size_t y = 0; y < large.size(); ++y) {
        ASSERT_EQ(large[y].size(), small[0].size() * 2);
        for (std::size_t x = 0; x < large[y].size(); ++x) {
          EXPECT_EQ(large[y][x], small[y / 2][x / 2]) << degrees << flips;
        }
      }
    }
  }
}

TEST(TransformTest, StretchesToTheSizeThatIsAskedFor) {
  EXPECT_EQ(Transformed({{0, 0, 100, 100}, {0, 0, 100, 100}},
                        {.width = 2, .height = 1}),
            Rows({{0, 100}}));
}

// Otherwise a pixel is between its neighbours.
TEST(TransformTest, StretchingTakesMeansOnlyIfBothSidesGetSmaller) {
  const Rows peak = {{0, 0, 88, 0}, {0, 0, 88, 0}};
  EXPECT_EQ(Transformed(peak, {.width = 1, .height = 1}), Rows({{22}}));
  EXPECT_EQ(Transformed(peak, {.width = 1, .height = 2}), Rows({{44}, {44}}));
  EXPECT_EQ(Transformed(peak, {.width = 1, .height = 2, .degrees = 180}),
            Rows({{44}, {44}}));
  EXPECT_EQ(
      Transformed({{0, 0, 88, 0}},
                  {.width = 1, .height = 1, .scale_mode = ScaleMode::FIT}),
      Rows({{22}}));
}

TEST(TransformTest, FitsAndPads) {
  Transformation fit{.width = 4, .height = 4, .scale_mode = ScaleMode::FIT};
  EXPECT_EQ(
      Transformed({{10, 10}, {10, 10}, {10, 10}, {10, 10}}, fit),
      Rows({{0, 10, 10, 0}, {0, 10, 10, 0}, {0, 10, 10, 0}, {0, 10, 10, 0}}));
  fit.padding = cv::Scalar(255, 255, 255, 255);
  EXPECT_EQ(Transformed({{10, 10, 10, 10}, {20, 20, 20, 20}}, fit),
            Rows({{255, 255, 255, 255},
                  {10, 10, 10, 10},
                  {20, 20, 20, 20},
                  {255, 255, 255, 255}}));
  fit.pads_with_edge = true;
  EXPECT_EQ(Transformed({{10, 10, 10, 10}, {20, 20, 20, 20}}, fit),
            Rows({{10, 10, 10, 10},
                  {10, 10, 10, 10},
                  {20, 20, 20, 20},
                  {20, 20, 20, 20}}));
}

TEST(TransformTest, FillsAndCrops) {
  EXPECT_EQ(
      Transformed(
          {{1, 2, 3, 4}, {5, 6, 7, 8}},
          {.width = 2, .height = 2, .scale_mode = ScaleMode::FILL_AND_CROP}),
      Rows({{2, 3}, {6, 7}}));
  // After turning, the frame is cropped around its middle.
  EXPECT_EQ(Transformed({{1, 2, 3, 4}, {5, 6, 7, 8}},
                        {.width = 2,
                         .height = 2,
                         .degrees = 90,
                         .scale_mode = ScaleMode::FILL_AND_CROP}),
            Rows({{3, 7}, {2, 6}}));
}

TEST(TransformTest, ExtremeShapesCostNoMoreThanTheirOutput) {
  ImageFrame line(ImageFormat::GRAY8, 30000, 1);
  line.SetToZero();
  for (const auto mode :
       {ScaleMode::STRETCH, ScaleMode::FIT, ScaleMode::FILL_AND_CROP}) {
    const auto result =
        Transform(line, {.width = 10, .height = 1000, .scale_mode = mode});
    SYNCLINE_ASSERT_OK(result.status());
    EXPECT_EQ((*result)->Width(), 10);
    EXPECT_EQ((*result)->Height(), 1000);
  }
}

TEST(TransformTest, TakesEveryFormatAndPadsInItsColours) {
  for (const auto format :
       {ImageFormat::SRGB, ImageFormat::SRGBA, ImageFormat::SBGRA,
        ImageFormat::SRGB48, ImageFormat::VEC32F4}) {
    ImageFrame frame(format, 2, 4);
    frame.SetToZero();
    const auto result =
        Transform(frame, {.width = 4,
                          .height = 4,
                          .scale_mode = ScaleMode::FIT,
                          .padding = cv::Scalar(255, 0, 51, 255)});
    SYNCLINE_ASSERT_OK(result.status());
    const cv::Mat view = formats::MatView(result->get());
    const cv::Scalar corner = cv::mean(view(cv::Rect(0, 0, 1, 1)));
    const double most = format == ImageFormat::SRGB48    ? 65535
                        : format == ImageFormat::VEC32F4 ? 1
                                                         : 255;
    const bool is_blue_first = format == ImageFormat::SBGRA;
    EXPECT_NEAR(corner[is_blue_first ? 2 : 0], most, 1e-6) << format;
    EXPECT_NEAR(corner[1], 0, 1e-6) << format;
    EXPECT_NEAR(corner[is_blue_first ? 0 : 2], most / 5, 1e-6) << format;
  }
}

TEST(TransformTest, SaysWhatIsWrong) {
  const auto frame = Gray(kSix);
  EXPECT_THAT(
      std::string(Transform(*frame, {.degrees = 45}).status().message()),
      HasSubstr("45"));
  EXPECT_FALSE(Transform(*frame, {.width = 5}).ok());
  EXPECT_FALSE(Transform(*frame, {.width = -5, .height = -5}).ok());
  EXPECT_FALSE(Transform(*frame, {.width = 1 << 20, .height = 1 << 20}).ok());
  EXPECT_FALSE(Transform(ImageFrame(), {}).ok());
}

// --- Where points go

std::pair<float, float> Apply(const std::array<float, 16>& matrix, float x,
                              float y) {
  return {matrix[0] * x + matrix[1] * y + matrix[3],
          matrix[4] * x + matrix[5] * y + matrix[7]};
}

// A bright pixel comes to the place that the matrix gives.
TEST(TransformationMatrixTest, TakesAPointToItsPlace) {
  for (const int degrees : {0, 90, 180, 270}) {
    for (const int flips : {0, 1, 2, 3}) {
      for (const auto mode :
           {ScaleMode::STRETCH, ScaleMode::FIT, ScaleMode::FILL_AND_CROP}) {
        Transformation transformation{.width = 64,
                                      .height = 48,
                                      .degrees = degrees,
                                      .flips_vertically = (flips & 1) != 0,
                                      .flips_horizontally = (flips & 2) != 0,
                                      .scale_mode = mode};
        auto frame = std::make_unique<ImageFrame>(ImageFormat::GRAY8, 40, 30);
        frame->SetToZero();
        formats::MatView(frame.get())(cv::Rect(22, 12, 2, 2)).setTo(255);
        const auto result = Transform(*frame, transformation);
        SYNCLINE_ASSERT_OK(result.status());
        cv::Point brightest;
        cv::minMaxLoc(formats::MatView(result->get()), nullptr, nullptr,
                      nullptr, &brightest);
        const auto [x, y] = Apply(
            TransformationMatrix(Place(40, 30, transformation), transformation),
            23.f / 40, 13.f / 30);
        EXPECT_NEAR(x * 64, brightest.x + 0.5, 2) << degrees << flips << mode;
        EXPECT_NEAR(y * 48, brightest.y + 0.5, 2) << degrees << flips << mode;
      }
    }
  }
}

std::array<float, 4> PaddingOf(int width, int height,
                               const Transformation& transformation) {
  return LetterboxPadding(Place(width, height, transformation),
                          transformation.scale_mode);
}

TEST(LetterboxPaddingTest, FollowsFromTheProportionsAlone) {
  const Transformation fit = {
      .width = 32, .height = 32, .scale_mode = ScaleMode::FIT};
  EXPECT_THAT(PaddingOf(20, 40, fit), ElementsAre(0.25f, 0, 0.25f, 0));
  // 21 rows of 32 are drawn, 5 above and 6 below are padded.
  EXPECT_THAT(PaddingOf(100, 66, fit),
              ElementsAre(0, FloatEq(0.17f), 0, FloatEq(0.17f)));
  Transformation turned = fit;
  turned.degrees = 90;
  EXPECT_THAT(PaddingOf(100, 66, turned),
              ElementsAre(FloatEq(0.17f), 0, FloatEq(0.17f), 0));
}

TEST(LetterboxPaddingTest, IsOnlyForFit) {
  for (const auto mode :
       {ScaleMode::DEFAULT, ScaleMode::STRETCH, ScaleMode::FILL_AND_CROP}) {
    EXPECT_THAT(
        PaddingOf(20, 40, {.width = 60, .height = 60, .scale_mode = mode}),
        ElementsAre(0, 0, 0, 0));
  }
}

// --- The calculator

std::string Node(absl::string_view ports, absl::string_view options) {
  return absl::StrCat(
      "calculator: 'ImageTransformationCalculator' input_stream: 'IMAGE:in' "
      "output_stream: 'IMAGE:out' ",
      ports, " options { [syncline.ImageTransformationCalculatorOptions.ext] {",
      options, "} }");
}

Packet GrayAt(const Rows& rows, int time) {
  return Adopt(Gray(rows).release()).At(Timestamp(time));
}

TEST(ImageTransformationCalculatorTest, DoesWhatTheOptionsSay) {
  CalculatorHarness harness(absl::string_view(
      Node("", "rotation_mode: ROTATION_90 flip_vertically: true")));
  harness.Feed("IMAGE", {GrayAt(kSix, 1), GrayAt(kSix, 2)});
  SYNCLINE_ASSERT_OK(harness.Run());
  ASSERT_EQ(harness.Output("IMAGE").size(), 2u);
  EXPECT_EQ(harness.Output("IMAGE")[1].Timestamp(), Timestamp(2));
  EXPECT_EQ(RowsOf(harness.Output("IMAGE")[1].Get<ImageFrame>()),
            Rows({{1, 4}, {2, 5}, {3, 6}}));
}

TEST(ImageTransformationCalculatorTest, AFrameThatStaysAsItIsIsNotCopied) {
  CalculatorHarness harness(
      absl::string_view(Node("", "output_width: 3 output_height: 2")));
  const Packet frame = GrayAt(kSix, 1);
  harness.Feed("IMAGE", {frame});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_EQ(harness.Output("IMAGE")[0].Get<ImageFrame>().PixelData(),
            frame.Get<ImageFrame>().PixelData());
}

TEST(ImageTransformationCalculatorTest, StreamsHoldUntilTheirNextPacket) {
  CalculatorHarness harness(
      absl::string_view(Node("input_stream: 'ROTATION_DEGREES:r' "
                             "input_stream: 'FLIP_HORIZONTALLY:f'",
                             "")));
  harness.Feed("IMAGE", {GrayAt(kSix, 1), GrayAt(kSix, 2), GrayAt(kSix, 3)});
  harness.Feed("ROTATION_DEGREES", {MakePacket<int>(180).At(Timestamp(2))});
  harness.Feed("FLIP_HORIZONTALLY", {MakePacket<bool>(true).At(Timestamp(3))});
  SYNCLINE_ASSERT_OK(harness.Run());
  ASSERT_EQ(harness.Output("IMAGE").size(), 3u);
  EXPECT_EQ(RowsOf(harness.Output("IMAGE")[0].Get<ImageFrame>()), kSix);
  EXPECT_EQ(RowsOf(harness.Output("IMAGE")[1].Get<ImageFrame>()),
            Rows({{6, 5, 4}, {3, 2, 1}}));
  EXPECT_EQ(RowsOf(harness.Output("IMAGE")[2].Get<ImageFrame>()),
            Rows({{4, 5, 6}, {1, 2, 3}}));
}

TEST(ImageTransformationCalculatorTest, SidePacketsGoBeforeOptions) {
  CalculatorHarness harness(absl::string_view(
      Node("input_side_packet: 'OUTPUT_DIMENSIONS:d' "
           "input_side_packet: 'ROTATION_DEGREES:r' "
           "input_stream: 'VIDEO_PRESTREAM:h' "
           "output_stream: 'VIDEO_PRESTREAM:i' "
           "output_stream: 'LETTERBOX_PADDING:p' output_stream: 'MATRIX:m'",
           "output_width: 7 output_height: 7 scale_mode: FIT")));
  harness.SetSidePacket("OUTPUT_DIMENSIONS",
                        MakePacket<std::pair<int, int>>(6, 3));
  harness.SetSidePacket("ROTATION_DEGREES", MakePacket<int>(90));
  VideoHeader header;
  header.width = 3;
  header.height = 2;
  header.frame_rate = 25;
  harness.Feed("VIDEO_PRESTREAM",
               {MakePacket<VideoHeader>(header).At(Timestamp::PreStream())});
  harness.Feed("IMAGE", {GrayAt(kSix, 1)});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_EQ(RowsOf(harness.Output("IMAGE")[0].Get<ImageFrame>()),
            Rows({{0, 0, 3, 6, 0, 0}, {0, 0, 2, 5, 0, 0}, {0, 0, 1, 4, 0, 0}}));
  const auto& sent = harness.Output("VIDEO_PRESTREAM")[0].Get<VideoHeader>();
  EXPECT_EQ(sent.width, 6);
  EXPECT_EQ(sent.height, 3);
  EXPECT_EQ(sent.frame_rate, 25);
  using Four = std::array<float, 4>;
  EXPECT_THAT(harness.Output("LETTERBOX_PADDING")[0].Get<Four>(),
              ElementsAre(FloatEq(2 / 6.f), 0, FloatEq(2 / 6.f), 0));
  EXPECT_EQ((harness.Output("MATRIX")[0].Get<std::array<float, 16>>()[15]), 1);
}

TEST(ImageTransformationCalculatorTest, RefusesWhatCannotBe) {
  for (const char* const options :
       {"output_width: 5", "output_width: -5 output_height: -5",
        "padding_color { red: 256 }", "padding_color { blue: -1 }"}) {
    EXPECT_EQ(
        CalculatorHarness(absl::string_view(Node("", options))).Run().code(),
        absl::StatusCode::kInvalidArgument)
        << options;
  }
  EXPECT_THAT(std::string(CalculatorHarness(
                              absl::string_view(Node(
                                  "output_stream: 'VIDEO_PRESTREAM:p'", "")))
                              .Run()
                              .message()),
              HasSubstr("VIDEO_PRESTREAM"));
  CalculatorHarness turned(
      absl::string_view(Node("input_stream: 'ROTATION_DEGREES:r'", "")));
  turned.Feed("IMAGE", {GrayAt(kSix, 1)});
  turned.Feed("ROTATION_DEGREES", {MakePacket<int>(5).At(Timestamp(1))});
  EXPECT_THAT(std::string(turned.Run().message()), HasSubstr("by 5"));
  CalculatorHarness empty(absl::string_view(Node("", "")));
  empty.Feed("IMAGE", {MakePacket<ImageFrame>().At(Timestamp(1))});
  EXPECT_THAT(std::string(empty.Run().message()), HasSubstr("no pixels"));
}

}  // namespace
}  // namespace syncline
