// An ImageFrame as OpenCV sees it, without a copy.
//
// Thread rule: as the frame.
// Tested by opencv_views_test.

#ifndef SYNCLINE_FRAMEWORK_FORMATS_IMAGE_FRAME_OPENCV_H_
#define SYNCLINE_FRAMEWORK_FORMATS_IMAGE_FRAME_OPENCV_H_

#include "framework/formats/image_format.pb.h"
#include "framework/formats/image_frame.h"
#include "opencv2/core.hpp"

namespace syncline {
namespace formats {

// A view of the frame's pixels. The order of channels is the frame's: where the
// frame has red first, OpenCV's own functions expect blue first. Valid as long
// as the frame has them. Writing to the view of a frame that others read is the
// caller's mistake.
cv::Mat MatView(const ImageFrame* image);

// The type of the view of a frame of `format`, as CV_8UC3. A format that no
// frame has is a misuse.
int MatTypeOf(ImageFormat::Format format);

}  // namespace formats
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_FORMATS_IMAGE_FRAME_OPENCV_H_
