// A video that is made: a square moves over a pattern.
//
//   node { calculator: "MovingSquareVideoCalculator" output_stream: "frames"
//          input_side_packet: "FRAMES:frames_wanted" }      # int; ImageFrame
//
// Frames are SRGB, 640 x 480, ten a second.
//
// Thread rule: pure functions; one call at a time.
// Tested by gpu_video_test.

#ifndef SYNCLINE_EXAMPLES_GPU_VIDEO_MOVING_SQUARE_H_
#define SYNCLINE_EXAMPLES_GPU_VIDEO_MOVING_SQUARE_H_

#include "framework/formats/image_frame.h"
#include "framework/timestamp.h"

namespace syncline {

inline constexpr int kMovingSquareWidth = 640;
inline constexpr int kMovingSquareHeight = 480;

ImageFrame MovingSquareFrame(Timestamp timestamp);

}  // namespace syncline

#endif  // SYNCLINE_EXAMPLES_GPU_VIDEO_MOVING_SQUARE_H_
