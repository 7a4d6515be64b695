// Rectangles around detections.
//
// A rectangle is turned so that the line from the key point at
// `start_keypoint_index` to the one at `end_keypoint_index` has
// `target_angle`, in degrees.
//
// Thread rule: as of the graph that is being built.
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

// A square whose centre is the first of the key points, and whose edge is at
// the other.
Stream<NormalizedRect> ConvertAlignmentPointsDetectionToRect(
    Stream<Detection> detection, Stream<std::pair<int, int>> image_size,
    int start_keypoint_index, int end_keypoint_index, float target_angle,
    Graph& graph);
// The same of the first detection.
Stream<NormalizedRect> ConvertAlignmentPointsDetectionsToRect(
    Stream<std::vector<Detection>> detections,
    Stream<std::pair<int, int>> image_size, int start_keypoint_index,
    int end_keypoint_index, float target_angle, Graph& graph);

// The bounding box.
Stream<NormalizedRect> ConvertDetectionToRect(
    Stream<Detection> detection, Stream<std::pair<int, int>> image_size,
    int start_keypoint_index, int end_keypoint_index, float target_angle,
    Graph& graph);
Stream<std::vector<NormalizedRect>> ConvertDetectionsToRects(
    Stream<std::vector<Detection>> detections,
    Stream<std::pair<int, int>> image_size, int start_keypoint_index,
    int end_keypoint_index, float target_angle, Graph& graph);
// What encloses the key points of the first detection.
Stream<NormalizedRect> ConvertDetectionsToRectUsingKeypoints(
    Stream<std::vector<Detection>> detections,
    Stream<std::pair<int, int>> image_size, int start_keypoint_index,
    int end_keypoint_index, float target_angle, Graph& graph);

}  // namespace builder
}  // namespace api2
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_API2_STREAM_DETECTIONS_TO_RECTS_H_
