// Views for OpenCV of frames, images and locations share the pixels, or say why
// there is no view.

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "framework/formats/image.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/image_frame_from_mat.h"
#include "framework/formats/image_frame_opencv.h"
#include "framework/formats/image_opencv.h"
#include "framework/formats/location.h"
#include "framework/formats/location_opencv.h"
#include "framework/formats/misuse_test_support.h"
#include "framework/port/status_matchers.h"
#include "gtest/gtest.h"
#include "opencv2/core.hpp"

namespace syncline {
namespace {

TEST(ImageFrameOpencvTest, AViewHasTheFramesPixels) {
  ImageFrame frame(ImageFormat::SRGB, 5, 3, 64);
  frame.SetToZero();
  cv::Mat view = formats::MatView(&frame);
  EXPECT_EQ(view.cols, 5);
  EXPECT_EQ(view.rows, 3);
  EXPECT_EQ(view.type(), CV_8UC3);
  view.at<cv::Vec3b>(2, 4) = cv::Vec3b(1, 2, 3);
  EXPECT_EQ(frame.PixelData()[2 * 64 + 4 * 3 + 1], 2);
}

TEST(ImageFrameOpencvTest, EveryFormatHasItsType) {
  const struct {
    ImageFormat::Format format;
    int type;
  } kTypes[] = {
      {ImageFormat::GRAY8, CV_8UC1},    {ImageFormat::SRGBA, CV_8UC4},
      {ImageFormat::GRAY16, CV_16UC1},  {ImageFormat::SRGBA64, CV_16UC4},
      {ImageFormat::VEC32F1, CV_32FC1}, {ImageFormat::VEC32F2, CV_32FC2},
  };
  for (const auto& [format, type] : kTypes) {
    const ImageFrame frame(format, 2, 2);
    EXPECT_EQ(formats::MatView(&frame).type(), type);
  }
  const ImageFrame empty;
  EXPECT_THAT(StatusOf([&] { formats::MatView(&empty); }),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(ImageFrameOpencvTest, AFrameKeepsThePixelsOfAMatrix) {
  std::unique_ptr<ImageFrame> frame;
  {
    cv::Mat whole(6, 8, CV_8UC3, cv::Scalar(1, 2, 3));
    cv::Mat part = whole(cv::Rect(2, 1, 5, 3));
    auto view = formats::FrameView(ImageFormat::SRGB, part);
    SYNCLINE_ASSERT_OK(view.status());
    frame = *std::move(view);
    EXPECT_EQ(frame->PixelData(), part.data);
    part.at<cv::Vec3b>(2, 4) = cv::Vec3b(4, 5, 6);
  }
  EXPECT_EQ(frame->Width(), 5);
  EXPECT_EQ(frame->Height(), 3);
  EXPECT_EQ(frame->WidthStep(), 8 * 3);
  const cv::Mat again = formats::MatView(frame.get());
  EXPECT_EQ(again.at<cv::Vec3b>(0, 0), cv::Vec3b(1, 2, 3));
  EXPECT_EQ(again.at<cv::Vec3b>(2, 4), cv::Vec3b(4, 5, 6));
}

TEST(ImageFrameOpencvTest, AFrameComesBackInEveryFormat) {
  for (const auto format :
       {ImageFormat::GRAY8, ImageFormat::SRGB, ImageFormat::SRGBA,
        ImageFormat::SBGRA, ImageFormat::LAB8, ImageFormat::GRAY16,
        ImageFormat::SRGB48, ImageFormat::SRGBA64, ImageFormat::VEC32F1,
        ImageFormat::VEC32F2, ImageFormat::VEC32F4}) {
    const ImageFrame frame(format, 3, 2);
    const cv::Mat mat = formats::MatView(&frame);
    const auto view = formats::FrameView(format, mat);
    SYNCLINE_ASSERT_OK(view.status());
    EXPECT_EQ((*view)->PixelData(), frame.PixelData());
    EXPECT_EQ((*view)->Format(), format);
  }
}

TEST(ImageFrameOpencvTest, AMatrixThatIsNoFrameIsRefused) {
  const int sides[] = {2, 3, 4};
  for (const auto& [format, mat] :
       {std::pair(ImageFormat::SRGB, cv::Mat(2, 3, CV_8UC1)),
        std::pair(ImageFormat::GRAY8, cv::Mat(2, 3, CV_16UC1)),
        std::pair(ImageFormat::GRAY8, cv::Mat(3, sides, CV_8UC1)),
        std::pair(ImageFormat::GRAY8, cv::Mat(0, 3, CV_8UC1)),
        std::pair(ImageFormat::GRAY8, cv::Mat()),
        std::pair(ImageFormat::YCBCR420P, cv::Mat(2, 3, CV_8UC1)),
        std::pair(ImageFormat::UNKNOWN, cv::Mat(2, 3, CV_8UC1))}) {
    EXPECT_THAT(formats::FrameView(format, mat).status(),
                StatusIs(absl::StatusCode::kInvalidArgument));
  }
}

TEST(ImageOpencvTest, AViewKeepsThePixels) {
  std::shared_ptr<cv::Mat> view;
  {
    const Image image(std::make_shared<ImageFrame>(ImageFormat::GRAY8, 2, 2));
    view = formats::MatView(&image);
  }
  view->setTo(7);
  EXPECT_EQ(view->at<std::uint8_t>(1, 1), 7);
  const Image none;
  EXPECT_THAT(StatusOf([&] { formats::MatView(&none); }),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(LocationOpencvTest, AMaskComesAndGoes) {
  cv::Mat_<unsigned char> mask = cv::Mat_<unsigned char>::zeros(4, 6);
  mask(1, 2) = mask(1, 3) = mask(1, 5) = mask(3, 0) = 1;
  const Location location = CreateCvMaskLocation(mask);
  EXPECT_EQ(location.GetMask().rasterization().interval_size(), 3);
  const std::unique_ptr<cv::Mat> again = GetCvMask(location);
  EXPECT_EQ(cv::countNonZero((*again != 0) != (mask != 0)), 0);
  EXPECT_EQ(again->at<std::uint8_t>(1, 2), 255);
}

TEST(LocationOpencvTest, AMaskOfFloatsHasThePixelsAboveZero) {
  cv::Mat_<float> mask = cv::Mat_<float>::zeros(2, 4);
  mask(0, 1) = 0.25f;
  mask(0, 2) = 1;
  mask(1, 0) = -1;
  mask(1, 3) = std::numeric_limits<float>::quiet_NaN();
  for (const Location& location :
       {CreateCvMaskLocation(mask), CreateCvMaskLocation<float>(mask)}) {
    const auto& runs = location.GetMask().rasterization();
    ASSERT_EQ(runs.interval_size(), 1);
    EXPECT_EQ(runs.interval(0).y(), 0);
    EXPECT_EQ(runs.interval(0).left_x(), 1);
    EXPECT_EQ(runs.interval(0).right_x(), 2);
  }
}

TEST(LocationOpencvTest, AnyLocationBecomesAMask) {
  EXPECT_EQ(cv::countNonZero(*ConvertToCvMask(Location(), 4, 3)), 12);
  EXPECT_EQ(cv::countNonZero(*ConvertToCvMask(
                CreateBBoxLocation(cv::Rect(-1, 1, 3, 100)), 4, 3)),
            4);
  EXPECT_EQ(cv::countNonZero(*ConvertToCvMask(
                Location::CreateRelativeBBoxLocation(2, 2, 1, 1), 4, 3)),
            0);
  const Location half =
      CreateCvMaskLocation(cv::Mat_<unsigned char>::ones(2, 2));
  const std::unique_ptr<cv::Mat> mask = ConvertToCvMask(half, 4, 4);
  EXPECT_EQ(mask->type(), CV_32FC1);
  EXPECT_EQ(cv::countNonZero(*mask), 16);
  EXPECT_EQ(mask->at<float>(3, 3), 1.0f);
  EXPECT_EQ(ConvertToCvMask(CreateBBoxLocation(cv::Rect(1, 0, 1, 1)), 4, 3)
                ->at<float>(0, 1),
            1.0f);
  for (const cv::Size size :
       {cv::Size(0, 4), cv::Size(4, -1), cv::Size(1 << 20, 1 << 20)}) {
    EXPECT_THAT(
        StatusOf([&] { ConvertToCvMask(Location(), size.width, size.height); }),
        StatusIs(absl::StatusCode::kInvalidArgument));
  }
}

TEST(LocationOpencvTest, IsEnlargedAroundItsMiddle) {
  Location box = CreateBBoxLocation(cv::Rect(10, 10, 20, 40));
  box.SetRelativeKeypoints({Point2_f(0.5f, 0.5f)});
  EnlargeLocation(box, 1.5f);
  EXPECT_EQ(box.GetBBox<Rectangle_i>(), Rectangle_i(5, 0, 30, 60));
  EXPECT_EQ(box.GetRelativeKeypoints().size(), 1u);

  Location relative = Location::CreateRelativeBBoxLocation(0, 0, 0.5f, 1);
  EnlargeLocation(relative, 2);
  EXPECT_EQ(relative.GetRelativeBBox(), Rectangle_f(-0.25f, -0.5f, 1, 2));

  cv::Mat_<unsigned char> mask = cv::Mat_<unsigned char>::zeros(20, 20);
  mask(cv::Rect(8, 8, 4, 4)).setTo(1);
  Location pixels = CreateCvMaskLocation(mask);
  EnlargeLocation(pixels, 2);
  EXPECT_EQ(pixels.ConvertToBBox<Rectangle_i>(20, 20), Rectangle_i(6, 6, 8, 8));
  EnlargeLocation(pixels, 0.5f);
  EXPECT_EQ(pixels.ConvertToBBox<Rectangle_i>(20, 20), Rectangle_i(8, 8, 4, 4));

  Location everywhere;
  EnlargeLocation(everywhere, 2);
  EXPECT_EQ(everywhere.GetFormat(), LocationData::GLOBAL);
  EXPECT_THAT(StatusOf([&] { EnlargeLocation(everywhere, 0); }),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace syncline
