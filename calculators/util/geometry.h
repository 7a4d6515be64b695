// Angles, sizes and places, as the calculators of this folder compute with
// them: what comes in a packet may be any number, and what goes out is one that
// the format can hold.
//
// Thread rule: pure functions on one call's data.
// Tested by rect_calculators_test and detection_calculators_test.

#ifndef SYNCLINE_CALCULATORS_UTIL_GEOMETRY_H_
#define SYNCLINE_CALCULATORS_UTIL_GEOMETRY_H_

#include <array>
#include <string>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
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

// Width and height, in pixels, from the packet of the input `tag`, which is
// there. INVALID_ARGUMENT unless both are above 0.
absl::StatusOr<std::pair<int, int>> ReadImageSize(
    const CalculatorContext* cc, const char* tag = "IMAGE_SIZE");

// The one of `tags` that `ports` has. INVALID_ARGUMENT, with `what` the ports
// are ("the input of rectangles"), if it has none or several.
template <typename Ports>
absl::StatusOr<const char*> OneTagOf(const Ports& ports,
                                     absl::Span<const char* const> tags,
                                     absl::string_view what) {
  const char* found = nullptr;
  std::string names;
  int count = 0;
  for (const char* const tag : tags) {
    absl::StrAppend(&names, names.empty() ? "" : ", ", tag);
    if (!ports.HasTag(tag)) continue;
    found = tag;
    ++count;
  }
  if (count == 1) return found;
  return absl::InvalidArgumentError(
      absl::StrCat(what, " is one of ", names, ", but ", count,
                   count == 1 ? " is" : " are", " connected"));
}

struct PlanePoint {
  double x;
  double y;
};

// By so much about (0, 0): clockwise where y points down, as in images.
PlanePoint Turned(PlanePoint point, double radians);

// The smallest upright box around points, of which there is at least one.
LocationData::RelativeBoundingBox BoxAround(
    absl::Span<const PlanePoint> points);

// Moves what a location has in parts of the image: the box, of which the four
// corners are moved and a new upright box put around them, and the key points.
// INVALID_ARGUMENT for a location in pixels, which says nothing of parts.
absl::Status MovePlaces(absl::FunctionRef<PlanePoint(PlanePoint)> move,
                        LocationData* location);

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
