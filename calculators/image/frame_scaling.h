// Computes the size of a scaled frame, and which part of the frame is used: the
// arithmetic of ScaleImageCalculator.
//
// Thread rule: pure functions.
// Tested by scale_image_calculator_test.

#ifndef SYNCLINE_CALCULATORS_IMAGE_FRAME_SCALING_H_
#define SYNCLINE_CALCULATORS_IMAGE_FRAME_SCALING_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "calculators/image/scale_image_calculator.pb.h"

namespace syncline {

struct FrameScaling {
  // The part of the input that is used, in its pixels.
  int left = 0;
  int top = 0;
  int crop_width = 0;
  int crop_height = 0;
  // The size of the result.
  int width = 0;
  int height = 0;
};

// INVALID_ARGUMENT if an option is not valid; the message says which.
absl::Status CheckScaling(const ScaleImageCalculatorOptions& options);

// The scaling for a frame of that size. The options must have been checked.
// INVALID_ARGUMENT if no part of the frame would be left.
absl::StatusOr<FrameScaling> PlanScaling(
    const ScaleImageCalculatorOptions& options, int width, int height);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_IMAGE_FRAME_SCALING_H_
