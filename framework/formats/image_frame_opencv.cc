#include "framework/formats/image_frame_opencv.h"

#include <cstddef>
#include <cstdint>

#include "framework/formats/image_frame.h"
#include "opencv2/core.hpp"

namespace syncline {
namespace formats {

cv::Mat MatView(const ImageFrame* image) {
  const int depth = image->ByteDepth() == 1   ? CV_8U
                    : image->ByteDepth() == 2 ? CV_16U
                                              : CV_32F;
  const int type = CV_MAKETYPE(depth, image->NumberOfChannels());
  // A Mat cannot be of pixels that must not be written.
  auto* pixels = const_cast<std::uint8_t*>(image->PixelData());
  return cv::Mat(image->Height(), image->Width(), type, pixels,
                 static_cast<std::size_t>(image->WidthStep()));
}

}  // namespace formats
}  // namespace syncline
