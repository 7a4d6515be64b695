// A cv::Mat as an ImageFrame, without a copy: the opposite of MatView() of
// image_frame_opencv.h.
//
//   cv::Mat edges = ...;  // CV_8UC1
//   SYNCLINE_ASSIGN_OR_RETURN(std::unique_ptr<ImageFrame> frame,
//                             formats::FrameView(ImageFormat::GRAY8, edges));
//   cc->Outputs().Tag("IMAGE").Add(frame.release(), cc->InputTimestamp());
//
// Thread rule: as a copy of the cv::Mat, which has the same pixels.
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

// A frame of the pixels of `mat`, in the order of channels in which they are:
// most functions of OpenCV's give blue first, which is SBGRA, and of three
// channels no format of a frame. The frame holds on to the pixels as a copy of
// `mat` does: who writes into one writes into all, and memory that `mat` only
// borrows has to outlive the frame.
//
// INVALID_ARGUMENT unless `mat` has two dimensions, at least one pixel, at most
// 2^31 bytes, and the type that MatView() gives for frames of `format`.
absl::StatusOr<std::unique_ptr<ImageFrame>> FrameView(
    ImageFormat::Format format, const cv::Mat& mat);

}  // namespace formats
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_FORMATS_IMAGE_FRAME_FROM_MAT_H_
