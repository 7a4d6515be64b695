// The image of an input, as OpenCV sees it, without a copy.
//
// Calculators that only read images take both kinds, ImageFrame and Image, and
// refuse in the same words what cannot be worked with.
//
// Where OpenCV would use threads of its own, it uses the calling one: see
// image/opencv_calls.h.
//
// Thread rule: as the image; an Image is locked for reading meanwhile.
// Tested by detectors_test.

#ifndef SYNCLINE_CALCULATORS_VISION_IMAGE_INPUT_H_
#define SYNCLINE_CALCULATORS_VISION_IMAGE_INPUT_H_

#include <memory>

#include "absl/status/statusor.h"
#include "framework/formats/image.h"
#include "framework/formats/image_format.pb.h"
#include "framework/packet.h"
#include "opencv2/core.hpp"

namespace syncline {

class ImageInput {
 public:
  // Of a packet with an Image or an ImageFrame, which has to outlive this.
  // INVALID_ARGUMENT for an image without pixels, or of another format than
  // GRAY8, SRGB, SRGBA and SBGRA.
  static absl::StatusOr<ImageInput> Of(const Packet& packet);

  // In the image's own order of channels. To be read only.
  const cv::Mat& pixels() const { return pixels_; }
  ImageFormat::Format format() const { return format_; }
  int width() const { return pixels_.cols; }
  int height() const { return pixels_.rows; }

  // How bright each pixel is. Of a GRAY8 image, its own pixels.
  cv::Mat Gray() const;

 private:
  ImageInput() = default;

  cv::Mat pixels_;
  ImageFormat::Format format_ = ImageFormat::UNKNOWN;
  std::unique_ptr<PixelReadLock> lock_;  // of an Image
};

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_VISION_IMAGE_INPUT_H_
