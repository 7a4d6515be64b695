// Turning, flipping and scaling a frame.
//
// In this order: turned counterclockwise by quarters, flipped, cut to what is
// wanted of it, scaled, and placed into the output, the rest of which is
// padded:
//
//    input 40x20       turned 20x40       FIT into 60x60
//   .-----------.      .-----.            .------------.
//   |           |      |     |            |    |  |    |   target 30x60
//   '-----------'      |     |            |    |  |    |   at 15, 0
//                      '-----'            '------------'
//
// Thread rule: pure functions.
// Tested by image_transformation_test.

#ifndef SYNCLINE_CALCULATORS_IMAGE_IMAGE_TRANSFORMATION_H_
#define SYNCLINE_CALCULATORS_IMAGE_IMAGE_TRANSFORMATION_H_

#include <array>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "calculators/image/image_transformation_calculator.pb.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/image_frame_memory.h"
#include "gpu/scale_mode.pb.h"
#include "opencv2/core.hpp"

namespace syncline {

struct Transformation {
  // Of the output, in pixels; both or neither. 0: as the turned input.
  int width = 0;
  int height = 0;
  // Counterclockwise; a multiple of 90.
  int degrees = 0;
  bool flips_vertically = false;
  bool flips_horizontally = false;
  ScaleMode::Mode scale_mode = ScaleMode::STRETCH;
  // Padding with the pixels at the edge, or with a colour: red, green, blue.
  bool pads_with_edge = false;
  cv::Scalar padding = cv::Scalar(0, 0, 0, 255);
  ImageTransformationCalculatorOptions::InterpolationMode interpolation =
      ImageTransformationCalculatorOptions::DEFAULT;
};

// INVALID_ARGUMENT for a size that no frame has, and degrees in between.
absl::Status CheckTransformation(const Transformation& transformation);

// Which part of the turned input comes where in the output.
struct Placement {
  cv::Size turned;  // the whole input, after turning
  cv::Rect source;  // the part of it
  cv::Size output;
  cv::Rect target;  // where that comes
};
// REQUIRES: CheckTransformation is ok, `width` and `height` are above 0.
Placement Place(int width, int height, const Transformation& transformation);

// How wide the padding is: left, top, right and bottom, as parts of the output.
std::array<float, 4> LetterboxPadding(const Placement& placement);

// Takes a point of the input to its place in the output, both with x and y from
// 0 to 1: 4 rows of 4.
std::array<float, 16> TransformationMatrix(
    const Placement& placement, const Transformation& transformation);

// Whether the output is the input.
bool ChangesNothing(int width, int height,
                    const Transformation& transformation);

// A new frame, of any format that OpenCV takes, from `memory` if it is not
// null.
absl::StatusOr<std::unique_ptr<ImageFrame>> Transform(
    const ImageFrame& frame, const Transformation& transformation,
    ImageFrameMemory* memory = nullptr);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_IMAGE_IMAGE_TRANSFORMATION_H_
