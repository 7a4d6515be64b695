// Rectangles around detections.
//
// A rectangle is turned so that the line from the key point at
// `start_keypoint_index` to the one at `end_keypoint_index` has
// `target_angle`, in degrees.
//
// Thread rule: as for the graph that is being built.
// Tested by stream_helpers_test.

#ifndef SYNCLINE_FRAMEWORK_API2_STREAM_DETECTIONS_TO_RECTS_H_
#define SYNCLINE_FRAMEWORK_API2_STREAM_DETECTIONS_TO_RECTS_H_

#include <utility>
#include <vector>

#include "framework/api2/builder.h"

namespace syncline {

class Detection;
class NormalizedRect;

namespace api2 {
namespace builder {

// A square around the first of the two key points; the second lies on its edge.
Stream<NormalizedRect> ConvertAlignmentPointsDetectionToRect(
    Stream<Detection> detection, Stream<std::pair<int, int>> image_size,
    int start_keypoint_index, int end_keypoint_index, float target_angle,
    Graph& graph);
// The same for the first detection.
Stream<NormalizedRect> ConvertAlignmentPointsDetectionsToRect(
    Stream<std::vector<Detection>> detections,
    Stream<std::pair<int, int>> image_size, int start_keypoint_index,
    int end_keypoint_index, float target_angle, Graph& graph);

// The bounding box as a rectangle.
Stream<NormalizedRect> ConvertDetectionToRect(
    Stream<Detection> detection, Stream<std::pair<int, int>> image_size,
    int start_keypoint_index, int end_keypoint_index, float target_angle,
    Graph& graph);
Stream<std::vector<NormalizedRect>> ConvertDetectionsToRects(
    Stream<std::vector<Detection>> detections,
    Stream<std::pair<int, int>> image_size, int start_keypoint_index,
    int end_keypoint_index, float target_angle, Graph& graph);
// A rectangle around the key points of the first detection.
Stream<NormalizedRect> ConvertDetectionsToRectUsingKeypoints(
    Stream<std::vector<Detection>> detections,
    Stream<std::pair<int, int>> image_size, int start_keypoint_index,
    int end_keypoint_index, float target_angle, Graph& graph);

}  // namespace builder
}  // namespace api2
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_API2_STREAM_DETECTIONS_TO_RECTS_H_
