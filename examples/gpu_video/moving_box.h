// Where something moves in a video: the boxes of the example.
//
//   node { calculator: "MovingBoxCalculator" input_stream: "frames"
//          output_stream: "boxes" }   # ImageFrame; std::vector<NormalizedRect>
//
// One box, or none: around all that has changed since the frame before. Frames
// are SRGB. A frame of another size than the one before has no box, like the
// first.
//
// Thread rule: pure functions; one call at a time.
// Tested by gpu_video_test.

#ifndef SYNCLINE_EXAMPLES_GPU_VIDEO_MOVING_BOX_H_
#define SYNCLINE_EXAMPLES_GPU_VIDEO_MOVING_BOX_H_

#include "absl/types/optional.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/rect.pb.h"

namespace syncline {

// The box around all pixels of which a colour differs by more than 40. Every
// fourth pixel of every fourth row is looked at, and stands for the 4 x 4 that
// begin with it. REQUIRES: both are SRGB and of one size.
absl::optional<NormalizedRect> MovingBox(const ImageFrame& before,
                                         const ImageFrame& now);

}  // namespace syncline

#endif  // SYNCLINE_EXAMPLES_GPU_VIDEO_MOVING_BOX_H_
