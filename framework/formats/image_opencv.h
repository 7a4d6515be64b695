// An Image as OpenCV sees it, without a copy.
//
// Thread rule: as the image; for writing, under a PixelWriteLock.
// Tested by opencv_views_test.

#ifndef SYNCLINE_FRAMEWORK_FORMATS_IMAGE_OPENCV_H_
#define SYNCLINE_FRAMEWORK_FORMATS_IMAGE_OPENCV_H_

#include <memory>

#include "framework/formats/image.h"
#include "opencv2/core.hpp"

namespace syncline {
namespace formats {

// The image's pixels, in its order of channels, which live as long as the view
// does. No image is a misuse.
std::shared_ptr<cv::Mat> MatView(const Image* image);

}  // namespace formats
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_FORMATS_IMAGE_OPENCV_H_
