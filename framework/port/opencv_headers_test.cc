// The headers of OpenCV are found at the paths that MediaPipe's users know.

#include "framework/port/opencv_calib3d_inc.h"
#include "framework/port/opencv_core_inc.h"
#include "framework/port/opencv_features2d_inc.h"
#include "framework/port/opencv_highgui_inc.h"
#include "framework/port/opencv_imgcodecs_inc.h"
#include "framework/port/opencv_imgproc_inc.h"
#include "framework/port/opencv_objdetect_inc.h"
#include "framework/port/opencv_video_inc.h"
#include "framework/port/opencv_videoio_inc.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(OpencvHeadersTest, GiveOpencv) {
  cv::Mat image(2, 2, CV_8UC3, cv::Scalar(10, 10, 10));
  cv::Mat gray;
  cv::cvtColor(image, gray, cv::COLOR_BGR2GRAY);
  EXPECT_EQ(gray.at<uchar>(1, 1), 10);
  EXPECT_EQ(fourcc('a', 'v', 'c', '1'), 0x31637661);
}

}  // namespace
}  // namespace syncline
