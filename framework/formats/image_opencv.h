// An Image as OpenCV sees it, without a copy.
//
// Thread rule: as for the image; whoever writes holds a PixelWriteLock.
// Tested by opencv_views_test.

#ifndef SYNCLINE_FRAMEWORK_FORMATS_IMAGE_OPENCV_H_
#define SYNCLINE_FRAMEWORK_FORMATS_IMAGE_OPENCV_H_

#include <memory>

#include "framework/formats/image.h"
#include "opencv2/core.hpp"

namespace syncline {
namespace formats {

// A view that shares the image's pixels and keeps them alive. The order of
// channels is the image's. An image without pixels is a misuse.
std::shared_ptr<cv::Mat> MatView(const Image* image);

}  // namespace formats
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_FORMATS_IMAGE_OPENCV_H_
