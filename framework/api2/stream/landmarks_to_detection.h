// A detection around landmarks.
//
// Thread rule: as for the graph that is being built.
// Tested by stream_helpers_test.

#ifndef SYNCLINE_FRAMEWORK_API2_STREAM_LANDMARKS_TO_DETECTION_H_
#define SYNCLINE_FRAMEWORK_API2_STREAM_LANDMARKS_TO_DETECTION_H_

#include "framework/api2/builder.h"

namespace syncline {

class Detection;
class NormalizedLandmarkList;

namespace api2 {
namespace builder {

// A detection with the bounding box of the landmarks. Its key points are the
// landmarks.
Stream<Detection> ConvertLandmarksToDetection(
    Stream<NormalizedLandmarkList> landmarks, Graph& graph);

}  // namespace builder
}  // namespace api2
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_API2_STREAM_LANDMARKS_TO_DETECTION_H_
