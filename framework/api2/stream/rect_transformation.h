// Scales and shifts rectangles, and makes them square.
//
// Factors and shifts apply along the sides of the rectangle. A shift of 1 is
// its whole width or height. `image_size` is needed to convert between x and y.
//
// Thread rule: as for the graph that is being built.
// Tested by stream_helpers_test.

#ifndef SYNCLINE_FRAMEWORK_API2_STREAM_RECT_TRANSFORMATION_H_
#define SYNCLINE_FRAMEWORK_API2_STREAM_RECT_TRANSFORMATION_H_

#include <utility>
#include <vector>

#include "framework/api2/builder.h"

namespace syncline {

class NormalizedRect;

namespace api2 {
namespace builder {

// Scales, then makes a square with the longer side of the rectangle.
Stream<NormalizedRect> ScaleAndMakeSquare(
    Stream<NormalizedRect> rect, Stream<std::pair<int, int>> image_size,
    float scale_x_factor, float scale_y_factor, Graph& graph);
Stream<std::vector<NormalizedRect>> ScaleAndMakeSquare(
    Stream<std::vector<NormalizedRect>> rects,
    Stream<std::pair<int, int>> image_size, float scale_x_factor,
    float scale_y_factor, Graph& graph);

// The same with a shift.
Stream<NormalizedRect> ScaleAndShiftAndMakeSquareLong(
    Stream<NormalizedRect> rect, Stream<std::pair<int, int>> image_size,
    float scale_x_factor, float scale_y_factor, float shift_x, float shift_y,
    Graph& graph);
Stream<std::vector<NormalizedRect>> ScaleAndShiftAndMakeSquareLong(
    Stream<std::vector<NormalizedRect>> rects,
    Stream<std::pair<int, int>> image_size, float scale_x_factor,
    float scale_y_factor, float shift_x, float shift_y, Graph& graph);

// Only scales.
Stream<NormalizedRect> Scale(Stream<NormalizedRect> rect,
                             Stream<std::pair<int, int>> image_size,
                             float scale_x_factor, float scale_y_factor,
                             Graph& graph);

}  // namespace builder
}  // namespace api2
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_API2_STREAM_RECT_TRANSFORMATION_H_
