// The image of an input as an OpenCV matrix, without a copy.
//
// Calculators that only read images accept both types, ImageFrame and Image,
// and have the same errors for unsupported images.
//
// OpenCV uses only the calling thread: see image/opencv_calls.h.
//
// Thread rule: as for the image; this object holds a read lock of an Image.
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
  // The image of a packet with an Image or an ImageFrame. The packet must
  // outlive this object. INVALID_ARGUMENT for an image without pixels, or of
  // another format than GRAY8, SRGB, SRGBA and SBGRA.
  static absl::StatusOr<ImageInput> Of(const Packet& packet);

  // In the image's own order of channels. The caller must not change it.
  const cv::Mat& pixels() const { return pixels_; }
  ImageFormat::Format format() const { return format_; }
  int width() const { return pixels_.cols; }
  int height() const { return pixels_.rows; }

  // The brightness of each pixel. For a GRAY8 image, its own pixels.
  cv::Mat Gray() const;

 private:
  ImageInput() = default;

  cv::Mat pixels_;
  ImageFormat::Format format_ = ImageFormat::UNKNOWN;
  std::unique_ptr<PixelReadLock> lock_;  // the lock of an Image
};

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_VISION_IMAGE_INPUT_H_
