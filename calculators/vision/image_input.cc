#include "calculators/vision/image_input.h"

#include "absl/status/statusor.h"
#include "calculators/image/opencv_calls.h"
#include "calculators/image/opencv_frames.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/image_frame_opencv.h"
#include "opencv2/imgproc.hpp"

namespace syncline {

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
  static const ImageFrame kNone;
  SYNCLINE_RETURN_IF_ERROR(
      CheckFrame(frame == nullptr ? kNone : *frame,
                 {ImageFormat::GRAY8, ImageFormat::SRGB, ImageFormat::SRGBA,
                  ImageFormat::SBGRA}));
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
