#include "calculators/vision/image_input.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "calculators/media/opencv_calls.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/image_frame_opencv.h"
#include "opencv2/imgproc.hpp"

namespace syncline {
namespace {

bool IsSupported(ImageFormat::Format format) {
  return format == ImageFormat::GRAY8 || format == ImageFormat::SRGB ||
         format == ImageFormat::SRGBA || format == ImageFormat::SBGRA;
}

}  // namespace

absl::StatusOr<ImageInput> ImageInput::Of(const Packet& packet) {
  KeepOpenCvToCallingThread();
  ImageInput result;
  const ImageFrame* frame = nullptr;
  ImageFrameSharedPtr shared;
  if (packet.ValidateAsType<ImageFrame>().ok()) {
    frame = &packet.Get<ImageFrame>();
  } else {
    const Image& image = packet.Get<Image>();
    result.lock_ = std::make_unique<PixelReadLock>(image);
    shared = image.GetImageFrameSharedPtr();
    frame = shared.get();
  }
  if (frame == nullptr || frame->IsEmpty() || frame->Width() == 0 ||
      frame->Height() == 0) {
    return absl::InvalidArgumentError(
        "the image has no pixels; send nothing, or a timestamp bound, at times "
        "without an image");
  }
  if (!IsSupported(frame->Format())) {
    return absl::InvalidArgumentError(absl::StrCat(
        "an image in the format ", ImageFormat::Format_Name(frame->Format()),
        " cannot be worked with here; convert it to GRAY8, SRGB, "
        "SRGBA or SBGRA before"));
  }
  result.pixels_ = formats::MatView(frame);
  result.format_ = frame->Format();
  return result;
}

cv::Mat ImageInput::Gray() const {
  if (format_ == ImageFormat::GRAY8) return pixels_;
  cv::Mat gray;
  cv::cvtColor(pixels_, gray,
               format_ == ImageFormat::SRGB    ? cv::COLOR_RGB2GRAY
               : format_ == ImageFormat::SRGBA ? cv::COLOR_RGBA2GRAY
                                               : cv::COLOR_BGRA2GRAY);
  return gray;
}

}  // namespace syncline
