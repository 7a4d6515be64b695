// A cv::Mat as an ImageFrame, without a copy: the opposite of MatView() of
// image_frame_opencv.h.
//
//   cv::Mat edges = ...;  // CV_8UC1
//   SYNCLINE_ASSIGN_OR_RETURN(std::unique_ptr<ImageFrame> frame,
//                             formats::FrameView(ImageFormat::GRAY8, edges));
//   cc->Outputs().Tag("IMAGE").Add(frame.release(), cc->InputTimestamp());
//
// Thread rule: as for a copy of the cv::Mat, since both share the pixels.
// Tested by opencv_views_test.

#ifndef SYNCLINE_FRAMEWORK_FORMATS_IMAGE_FRAME_FROM_MAT_H_
#define SYNCLINE_FRAMEWORK_FORMATS_IMAGE_FRAME_FROM_MAT_H_

#include <memory>

#include "absl/status/statusor.h"
#include "framework/formats/image_format.pb.h"
#include "framework/formats/image_frame.h"
#include "opencv2/core.hpp"

namespace syncline {
namespace formats {

// A frame that shares the pixels of `mat`. The order of channels is not
// changed. Most functions of OpenCV give blue first: with four channels that is
// SBGRA, with three channels no format of a frame. The frame keeps the pixels
// alive as a copy of `mat` does: writing into the frame changes `mat`, and
// memory that `mat` only borrows must outlive the frame.
//
// INVALID_ARGUMENT unless `mat` has two dimensions, at least one pixel, at most
// 2^31 bytes, and the type that MatView() gives for frames of `format`.
absl::StatusOr<std::unique_ptr<ImageFrame>> FrameView(
    ImageFormat::Format format, const cv::Mat& mat);

}  // namespace formats
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_FORMATS_IMAGE_FRAME_FROM_MAT_H_
