// DetectionLetterboxRemovalCalculator: converts detections in an image with
// padding to detections in the image without padding.
//
//   node {
//     calculator: "DetectionLetterboxRemovalCalculator"
//     input_stream: "DETECTIONS:padded"           # std::vector<Detection>
//     input_stream: "LETTERBOX_PADDING:padding"   # std::array<float, 4>: left,
//     output_stream: "DETECTIONS:detections"      #   top, right, bottom, in
//   }                                             #   parts of the padded image
//
// Relative boxes and key points are converted; detections in pixels end the run
// with an error. An empty input sends nothing, and neither do detections
// without a padding at their timestamp; the bound passes through (timestamp
// offset 0).
//
// Thread rule: no state of its own.
// Tested by detection_calculators_test.
#include <array>
#include <vector>

#include "calculators/util/geometry.h"
#include "calculators/util/letterbox.h"
#include "calculators/util/move_detections.h"
#include "framework/calculator_framework.h"
#include "framework/formats/detection.pb.h"

namespace syncline {
namespace {

constexpr char kDetections[] = "DETECTIONS";
constexpr char kPadding[] = "LETTERBOX_PADDING";

}  // namespace

class DetectionLetterboxRemovalCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Tag(kDetections).Set<std::vector<Detection>>();
    cc->Inputs().Tag(kPadding).Set<std::array<float, 4>>();
    cc->Outputs().Tag(kDetections).Set<std::vector<Detection>>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const InputStream& input = cc->Inputs().Tag(kDetections);
    const InputStream& padding = cc->Inputs().Tag(kPadding);
    if (input.IsEmpty() || padding.IsEmpty()) return absl::OkStatus();
    SYNCLINE_ASSIGN_OR_RETURN(const Letterbox box, Letterbox::Read(padding));
    return SendMoved(
        [&box](PlanePoint point) { return box.WithoutPadding(point); }, input,
        cc->Outputs().Tag(kDetections));
  }
};
REGISTER_CALCULATOR(DetectionLetterboxRemovalCalculator);

}  // namespace syncline
