#include "util/image_test_utils.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "framework/formats/image.h"
#include "framework/formats/image_frame.h"
#include "framework/port/opencv_core_inc.h"
#include "framework/port/opencv_imgcodecs_inc.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

// A file with one row of two pixels, written by OpenCV: blue, and red at half
// strength.
std::string WriteFile(int channels) {
  const std::string path =
      absl::StrCat(testing::TempDir(), "/two_pixels_", channels, ".png");
  cv::Mat image(1, 2, CV_8UC(channels), cv::Scalar(255, 0, 0, 255));
  if (channels >= 3) {
    image.col(1).setTo(cv::Scalar(0, 0, 128, 7));
  }
  EXPECT_TRUE(cv::imwrite(path, image));
  return path;
}

TEST(ImageTestUtilsTest, ReadsFilesInTheOrderOfChannelsThatIsAskedFor) {
  const cv::Mat rgb = GetRgb(WriteFile(3));
  ASSERT_EQ(rgb.type(), CV_8UC3);
  EXPECT_EQ(rgb.at<cv::Vec3b>(0, 0), cv::Vec3b(0, 0, 255));
  EXPECT_EQ(rgb.at<cv::Vec3b>(0, 1), cv::Vec3b(128, 0, 0));
  const cv::Mat rgba = GetRgba(WriteFile(4));
  ASSERT_EQ(rgba.type(), CV_8UC4);
  EXPECT_EQ(rgba.at<cv::Vec4b>(0, 1), cv::Vec4b(128, 0, 0, 7));
  EXPECT_EQ(GetRgba(WriteFile(3)).at<cv::Vec4b>(0, 0),
            cv::Vec4b(0, 0, 255, 255));
  EXPECT_EQ(GetRgba(WriteFile(1)).at<cv::Vec4b>(0, 0),
            cv::Vec4b(255, 255, 255, 255));
  EXPECT_EQ(GetGray(WriteFile(1)).at<unsigned char>(0, 0), 255);
  EXPECT_EQ(RgbaToBgr(rgba).at<cv::Vec3b>(0, 1), cv::Vec3b(0, 0, 128));
  EXPECT_TRUE(GetRgb("/nowhere.png").empty());
}

TEST(ImageTestUtilsTest, MakesPacketsOfCopies) {
  cv::Mat image(2, 3, CV_8UC3, cv::Scalar(1, 2, 3));
  const Packet frame = MakeImageFramePacket(image, 5);
  const Packet whole = MakeImagePacket(image);
  image.setTo(cv::Scalar(9, 9, 9));
  EXPECT_EQ(frame.Timestamp(), Timestamp(5));
  EXPECT_EQ(frame.Get<ImageFrame>().Format(), ImageFormat::SRGB);
  EXPECT_EQ(frame.Get<ImageFrame>().Width(), 3);
  EXPECT_EQ(frame.Get<ImageFrame>().PixelData()[2], 3);
  EXPECT_EQ(whole.Timestamp(), Timestamp(0));
  EXPECT_EQ(whole.Get<Image>().height(), 2);
  EXPECT_EQ(GetImageFormat(4), ImageFormat::SRGBA);
  EXPECT_EQ(GetImageFormat(2), ImageFormat::UNKNOWN);
}

TEST(ImageTestUtilsDeathTest, AnotherDepthEndsTheTest) {
  EXPECT_DEATH(MakeImagePacket(cv::Mat(2, 3, CV_32FC1)), "2 rows, 3 columns");
}

}  // namespace
}  // namespace syncline
