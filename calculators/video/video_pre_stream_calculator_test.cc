// VideoPreStreamCalculator makes the header of a video from its first frame.

#include <cmath>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/video_stream_header.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/calculator_harness.h"

namespace syncline {
namespace {

TEST(VideoPreStreamTest, HasTheSizeOfTheFirstFrameAndTheRateOfTheHeader) {
  CalculatorHarness harness(
      "calculator: 'VideoPreStreamCalculator' input_stream: 'FRAME:frames' "
      "input_stream: 'VIDEO_PRESTREAM:header' output_stream: 'new_header'");
  VideoHeader header;
  header.width = 640;
  header.height = 480;
  header.frame_rate = 25;
  header.duration = 3;
  harness.Feed("VIDEO_PRESTREAM",
               {MakePacket<VideoHeader>(header).At(Timestamp::PreStream())});
  harness.Feed(
      "FRAME",
      {MakePacket<ImageFrame>(ImageFormat::GRAY8, 8, 6).At(Timestamp(5)),
       MakePacket<ImageFrame>(ImageFormat::SRGB, 9, 7).At(Timestamp(6))});
  SYNCLINE_ASSERT_OK(harness.Run());
  ASSERT_EQ(harness.Output("").size(), 1u);
  EXPECT_EQ(harness.Output("")[0].Timestamp(), Timestamp::PreStream());
  const auto& sent = harness.Output("")[0].Get<VideoHeader>();
  EXPECT_EQ(sent.width, 8);
  EXPECT_EQ(sent.height, 6);
  EXPECT_EQ(sent.format, ImageFormat::GRAY8);
  EXPECT_EQ(sent.frame_rate, 25);
  EXPECT_EQ(sent.duration, 3);
}

TEST(VideoPreStreamTest, RefusesAHeaderWithoutARate) {
  for (const double rate : {0.0, -25.0, std::nan("")}) {
    CalculatorHarness harness(
        "calculator: 'VideoPreStreamCalculator' input_stream: 'FRAME:frames' "
        "input_stream: 'VIDEO_PRESTREAM:header' output_stream: 'new_header'");
    VideoHeader header;
    header.frame_rate = rate;
    harness.Feed("VIDEO_PRESTREAM",
                 {MakePacket<VideoHeader>(header).At(Timestamp::PreStream())});
    EXPECT_THAT(harness.Run(),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         testing::HasSubstr("a rate is above 0")))
        << rate;
  }
}

absl::Status RunPreStream(absl::string_view fps, double& rate) {
  CalculatorHarness harness(absl::string_view(absl::StrCat(
      "calculator: 'VideoPreStreamCalculator' input_stream: 'frames' "
      "output_stream: 'header' "
      "options { [syncline.VideoPreStreamCalculatorOptions.ext] { ",
      fps, " } }")));
  harness.Feed(
      "", {MakePacket<ImageFrame>(ImageFormat::GRAY8, 8, 6).At(Timestamp(5))});
  SYNCLINE_RETURN_IF_ERROR(harness.Run());
  rate = harness.Output("").at(0).Get<VideoHeader>().frame_rate;
  return absl::OkStatus();
}

TEST(VideoPreStreamTest, HasTheRateOfTheOptionWithoutAHeader) {
  double rate = 0;
  SYNCLINE_EXPECT_OK(RunPreStream("fps { value: 12.5 }", rate));
  EXPECT_EQ(rate, 12.5);
  SYNCLINE_EXPECT_OK(RunPreStream(
      "fps { ratio { numerator: 30000 denominator: 1001 } }", rate));
  EXPECT_DOUBLE_EQ(rate, 30000.0 / 1001);
  for (const char* const fps :
       {"", "fps { }", "fps { value: 0 }", "fps { value: nan }",
        "fps { ratio { numerator: 1 } }",
        "fps { ratio { numerator: -1 denominator: 1 } }"}) {
    EXPECT_EQ(RunPreStream(fps, rate).code(),
              absl::StatusCode::kInvalidArgument)
        << fps;
  }
}

}  // namespace
}  // namespace syncline
