// Frames to and from OpenCV, and its exceptions as statuses.

#include "calculators/image/opencv_frames.h"

#include <cstdint>
#include <memory>
#include <new>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "calculators/image/opencv_calls.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/image_frame_opencv.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "opencv2/core.hpp"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(CallOpenCvTest, MakesAStatusOfAnException) {
  const absl::Status status = CallOpenCv("adding what cannot be added", [] {
    cv::Mat sum;
    cv::add(cv::Mat(2, 2, CV_8UC1), cv::Mat(3, 3, CV_8UC1), sum);
    return absl::OkStatus();
  });
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("adding what cannot be added"));
}

TEST(CallOpenCvTest, KnowsWantOfMemory) {
  EXPECT_EQ(CallOpenCv("x",
                       [] {
                         throw std::bad_alloc();
                         return absl::OkStatus();
                       })
                .code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(CallOpenCv("x",
                       [] {
                         CV_Error(cv::Error::StsNoMem, "none left");
                         return absl::OkStatus();
                       })
                .code(),
            absl::StatusCode::kResourceExhausted);
}

TEST(CallOpenCvTest, ReturnsWhatTheCallReturns) {
  SYNCLINE_EXPECT_OK(CallOpenCv("x", [] { return absl::OkStatus(); }));
  EXPECT_EQ(CallOpenCv("x", [] { return absl::AbortedError("y"); }),
            absl::AbortedError("y"));
}

TEST(CallOpenCvTest, KeepsOpenCvOnTheCallingThread) {
  SYNCLINE_EXPECT_OK(CallOpenCv("x", [] { return absl::OkStatus(); }));
  EXPECT_EQ(cv::getNumThreads(), 1);
}

TEST(OpenCvFramesTest, ColoursChangePlacesBothWays) {
  const cv::Mat blue(2, 3, CV_8UC3, cv::Scalar(250, 20, 10));
  const auto frame = FrameFromOpenCv(blue);
  SYNCLINE_ASSERT_OK(frame.status());
  EXPECT_EQ((*frame)->Format(), ImageFormat::SRGB);
  EXPECT_EQ((*frame)->Width(), 3);
  EXPECT_EQ((*frame)->PixelData()[0], 10);
  EXPECT_EQ((*frame)->PixelData()[2], 250);
  cv::Mat buffer;
  const auto again = FrameForOpenCv(**frame, buffer);
  SYNCLINE_ASSERT_OK(again.status());
  EXPECT_EQ(cv::norm(*again, blue), 0);
  EXPECT_EQ(again->data, buffer.data);
}

TEST(OpenCvFramesTest, EveryTypeComesBack) {
  for (const int type :
       {CV_8UC1, CV_8UC3, CV_8UC4, CV_16UC1, CV_16UC3, CV_16UC4}) {
    const cv::Mat mat(2, 3, type, cv::Scalar(1, 2, 3, 4));
    const auto frame = FrameFromOpenCv(mat);
    SYNCLINE_ASSERT_OK(frame.status());
    EXPECT_EQ((*frame)->Format(), FormatFromOpenCv(type));
    cv::Mat buffer;
    const auto again = FrameForOpenCv(**frame, buffer);
    SYNCLINE_ASSERT_OK(again.status());
    EXPECT_EQ(again->type(), type);
    EXPECT_EQ(cv::norm(*again, mat), 0) << type;
  }
  EXPECT_EQ(FormatFromOpenCv(CV_64FC2), ImageFormat::UNKNOWN);
  EXPECT_THAT(
      std::string(FrameFromOpenCv(cv::Mat(2, 2, CV_64FC2)).status().message()),
      HasSubstr("CV_64FC2"));
}

TEST(OpenCvFramesTest, AFrameThatLiesRightIsNotCopied) {
  for (const auto format :
       {ImageFormat::GRAY8, ImageFormat::GRAY16, ImageFormat::SBGRA}) {
    const ImageFrame frame(format, 4, 2);
    cv::Mat buffer;
    const auto view = FrameForOpenCv(frame, buffer);
    SYNCLINE_ASSERT_OK(view.status());
    EXPECT_EQ(view->data, frame.PixelData());
    EXPECT_EQ(buffer.data, nullptr);
  }
}

TEST(OpenCvFramesTest, TheBufferIsUsedAgain) {
  const ImageFrame frame(ImageFormat::SRGB, 4, 2);
  cv::Mat buffer;
  SYNCLINE_ASSERT_OK(FrameForOpenCv(frame, buffer).status());
  const std::uint8_t* const memory = buffer.data;
  SYNCLINE_ASSERT_OK(FrameForOpenCv(frame, buffer).status());
  EXPECT_EQ(buffer.data, memory);
}

TEST(OpenCvFramesTest, SizesThatNoFrameHasAreRefused) {
  for (const auto& [width, height] :
       {std::pair(0, 5), std::pair(5, -1), std::pair(1 << 20, 1 << 20)}) {
    EXPECT_EQ(NewFrame(ImageFormat::SRGB, width, height).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
  EXPECT_EQ(FrameFromOpenCv(cv::Mat(0, 0, CV_8UC3)).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(OpenCvFramesTest, SaysWhatIsWrongWithAFrame) {
  EXPECT_THAT(std::string(CheckFrameOfBytes(ImageFrame()).message()),
              HasSubstr("no pixels"));
  EXPECT_THAT(
      std::string(
          CheckFrameOfBytes(ImageFrame(ImageFormat::VEC32F1, 4, 2)).message()),
      AllOf(HasSubstr("GRAY8, SRGB, SRGBA"),
            HasSubstr("a 4x2 frame of VEC32F1")));
  SYNCLINE_EXPECT_OK(CheckFrameOfBytes(ImageFrame(ImageFormat::SRGBA, 4, 2)));
}

}  // namespace
}  // namespace syncline
