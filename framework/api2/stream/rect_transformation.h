// Rectangles that are scaled, shifted and made square.
//
// Factors and shifts go along the sides of the rectangle; a shift is in parts
// of its width and height. `image_size` says how wide a pixel is.
//
// Thread rule: as of the graph that is being built.
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

// A square with the long side of the rectangle.
Stream<NormalizedRect> ScaleAndMakeSquare(
    Stream<NormalizedRect> rect, Stream<std::pair<int, int>> image_size,
    float scale_x_factor, float scale_y_factor, Graph& graph);
Stream<std::vector<NormalizedRect>> ScaleAndMakeSquare(
    Stream<std::vector<NormalizedRect>> rects,
    Stream<std::pair<int, int>> image_size, float scale_x_factor,
    float scale_y_factor, Graph& graph);

// The same, shifted.
Stream<NormalizedRect> ScaleAndShiftAndMakeSquareLong(
    Stream<NormalizedRect> rect, Stream<std::pair<int, int>> image_size,
    float scale_x_factor, float scale_y_factor, float shift_x, float shift_y,
    Graph& graph);
Stream<std::vector<NormalizedRect>> ScaleAndShiftAndMakeSquareLong(
    Stream<std::vector<NormalizedRect>> rects,
    Stream<std::pair<int, int>> image_size, float scale_x_factor,
    float scale_y_factor, float shift_x, float shift_y, Graph& graph);

// Only scaled.
Stream<NormalizedRect> Scale(Stream<NormalizedRect> rect,
                             Stream<std::pair<int, int>> image_size,
                             float scale_x_factor, float scale_y_factor,
                             Graph& graph);

}  // namespace builder
}  // namespace api2
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_API2_STREAM_RECT_TRANSFORMATION_H_
