#include "framework/formats/image_frame_opencv.h"

#include <cstddef>
#include <cstdint>

#include "framework/formats/image_format.pb.h"
#include "framework/formats/image_frame.h"
#include "opencv2/core.hpp"

namespace syncline {
namespace formats {

cv::Mat MatView(const ImageFrame* image) {
  // OpenCV has no cv::Mat of const pixels.
  auto* pixels = const_cast<std::uint8_t*>(image->PixelData());
  return cv::Mat(image->Height(), image->Width(), MatTypeOf(image->Format()),
                 pixels, static_cast<std::size_t>(image->WidthStep()));
}

int MatTypeOf(ImageFormat::Format format) {
  const int bytes = ImageFrame::ByteDepthForFormat(format);
  const int depth = bytes == 1 ? CV_8U : bytes == 2 ? CV_16U : CV_32F;
  return CV_MAKETYPE(depth, ImageFrame::NumberOfChannelsForFormat(format));
}

}  // namespace formats
}  // namespace syncline
