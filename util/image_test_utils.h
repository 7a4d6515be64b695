// For tests of calculators on images: image files as matrices of OpenCV, and
// such matrices as packets.
//
//   runner.MutableInputs()->Tag("IMAGE").packets.push_back(
//       MakeImagePacket(GetRgb(path), /*timestamp=*/1));
//
// Thread rule: free functions.
// Tested by image_test_utils_test.

#ifndef SYNCLINE_UTIL_IMAGE_TEST_UTILS_H_
#define SYNCLINE_UTIL_IMAGE_TEST_UTILS_H_

#include "absl/strings/string_view.h"
#include "framework/formats/image_format.pb.h"
#include "framework/packet.h"
#include "framework/port/opencv_core_inc.h"

namespace syncline {

// The pixels of an image file, one byte for each channel, in the order of
// channels that the name says. Empty if the file cannot be read.
cv::Mat GetRgb(absl::string_view path);
cv::Mat GetRgba(absl::string_view path);
cv::Mat GetGray(absl::string_view path);

// Drops the fourth of 4 channels, in OpenCV's own order.
cv::Mat RgbaToBgr(const cv::Mat& rgba);

// GRAY8, SRGB and SRGBA for 1, 3 and 4 channels; UNKNOWN for other numbers.
ImageFormat::Format GetImageFormat(int image_channels);

// Packets with a copy of the pixels: an ImageFrame and an Image. A matrix of
// another depth or number of channels ends the test.
Packet MakeImageFramePacket(const cv::Mat& input, int timestamp = 0);
Packet MakeImagePacket(const cv::Mat& input, int timestamp = 0);

}  // namespace syncline

#endif  // SYNCLINE_UTIL_IMAGE_TEST_UTILS_H_
