// DetectionsToRectsCalculator: makes rectangles around detections.
//
//   node {
//     calculator: "DetectionsToRectsCalculator"
//     input_stream: "DETECTIONS:faces"       # std::vector<Detection>
//     input_stream: "IMAGE_SIZE:size"        # std::pair<int, int>, optional
//     output_stream: "NORM_RECTS:rects"      # std::vector<NormalizedRect>
//     options { [syncline.DetectionsToRectsCalculatorOptions.ext] {
//       rotation_vector_start_keypoint_index: 0   # an eye
//       rotation_vector_end_keypoint_index: 1     # the other
//       rotation_vector_target_angle_degrees: 0 } }
//   }
//
//   input, one of
//     DETECTION     one Detection
//     DETECTIONS    std::vector<Detection>
//   outputs, at least one of
//     RECT, NORM_RECT      Rect, NormalizedRect: of the first detection
//     RECTS, NORM_RECTS    a vector with one for each
//
// The rectangle is the bounding box, or with USE_KEYPOINTS the smallest upright
// box around the key points. If the options name two key points, the rectangle
// is turned: in its own frame, the line from the first to the second point has
// the target angle, counter-clockwise from the x axis. Angles are those in
// pixels of the image. IMAGE_SIZE is required for that, and for converting
// pixels to relative numbers or back. What was relative is rounded to whole
// pixels; the middle of a box in pixels is rounded down.
//
// A packet without detections sends nothing, or with
// output_zero_rect_for_empty_detections one rectangle of zeros. An empty input
// sends nothing; the bound passes through (timestamp offset 0). If the
// rectangle has to be turned, nothing is sent without an IMAGE_SIZE at the same
// timestamp. A detection that lacks the required place or key point ends the
// run with an error.
//
// Calculators that make another rectangle of a detection derive from this one.
//
// Thread rule: one call at a time.
// Tested by rect_calculators_test.

#ifndef SYNCLINE_CALCULATORS_UTIL_DETECTIONS_TO_RECTS_CALCULATOR_H_
#define SYNCLINE_CALCULATORS_UTIL_DETECTIONS_TO_RECTS_CALCULATOR_H_

#include <utility>

#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "calculators/util/detections_to_rects_calculator.pb.h"
#include "framework/calculator_framework.h"
#include "framework/formats/detection.pb.h"
#include "framework/formats/rect.pb.h"

namespace syncline {

class DetectionsToRectsCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc);
  absl::Status Open(CalculatorContext* cc) override;
  absl::Status Process(CalculatorContext* cc) override;

 protected:
  // An upright rectangle, in pixels or relative to the image.
  struct Box {
    double x_center = 0;
    double y_center = 0;
    double width = 0;
    double height = 0;
    bool in_pixels = false;
  };
  using ImageSize = absl::optional<std::pair<int, int>>;
  using Options = DetectionsToRectsCalculatorOptions;

  // The rectangle that a detection stands for.
  virtual absl::StatusOr<Box> BoxOf(const LocationData& location,
                                    const Options& options,
                                    const ImageSize& image_size) const;

  // In pixels from the upper left corner.
  static absl::StatusOr<std::pair<double, double>> KeypointInPixels(
      const LocationData& location, int index, const ImageSize& image_size);

 private:
  // The same box in the other unit. This needs the image's size.
  static absl::StatusOr<Box> InPixels(const Box& box,
                                      const ImageSize& image_size);
  static absl::StatusOr<Box> InParts(const Box& box,
                                     const ImageSize& image_size);

  absl::StatusOr<double> RotationOf(const LocationData& location,
                                    const Options& options,
                                    const ImageSize& image_size) const;
  absl::Status Send(absl::Span<const Detection> detections,
                    const ImageSize& image_size, CalculatorContext* cc) const;

  bool turns_ = false;
  double target_angle_ = 0;  // in radians
};

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_UTIL_DETECTIONS_TO_RECTS_CALCULATOR_H_
