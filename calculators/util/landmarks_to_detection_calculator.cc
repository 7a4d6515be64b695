// LandmarksToDetectionCalculator: makes a detection around landmarks.
//
//   node {
//     calculator: "LandmarksToDetectionCalculator"
//     input_stream: "NORM_LANDMARKS:hand"     # NormalizedLandmarkList
//     output_stream: "DETECTION:hand_box"     # Detection
//     options { [syncline.LandmarksToDetectionCalculatorOptions.ext] {
//       selected_landmark_indices: [ 0, 5, 17 ] } }
//   }
//
// The landmarks become the key points of the detection, in their order or in
// that of selected_landmark_indices, and its place is the smallest upright box
// around them. An index that the landmarks do not have ends the run with an
// error.
//
// Without landmarks no detection is sent. An empty input sends nothing; the
// bound passes through (timestamp offset 0).
//
// Thread rule: no state of its own.
// Tested by landmark_calculators_test.
#include <utility>
#include <vector>

#include "calculators/util/geometry.h"
#include "calculators/util/landmarks_to_detection_calculator.pb.h"
#include "framework/calculator_framework.h"
#include "framework/formats/detection.pb.h"
#include "framework/formats/landmark.pb.h"
#include "framework/formats/location_data.pb.h"

namespace syncline {
namespace {

constexpr char kLandmarks[] = "NORM_LANDMARKS";
constexpr char kDetection[] = "DETECTION";

}  // namespace

class LandmarksToDetectionCalculator : public CalculatorBase {
 public:
  using Options = LandmarksToDetectionCalculatorOptions;

  static absl::Status GetContract(CalculatorContract* cc) {
    for (const int index : cc->Options<Options>().selected_landmark_indices()) {
      if (index < 0) {
        return absl::InvalidArgumentError(absl::StrCat(
            "selected_landmark_indices has ", index, ", but counts from 0"));
      }
    }
    cc->Inputs().Tag(kLandmarks).Set<NormalizedLandmarkList>();
    cc->Outputs().Tag(kDetection).Set<Detection>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const InputStream& input = cc->Inputs().Tag(kLandmarks);
    if (input.IsEmpty()) return absl::OkStatus();
    const auto& landmarks = input.Get<NormalizedLandmarkList>();
    if (landmarks.landmark().empty()) return absl::OkStatus();

    std::vector<PlanePoint> points;
    Detection detection;
    LocationData& location = *detection.mutable_location_data();
    const auto add = [&](const NormalizedLandmark& landmark) {
      auto& keypoint = *location.add_relative_keypoints();
      keypoint.set_x(landmark.x());
      keypoint.set_y(landmark.y());
      points.push_back({landmark.x(), landmark.y()});
    };
    const auto& selected = cc->Options<Options>().selected_landmark_indices();
    for (const int index : selected) {
      if (index >= landmarks.landmark_size()) {
        return absl::InvalidArgumentError(absl::StrCat(
            "selected_landmark_indices has ", index, ", but the landmarks at ",
            cc->InputTimestamp().DebugString(), " are ",
            landmarks.landmark_size()));
      }
      add(landmarks.landmark(index));
    }
    if (selected.empty()) {
      for (const auto& landmark : landmarks.landmark()) add(landmark);
    }
    location.set_format(LocationData::RELATIVE_BOUNDING_BOX);
    *location.mutable_relative_bounding_box() = BoxAround(points);
    cc->Outputs()
        .Tag(kDetection)
        .AddPacket(MakePacket<Detection>(std::move(detection))
                       .At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(LandmarksToDetectionCalculator);

}  // namespace syncline
