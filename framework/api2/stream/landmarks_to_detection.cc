#include "framework/api2/stream/landmarks_to_detection.h"

#include "framework/api2/builder.h"

namespace syncline {
namespace api2 {
namespace builder {

Stream<Detection> ConvertLandmarksToDetection(
    Stream<NormalizedLandmarkList> landmarks, Graph& graph) {
  auto& node = graph.AddNode("LandmarksToDetectionCalculator");
  landmarks >> node.In("NORM_LANDMARKS");
  return node.Out("DETECTION").Cast<Detection>();
}

}  // namespace builder
}  // namespace api2
}  // namespace syncline
