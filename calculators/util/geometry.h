// Angles, sizes and places for the calculators of this folder. Packets may
// contain any numbers, so these functions make sure that the results fit into
// the formats.
//
// Thread rule: pure functions on one call's data.
// Tested by rect_calculators_test and detection_calculators_test.

#ifndef SYNCLINE_CALCULATORS_UTIL_GEOMETRY_H_
#define SYNCLINE_CALCULATORS_UTIL_GEOMETRY_H_

#include <array>
#include <utility>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "framework/calculator_framework.h"
#include "framework/formats/location_data.pb.h"
#include "framework/port/rectangle.h"

namespace syncline {

inline constexpr double kPi = 3.14159265358979323846;

// The same direction as an angle from -pi (included) to pi.
double NormalizedRadians(double radians);
inline double RadiansOf(double degrees) { return degrees * kPi / 180; }

// The number without its fraction; the nearest int if it is out of range, and 0
// for NaN.
int CutToInt(double value);

// INVALID_ARGUMENT unless the option `name` is a finite number above 0; or also
// 0, if that is allowed.
absl::Status CheckNumber(absl::string_view name, double value,
                         bool may_be_zero);

// Width and height in pixels, from the packet of the input `tag`. There must be
// a packet. INVALID_ARGUMENT unless both are above 0.
absl::StatusOr<std::pair<int, int>> ReadImageSize(
    const CalculatorContext* cc, const char* tag = "IMAGE_SIZE");

struct PlanePoint {
  double x;
  double y;
};

// Rotates by this angle about (0, 0): clockwise if y points down, as in images.
PlanePoint Turned(PlanePoint point, double radians);

// The smallest upright box around points. There must be at least one point.
LocationData::RelativeBoundingBox BoxAround(
    absl::Span<const PlanePoint> points);

// The box of a location relative to the image. INVALID_ARGUMENT if the location
// has no box, or if it is in pixels and the image's size is not known.
absl::StatusOr<Rectangle_f> RelativeBoxOf(
    const LocationData& location,
    absl::optional<std::pair<int, int>> image_size);

// A projection in space: a matrix of 4 rows and 4 columns, of which the first
// two rows give the place of a point in the plane.
using ProjectionMatrix = std::array<float, 16>;
PlanePoint Project(const ProjectionMatrix& matrix, double x, double y,
                   double z);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_UTIL_GEOMETRY_H_
