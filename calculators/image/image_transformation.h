// Turns, flips and scales a frame.
//
// The steps, in this order: the frame is turned counterclockwise by quarters,
// flipped, cropped, scaled, and placed into the output; the rest of the output
// is padded:
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
  // The size of the output in pixels; set both or neither. 0: the size of the
  // turned input.
  int width = 0;
  int height = 0;
  // Counterclockwise; a multiple of 90.
  int degrees = 0;
  bool flips_vertically = false;
  bool flips_horizontally = false;
  ScaleMode::Mode scale_mode = ScaleMode::STRETCH;
  // Whether to pad with the pixels at the edge; otherwise with a colour: red,
  // green, blue.
  bool pads_with_edge = false;
  cv::Scalar padding = cv::Scalar(0, 0, 0, 255);
  ImageTransformationCalculatorOptions::InterpolationMode interpolation =
      ImageTransformationCalculatorOptions::DEFAULT;
};

// INVALID_ARGUMENT for an impossible size, and for degrees that are not a
// multiple of 90.
absl::Status CheckTransformation(const Transformation& transformation);

// Which part of the turned input is placed where in the output.
struct Placement {
  cv::Size turned;  // the whole input, after turning
  cv::Rect source;  // the part of it that is used
  cv::Size output;
  cv::Rect target;  // where that part is placed
};
// REQUIRES: CheckTransformation is ok, `width` and `height` are above 0.
Placement Place(int width, int height, const Transformation& transformation);

// The width of the padding that FIT needs: left, top, right and bottom,
// relative to the output; 0 in the other modes. It follows from the proportions
// alone, and is the same on both sides: what is drawn is in whole pixels, and
// up to a pixel off.
std::array<float, 4> LetterboxPadding(const Placement& placement,
                                      ScaleMode::Mode mode);

// The matrix that maps a point of the input to its place in the output, both
// with x and y from 0 to 1: 4 rows of 4 numbers.
std::array<float, 16> TransformationMatrix(
    const Placement& placement, const Transformation& transformation);

// Whether the output equals the input.
bool ChangesNothing(int width, int height,
                    const Transformation& transformation);

// Makes a new frame, in any format that OpenCV supports. Its pixels come from
// `memory` if that is not null.
absl::StatusOr<std::unique_ptr<ImageFrame>> Transform(
    const ImageFrame& frame, const Transformation& transformation,
    ImageFrameMemory* memory = nullptr);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_IMAGE_IMAGE_TRANSFORMATION_H_
