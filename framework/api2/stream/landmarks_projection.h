// Converts landmarks of a part of an image to landmarks of the whole image.
//
// Thread rule: as for the graph that is being built.
// Tested by stream_helpers_test.

#ifndef SYNCLINE_FRAMEWORK_API2_STREAM_LANDMARKS_PROJECTION_H_
#define SYNCLINE_FRAMEWORK_API2_STREAM_LANDMARKS_PROJECTION_H_

#include <array>

#include "framework/api2/builder.h"

namespace syncline {

class NormalizedLandmarkList;
class NormalizedRect;

namespace api2 {
namespace builder {

// The part is given as a rectangle, or as a matrix (row by row) that maps the
// part to the image.
Stream<NormalizedLandmarkList> ProjectLandmarks(
    Stream<NormalizedLandmarkList> landmarks, Stream<NormalizedRect> rect,
    Graph& graph);
Stream<NormalizedLandmarkList> ProjectLandmarks(
    Stream<NormalizedLandmarkList> landmarks,
    Stream<std::array<float, 16>> projection_matrix, Graph& graph);

}  // namespace builder
}  // namespace api2
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_API2_STREAM_LANDMARKS_PROJECTION_H_
