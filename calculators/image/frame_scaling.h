// How large a frame becomes, and which part of it: the arithmetic of
// ScaleImageCalculator.
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
  // What is taken of the input, in its pixels.
  int left = 0;
  int top = 0;
  int crop_width = 0;
  int crop_height = 0;
  // Of the result.
  int width = 0;
  int height = 0;
};

// INVALID_ARGUMENT that says which option cannot be.
absl::Status CheckScaling(const ScaleImageCalculatorOptions& options);

// For a frame of that size and options that have been checked.
// INVALID_ARGUMENT if nothing of it would be left.
absl::StatusOr<FrameScaling> PlanScaling(
    const ScaleImageCalculatorOptions& options, int width, int height);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_IMAGE_FRAME_SCALING_H_
