// Converts OpenCV's matrices to frames and back, and checks the frames that a
// calculator gets.
//
// MatView() of framework/formats/image_frame_opencv.h shows a frame's pixels to
// OpenCV without a copy, in the frame's order of channels. The functions here
// are for OpenCV's functions that need blue first: those that read and write
// files, cameras and videos.
//
// Thread rule: pure functions.
// Tested by opencv_frames_test.

#ifndef SYNCLINE_CALCULATORS_IMAGE_OPENCV_FRAMES_H_
#define SYNCLINE_CALCULATORS_IMAGE_OPENCV_FRAMES_H_

#include <initializer_list>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/image_frame_memory.h"
#include "opencv2/core.hpp"

namespace syncline {

// Describes the frame: "a 64x48 frame of SRGB".
std::string Describe(const ImageFrame& frame);

// INVALID_ARGUMENT unless `frame` has pixels and one of the formats.
absl::Status CheckFrame(const ImageFrame& frame,
                        std::initializer_list<ImageFormat::Format> formats);

// GRAY8, SRGB and SRGBA: the formats that most calculators accept.
absl::Status CheckFrameOfBytes(const ImageFrame& frame);

// Every format that OpenCV has a type for. YUV planes are not among them.
absl::Status CheckAnyFrame(const ImageFrame& frame);

// INVALID_ARGUMENT for a size that no frame of the format has.
absl::Status CheckSize(ImageFormat::Format format, int width, int height);

// Memory for a frame, from `memory` if that is not null. Call CheckSize before.
absl::StatusOr<std::unique_ptr<ImageFrame>> NewFrame(
    ImageFormat::Format format, int width, int height,
    ImageFrameMemory* memory = nullptr);

// The format of a frame with pixels of `mat_type`; UNKNOWN if there is none.
ImageFormat::Format FormatFromOpenCv(int mat_type);

// A frame with the pixels of `mat`: 1, 3 or 4 channels of 8 or 16 bits, blue
// first, or 1 channel of floats. From `memory` if it is not null.
absl::StatusOr<std::unique_ptr<ImageFrame>> FrameFromOpenCv(
    const cv::Mat& mat, ImageFrameMemory* memory = nullptr);

// The pixels of a frame of 8 or 16 bits, blue first. For gray and SBGRA frames,
// which have this order already, it is a view without a copy, valid as long as
// the frame. Otherwise the pixels are copied to `buffer`, whose memory is
// reused if it fits.
absl::StatusOr<cv::Mat> FrameForOpenCv(const ImageFrame& frame,
                                       cv::Mat& buffer);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_IMAGE_OPENCV_FRAMES_H_
