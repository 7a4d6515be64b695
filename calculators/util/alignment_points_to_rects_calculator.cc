// AlignmentPointsRectsCalculator: makes squares around two key points of
// detections.
//
//   node {
//     calculator: "AlignmentPointsRectsCalculator"
//     input_stream: "DETECTIONS:poses"       # std::vector<Detection>
//     input_stream: "IMAGE_SIZE:size"        # std::pair<int, int>
//     output_stream: "NORM_RECTS:rects"      # std::vector<NormalizedRect>
//     options { [syncline.DetectionsToRectsCalculatorOptions.ext] {
//       rotation_vector_start_keypoint_index: 0   # the middle of the hips
//       rotation_vector_end_keypoint_index: 1     # above the head
//       rotation_vector_target_angle_degrees: 90 } }
//   }
//
// The square, in pixels of the image, has its centre at the first of the two
// points, and the second lies on its inscribed circle. Ports, rotation and
// everything else are as in DetectionsToRectsCalculator. Both points and
// IMAGE_SIZE are required. An empty input sends nothing; the bound passes
// through.
//
// Thread rule: one call at a time.
// Tested by rect_calculators_test.
#include <cmath>

#include "calculators/util/detections_to_rects_calculator.h"
#include "framework/calculator_framework.h"

namespace syncline {

class AlignmentPointsRectsCalculator : public DetectionsToRectsCalculator {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    if (!cc->Options<Options>().has_rotation_vector_start_keypoint_index()) {
      return absl::InvalidArgumentError(
          "a square around which points? Set "
          "rotation_vector_start_keypoint_index and "
          "rotation_vector_end_keypoint_index");
    }
    return DetectionsToRectsCalculator::GetContract(cc);
  }

 protected:
  absl::StatusOr<Box> BoxOf(const LocationData& location,
                            const Options& options,
                            const ImageSize& image_size) const override {
    SYNCLINE_ASSIGN_OR_RETURN(
        (const auto [x0, y0]),
        KeypointInPixels(location,
                         options.rotation_vector_start_keypoint_index(),
                         image_size));
    SYNCLINE_ASSIGN_OR_RETURN(
        (const auto [x1, y1]),
        KeypointInPixels(location, options.rotation_vector_end_keypoint_index(),
                         image_size));
    const double edge = 2 * std::hypot(x1 - x0, y1 - y0);
    return Box{x0, y0, edge, edge, /*in_pixels=*/true};
  }
};
REGISTER_CALCULATOR(AlignmentPointsRectsCalculator);

}  // namespace syncline
