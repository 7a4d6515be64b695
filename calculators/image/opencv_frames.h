// Frames out of what OpenCV makes, frames for what OpenCV takes, and what a
// calculator asks of a frame.
//
// MatView() of framework/formats/image_frame_opencv.h shows a frame's pixels to
// OpenCV without a copy, in the frame's order of channels. What is here is for
// functions that insist on OpenCV's order, which is blue first: those that read
// and write files, cameras and videos.
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

// "a 64x48 frame of SRGB".
std::string Describe(const ImageFrame& frame);

// INVALID_ARGUMENT unless `frame` has pixels and one of the formats.
absl::Status CheckFrame(const ImageFrame& frame,
                        std::initializer_list<ImageFormat::Format> formats);

// Bytes of gray, RGB or RGBA: what most calculators take.
absl::Status CheckFrameOfBytes(const ImageFrame& frame);

// Every format that OpenCV has a type for; not planes of YUV.
absl::Status CheckAnyFrame(const ImageFrame& frame);

// INVALID_ARGUMENT for a size that no frame of the format has.
absl::Status CheckSize(ImageFormat::Format format, int width, int height);

// Room for a frame, from `memory` if it is not null, after CheckSize.
absl::StatusOr<std::unique_ptr<ImageFrame>> NewFrame(
    ImageFormat::Format format, int width, int height,
    ImageFrameMemory* memory = nullptr);

// The format of frames made of pixels of `mat_type`; UNKNOWN if none is.
ImageFormat::Format FormatFromOpenCv(int mat_type);

// A frame with the pixels of `mat`: 1, 3 or 4 channels of 8 or 16 bits, blue
// first, or 1 channel of floats. From `memory` if it is not null.
absl::StatusOr<std::unique_ptr<ImageFrame>> FrameFromOpenCv(
    const cv::Mat& mat, ImageFrameMemory* memory = nullptr);

// The pixels of a frame of 8 or 16 bits, blue first. Of gray and SBGRA, which
// lie so, it is a view without a copy, valid as long as the frame. Else the
// pixels are in `buffer`, whose memory is used again when it fits.
absl::StatusOr<cv::Mat> FrameForOpenCv(const ImageFrame& frame,
                                       cv::Mat& buffer);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_IMAGE_OPENCV_FRAMES_H_
