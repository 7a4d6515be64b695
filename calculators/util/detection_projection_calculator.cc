// DetectionProjectionCalculator: converts detections in a part of an image to
// detections in the whole image.
//
//   node {
//     calculator: "DetectionProjectionCalculator"
//     input_stream: "DETECTIONS:in_crop"         # std::vector<Detection>
//     input_stream: "PROJECTION_MATRIX:matrix"   # std::array<float, 16>, by
//     output_stream: "DETECTIONS:in_image"       #   rows: from the part, from
//   }                                            #   0 to 1, to the image
//
// Key points are projected, and a box becomes the smallest upright box around
// its four corners; detections in pixels end the run with an error. An empty
// input sends nothing, and neither do detections without a matrix at their
// timestamp; the bound passes through (timestamp offset 0).
//
// Thread rule: no state of its own.
// Tested by detection_calculators_test.
#include <vector>

#include "calculators/util/geometry.h"
#include "calculators/util/move_detections.h"
#include "framework/calculator_framework.h"
#include "framework/formats/detection.pb.h"

namespace syncline {
namespace {

constexpr char kDetections[] = "DETECTIONS";
constexpr char kMatrix[] = "PROJECTION_MATRIX";

}  // namespace

class DetectionProjectionCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Tag(kDetections).Set<std::vector<Detection>>();
    cc->Inputs().Tag(kMatrix).Set<ProjectionMatrix>();
    cc->Outputs().Tag(kDetections).Set<std::vector<Detection>>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const InputStream& input = cc->Inputs().Tag(kDetections);
    if (input.IsEmpty() || cc->Inputs().Tag(kMatrix).IsEmpty()) {
      return absl::OkStatus();
    }
    const auto& matrix = cc->Inputs().Tag(kMatrix).Get<ProjectionMatrix>();
    return SendMoved(
        [&matrix](PlanePoint point) {
          return Project(matrix, point.x, point.y, 0);
        },
        input, cc->Outputs().Tag(kDetections));
  }
};
REGISTER_CALCULATOR(DetectionProjectionCalculator);

}  // namespace syncline
