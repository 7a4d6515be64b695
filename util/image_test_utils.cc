// See the header.
#include "util/image_test_utils.h"

#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "framework/formats/image.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/image_frame_opencv.h"
#include "framework/packet.h"
#include "framework/port/logging.h"
#include "framework/port/opencv_core_inc.h"
#include "framework/port/opencv_imgcodecs_inc.h"
#include "framework/port/opencv_imgproc_inc.h"
#include "framework/timestamp.h"

namespace syncline {
namespace {

cv::Mat Read(absl::string_view path, int how) {
  return cv::imread(std::string(path), how);
}

cv::Mat Convert(const cv::Mat& image, int code) {
  if (image.empty()) return image;
  cv::Mat converted;
  cv::cvtColor(image, converted, code);
  return converted;
}

std::unique_ptr<ImageFrame> CopyToFrame(const cv::Mat& input) {
  const ImageFormat::Format format = GetImageFormat(input.channels());
  CHECK(!input.empty() && input.depth() == CV_8U &&
        format != ImageFormat::UNKNOWN)
      << "an image of " << input.rows << " rows, " << input.cols
      << " columns and " << input.channels() << " channels of OpenCV's depth "
      << input.depth() << " is not one of 1, 3 or 4 bytes for each pixel";
  auto frame = std::make_unique<ImageFrame>(format, input.cols, input.rows);
  input.copyTo(formats::MatView(frame.get()));
  return frame;
}

}  // namespace

cv::Mat GetRgb(absl::string_view path) {
  return Convert(Read(path, cv::IMREAD_COLOR), cv::COLOR_BGR2RGB);
}

cv::Mat GetRgba(absl::string_view path) {
  const cv::Mat image = Read(path, cv::IMREAD_UNCHANGED);
  switch (image.channels()) {
    case 4:
      return Convert(image, cv::COLOR_BGRA2RGBA);
    case 3:
      return Convert(image, cv::COLOR_BGR2RGBA);
    default:
      return Convert(image, cv::COLOR_GRAY2RGBA);
  }
}

cv::Mat GetGray(absl::string_view path) {
  return Read(path, cv::IMREAD_GRAYSCALE);
}

cv::Mat RgbaToBgr(const cv::Mat& rgba) {
  return Convert(rgba, cv::COLOR_RGBA2BGR);
}

ImageFormat::Format GetImageFormat(int image_channels) {
  switch (image_channels) {
    case 1:
      return ImageFormat::GRAY8;
    case 3:
      return ImageFormat::SRGB;
    case 4:
      return ImageFormat::SRGBA;
    default:
      return ImageFormat::UNKNOWN;
  }
}

Packet MakeImageFramePacket(const cv::Mat& input, int timestamp) {
  return Adopt(CopyToFrame(input).release()).At(Timestamp(timestamp));
}

Packet MakeImagePacket(const cv::Mat& input, int timestamp) {
  return MakePacket<Image>(std::shared_ptr<ImageFrame>(CopyToFrame(input)))
      .At(Timestamp(timestamp));
}

}  // namespace syncline
