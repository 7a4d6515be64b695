// Image files by OpenCV.
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "framework/formats/image_format.pb.h"
#include "framework/formats/image_frame_opencv.h"
#include "opencv2/imgcodecs.hpp"
#include "opencv2/imgproc.hpp"
#include "tools/recording/image_file.h"

namespace syncline {

std::string ImageFileExtension(const ImageFrame&) { return ".png"; }

absl::Status WriteImageFile(const ImageFrame& frame, const std::string& path) {
  const cv::Mat pixels = formats::MatView(&frame);
  cv::Mat stored;
  switch (frame.Format()) {
    case ImageFormat::GRAY8:
    case ImageFormat::GRAY16:
      stored = pixels;
      break;
    case ImageFormat::SRGB:
    case ImageFormat::SRGB48:
      cv::cvtColor(pixels, stored, cv::COLOR_RGB2BGR);
      break;
    case ImageFormat::SRGBA:
    case ImageFormat::SRGBA64:
      cv::cvtColor(pixels, stored, cv::COLOR_RGBA2BGRA);
      break;
    case ImageFormat::SBGRA:
      stored = pixels;
      break;
    default:
      return absl::UnimplementedError(
          absl::StrCat("PNG files have no images of format ",
                       ImageFormat::Format_Name(frame.Format())));
  }
  if (!stored.empty() && cv::imwrite(path, stored)) return absl::OkStatus();
  return absl::UnavailableError(
      absl::StrCat("cannot write \"", absl::Utf8SafeCHexEscape(path), "\""));
}

}  // namespace syncline
