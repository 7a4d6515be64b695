// Image files, read and written by OpenCV.

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/image_frame_opencv.h"
#include "framework/tool/test_image_files.h"
#include "opencv2/core.hpp"
#include "opencv2/imgcodecs.hpp"
#include "opencv2/imgproc.hpp"

namespace syncline {
namespace {

// OpenCV's conversion from an image of `channels` channels to `format`; -1 if
// none is needed.
absl::StatusOr<int> Conversion(int channels, ImageFormat::Format format) {
  switch (format) {
    case ImageFormat::SRGBA:
      return channels == 1   ? cv::COLOR_GRAY2RGBA
             : channels == 3 ? cv::COLOR_BGR2RGBA
                             : cv::COLOR_BGRA2RGBA;
    case ImageFormat::SRGB:
      return channels == 1   ? cv::COLOR_GRAY2RGB
             : channels == 3 ? cv::COLOR_BGR2RGB
                             : cv::COLOR_BGRA2RGB;
    case ImageFormat::GRAY8:
      return channels == 1   ? -1
             : channels == 3 ? cv::COLOR_BGR2GRAY
                             : cv::COLOR_BGRA2GRAY;
    default:
      return absl::InvalidArgumentError(
          absl::StrCat("Image files are read as SRGBA, SRGB or GRAY8, not as ",
                       ImageFormat::Format_Name(format), "."));
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<ImageFrame>> ReadImageFile(
    const std::string& path, ImageFormat::Format format) {
  const cv::Mat read = cv::imread(path, cv::IMREAD_UNCHANGED);
  if (read.empty() || read.depth() != CV_8U) {
    return absl::NotFoundError(
        absl::StrCat("\"", path, "\" is no image of 8 bits that can be read."));
  }
  const absl::StatusOr<int> conversion = Conversion(read.channels(), format);
  if (!conversion.ok()) return conversion.status();
  auto frame = std::make_unique<ImageFrame>(format, read.cols, read.rows);
  cv::Mat view = formats::MatView(frame.get());
  if (*conversion < 0) {
    read.copyTo(view);
  } else {
    cv::cvtColor(read, view, *conversion);
  }
  return frame;
}

absl::Status WritePngFile(const std::string& path, const ImageFrame& image) {
  const cv::Mat view = formats::MatView(&image);
  // Converts into memory of its own, since the view shares the image's pixels.
  cv::Mat converted;
  if (view.channels() == 3) cv::cvtColor(view, converted, cv::COLOR_RGB2BGR);
  if (view.channels() == 4) cv::cvtColor(view, converted, cv::COLOR_RGBA2BGRA);
  const cv::Mat& written = converted.empty() ? view : converted;
  // OpenCV throws for an image that a PNG file cannot hold.
  try {
    if (cv::imwrite(path, written)) return absl::OkStatus();
  } catch (const cv::Exception& error) {
    return absl::InvalidArgumentError(
        absl::StrCat("cannot write \"", path, "\": ", error.what()));
  }
  return absl::UnavailableError(absl::StrCat("cannot write \"", path, "\""));
}

}  // namespace syncline
