// Angles, sizes and places, as the calculators of this folder compute with
// them: what comes in a packet may be any number, and what goes out is one that
// the format can hold.
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

// The same direction, from -pi up to pi.
double NormalizedRadians(double radians);
inline double RadiansOf(double degrees) { return degrees * kPi / 180; }

// What is left of a number without its fraction; the nearest int where there is
// none, and 0 for what is no number.
int CutToInt(double value);

// INVALID_ARGUMENT unless the option `name` is a finite number above 0, or also
// 0 where it may be.
absl::Status CheckNumber(absl::string_view name, double value,
                         bool may_be_zero);

// Width and height, in pixels, from the packet of the input `tag`, which is
// there. INVALID_ARGUMENT unless both are above 0.
absl::StatusOr<std::pair<int, int>> ReadImageSize(
    const CalculatorContext* cc, const char* tag = "IMAGE_SIZE");

struct PlanePoint {
  double x;
  double y;
};

// By so much about (0, 0): clockwise where y points down, as in images.
PlanePoint Turned(PlanePoint point, double radians);

// The smallest upright box around points, of which there is at least one.
LocationData::RelativeBoundingBox BoxAround(
    absl::Span<const PlanePoint> points);

// The box of a location in parts of the image, whose size has to be known where
// the location is in pixels. INVALID_ARGUMENT without that, or without a box.
absl::StatusOr<Rectangle_f> RelativeBoxOf(
    const LocationData& location,
    absl::optional<std::pair<int, int>> image_size);

// A map of space: 4 rows of 4, of which the first two say where a point comes
// to in the plane.
using ProjectionMatrix = std::array<float, 16>;
PlanePoint Project(const ProjectionMatrix& matrix, double x, double y,
                   double z);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_UTIL_GEOMETRY_H_
