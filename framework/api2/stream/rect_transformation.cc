#include "framework/api2/stream/rect_transformation.h"

#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "calculators/util/rect_transformation_calculator.pb.h"
#include "framework/api2/builder.h"

namespace syncline {
namespace api2 {
namespace builder {
namespace {

using ImageSize = std::pair<int, int>;
using Options = RectTransformationCalculatorOptions;

// Transforms one rectangle or a vector of rectangles; the result has the same
// type.
template <typename T>
Stream<T> Transform(Stream<T> rect, absl::string_view tag,
                    Stream<ImageSize> image_size, const Options& options,
                    Graph& graph) {
  auto& node = graph.AddNode("RectTransformationCalculator");
  node.GetOptions<Options>() = options;
  rect >> node.In(tag);
  image_size >> node.In("IMAGE_SIZE");
  return node.Out("").Cast<T>();
}

Options ScaledBy(float scale_x_factor, float scale_y_factor) {
  Options options;
  options.set_scale_x(scale_x_factor);
  options.set_scale_y(scale_y_factor);
  return options;
}

Options SquareScaledBy(float scale_x_factor, float scale_y_factor) {
  Options options = ScaledBy(scale_x_factor, scale_y_factor);
  options.set_square_long(true);
  return options;
}

Options ShiftedSquare(float scale_x_factor, float scale_y_factor, float shift_x,
                      float shift_y) {
  Options options = SquareScaledBy(scale_x_factor, scale_y_factor);
  options.set_shift_x(shift_x);
  options.set_shift_y(shift_y);
  return options;
}

}  // namespace

Stream<NormalizedRect> ScaleAndMakeSquare(Stream<NormalizedRect> rect,
                                          Stream<ImageSize> image_size,
                                          float scale_x_factor,
                                          float scale_y_factor, Graph& graph) {
  return Transform(rect, "NORM_RECT", image_size,
                   SquareScaledBy(scale_x_factor, scale_y_factor), graph);
}

Stream<std::vector<NormalizedRect>> ScaleAndMakeSquare(
    Stream<std::vector<NormalizedRect>> rects, Stream<ImageSize> image_size,
    float scale_x_factor, float scale_y_factor, Graph& graph) {
  return Transform(rects, "NORM_RECTS", image_size,
                   SquareScaledBy(scale_x_factor, scale_y_factor), graph);
}

Stream<NormalizedRect> ScaleAndShiftAndMakeSquareLong(
    Stream<NormalizedRect> rect, Stream<ImageSize> image_size,
    float scale_x_factor, float scale_y_factor, float shift_x, float shift_y,
    Graph& graph) {
  return Transform(
      rect, "NORM_RECT", image_size,
      ShiftedSquare(scale_x_factor, scale_y_factor, shift_x, shift_y), graph);
}

Stream<std::vector<NormalizedRect>> ScaleAndShiftAndMakeSquareLong(
    Stream<std::vector<NormalizedRect>> rects, Stream<ImageSize> image_size,
    float scale_x_factor, float scale_y_factor, float shift_x, float shift_y,
    Graph& graph) {
  return Transform(
      rects, "NORM_RECTS", image_size,
      ShiftedSquare(scale_x_factor, scale_y_factor, shift_x, shift_y), graph);
}

Stream<NormalizedRect> Scale(Stream<NormalizedRect> rect,
                             Stream<ImageSize> image_size, float scale_x_factor,
                             float scale_y_factor, Graph& graph) {
  return Transform(rect, "NORM_RECT", image_size,
                   ScaledBy(scale_x_factor, scale_y_factor), graph);
}

}  // namespace builder
}  // namespace api2
}  // namespace syncline
