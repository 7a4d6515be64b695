#include "calculators/image/opencv_frames.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "calculators/image/opencv_calls.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image_format.pb.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/image_frame_memory.h"
#include "framework/formats/image_frame_opencv.h"
#include "opencv2/core.hpp"
#include "opencv2/imgproc.hpp"

namespace syncline {
namespace {

// The limit for the bytes of one frame: more than any camera gives, and less
// than a frame can have.
constexpr std::int64_t kMaxBytes = std::int64_t{1} << 30;

// How the channels of an OpenCV type are converted to those of a frame.
struct Conversion {
  int mat_type;
  ImageFormat::Format format;
  int to_frame;  // a cv::COLOR_..., or kCopy
  int from_frame;
};
constexpr int kCopy = -1;
constexpr Conversion kConversions[] = {
    {CV_8UC1, ImageFormat::GRAY8, kCopy, kCopy},
    {CV_8UC3, ImageFormat::SRGB, cv::COLOR_BGR2RGB, cv::COLOR_RGB2BGR},
    {CV_8UC4, ImageFormat::SRGBA, cv::COLOR_BGRA2RGBA, cv::COLOR_RGBA2BGRA},
    {CV_8UC4, ImageFormat::SBGRA, kCopy, kCopy},
    {CV_16UC1, ImageFormat::GRAY16, kCopy, kCopy},
    {CV_16UC3, ImageFormat::SRGB48, cv::COLOR_BGR2RGB, cv::COLOR_RGB2BGR},
    {CV_16UC4, ImageFormat::SRGBA64, cv::COLOR_BGRA2RGBA, cv::COLOR_RGBA2BGRA},
    {CV_32FC1, ImageFormat::VEC32F1, kCopy, kCopy},
};

std::string NameOf(ImageFormat::Format format) {
  const std::string& name = ImageFormat::Format_Name(format);
  return name.empty() ? absl::StrCat("format ", static_cast<int>(format))
                      : name;
}

}  // namespace

std::string Describe(const ImageFrame& frame) {
  return absl::StrCat("a ", frame.Width(), "x", frame.Height(), " frame of ",
                      NameOf(frame.Format()));
}

absl::Status CheckFrame(const ImageFrame& frame,
                        std::initializer_list<ImageFormat::Format> formats) {
  if (frame.IsEmpty() || frame.Width() < 1 || frame.Height() < 1) {
    return absl::InvalidArgumentError(absl::StrCat(
        "The image frame has no pixels: it is ", Describe(frame),
        "; send nothing, or a timestamp bound, at times without an image"));
  }
  if (std::find(formats.begin(), formats.end(), frame.Format()) !=
      formats.end()) {
    return absl::OkStatus();
  }
  std::vector<std::string> names;
  for (const ImageFormat::Format format : formats) {
    names.push_back(NameOf(format));
  }
  return absl::InvalidArgumentError(
      absl::StrCat("An image frame here is of ", absl::StrJoin(names, ", "),
                   ", but this is ", Describe(frame), "; convert it before"));
}

absl::Status CheckFrameOfBytes(const ImageFrame& frame) {
  return CheckFrame(
      frame, {ImageFormat::GRAY8, ImageFormat::SRGB, ImageFormat::SRGBA});
}

absl::Status CheckAnyFrame(const ImageFrame& frame) {
  return CheckFrame(
      frame, {ImageFormat::GRAY8, ImageFormat::SRGB, ImageFormat::SRGBA,
              ImageFormat::SBGRA, ImageFormat::LAB8, ImageFormat::GRAY16,
              ImageFormat::SRGB48, ImageFormat::SRGBA64, ImageFormat::VEC32F1,
              ImageFormat::VEC32F2, ImageFormat::VEC32F4});
}

absl::Status CheckSize(ImageFormat::Format format, int width, int height) {
  if (width >= 1 && height >= 1 &&
      std::int64_t{width} * height <=
          kMaxBytes / ImageFrame::NumberOfChannelsForFormat(format) /
              ImageFrame::ByteDepthForFormat(format)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "No frame of ", NameOf(format), " is ", width, "x", height,
      ": at least one pixel is needed, and at most ", kMaxBytes, " bytes"));
}

absl::StatusOr<std::unique_ptr<ImageFrame>> NewFrame(ImageFormat::Format format,
                                                     int width, int height,
                                                     ImageFrameMemory* memory) {
  SYNCLINE_RETURN_IF_ERROR(CheckSize(format, width, height));
  if (memory != nullptr) return memory->NewFrame(format, width, height);
  return std::make_unique<ImageFrame>(format, width, height);
}

ImageFormat::Format FormatFromOpenCv(int mat_type) {
  for (const Conversion& conversion : kConversions) {
    if (conversion.mat_type == mat_type) return conversion.format;
  }
  return ImageFormat::UNKNOWN;
}

absl::StatusOr<std::unique_ptr<ImageFrame>> FrameFromOpenCv(
    const cv::Mat& mat, ImageFrameMemory* memory) {
  for (const Conversion& conversion : kConversions) {
    if (conversion.mat_type != mat.type() || mat.dims != 2) continue;
    SYNCLINE_ASSIGN_OR_RETURN(
        std::unique_ptr<ImageFrame> frame,
        NewFrame(conversion.format, mat.cols, mat.rows, memory));
    SYNCLINE_RETURN_IF_ERROR(CallOpenCv("copying a frame", [&] {
      cv::Mat view = formats::MatView(frame.get());
      if (conversion.to_frame == kCopy) {
        mat.copyTo(view);
      } else {
        cv::cvtColor(mat, view, conversion.to_frame);
      }
      return absl::OkStatus();
    }));
    return frame;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "No frame has pixels of OpenCV's type ", cv::typeToString(mat.type())));
}

absl::StatusOr<cv::Mat> FrameForOpenCv(const ImageFrame& frame,
                                       cv::Mat& buffer) {
  SYNCLINE_RETURN_IF_ERROR(CheckFrame(
      frame, {ImageFormat::GRAY8, ImageFormat::SRGB, ImageFormat::SRGBA,
              ImageFormat::SBGRA, ImageFormat::GRAY16, ImageFormat::SRGB48,
              ImageFormat::SRGBA64}));
  for (const Conversion& conversion : kConversions) {
    if (conversion.format != frame.Format()) continue;
    const cv::Mat view = formats::MatView(&frame);
    if (conversion.from_frame == kCopy) return view;
    SYNCLINE_RETURN_IF_ERROR(CallOpenCv("copying a frame", [&] {
      cv::cvtColor(view, buffer, conversion.from_frame);
      return absl::OkStatus();
    }));
    return buffer;
  }
  return absl::InternalError(
      absl::StrCat("No conversion for ", Describe(frame)));
}

}  // namespace syncline
