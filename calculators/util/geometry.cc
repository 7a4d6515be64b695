#include "calculators/util/geometry.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "framework/calculator_framework.h"
#include "framework/formats/location.h"
#include "framework/formats/location_data.pb.h"
#include "framework/port/rectangle.h"

namespace syncline {

double NormalizedRadians(double radians) {
  return radians - 2 * kPi * std::floor((radians + kPi) / (2 * kPi));
}

int CutToInt(double value) {
  if (std::isnan(value)) return 0;
  constexpr double kMin = std::numeric_limits<int>::min();
  constexpr double kMax = std::numeric_limits<int>::max();
  return static_cast<int>(std::clamp(value, kMin, kMax));
}

absl::Status CheckNumber(absl::string_view name, double value,
                         bool may_be_zero) {
  if (std::isfinite(value) && (value > 0 || (may_be_zero && value == 0))) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat(name, " is ", value, ", but has to be a number ",
                   may_be_zero ? "not below 0" : "above 0"));
}

absl::StatusOr<std::pair<int, int>> ReadImageSize(const CalculatorContext* cc,
                                                  const char* tag) {
  const InputStream& input = cc->Inputs().Tag(tag);
  const auto& size = input.Get<std::pair<int, int>>();
  if (size.first > 0 && size.second > 0) return size;
  return absl::InvalidArgumentError(
      absl::StrCat("the image size of stream \"", input.Name(), "\" at ",
                   cc->InputTimestamp().DebugString(), " is ", size.first,
                   " x ", size.second, ", but width and height are above 0"));
}

PlanePoint Turned(PlanePoint point, double radians) {
  const double cosine = std::cos(radians);
  const double sine = std::sin(radians);
  return {point.x * cosine - point.y * sine, point.x * sine + point.y * cosine};
}

LocationData::RelativeBoundingBox BoxAround(
    absl::Span<const PlanePoint> points) {
  PlanePoint low = points.front();
  PlanePoint high = low;
  for (const PlanePoint& point : points) {
    low = {std::min(low.x, point.x), std::min(low.y, point.y)};
    high = {std::max(high.x, point.x), std::max(high.y, point.y)};
  }
  LocationData::RelativeBoundingBox box;
  box.set_xmin(static_cast<float>(low.x));
  box.set_ymin(static_cast<float>(low.y));
  box.set_width(static_cast<float>(high.x - low.x));
  box.set_height(static_cast<float>(high.y - low.y));
  return box;
}

absl::StatusOr<Rectangle_f> RelativeBoxOf(
    const LocationData& location,
    absl::optional<std::pair<int, int>> image_size) {
  if (!Location::IsValidLocationData(location)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a location of format ", LocationData::Format_Name(location.format()),
        " without its place"));
  }
  if (location.format() == LocationData::RELATIVE_BOUNDING_BOX) {
    return Location(location).GetRelativeBBox();
  }
  if (location.format() == LocationData::GLOBAL) return Rectangle_f(0, 0, 1, 1);
  if (!image_size.has_value() || image_size->first <= 0 ||
      image_size->second <= 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a location of format ", LocationData::Format_Name(location.format()),
        " is in pixels, and the size of the image is not known"));
  }
  return Location(location).ConvertToRelativeBBox(image_size->first,
                                                  image_size->second);
}

PlanePoint Project(const ProjectionMatrix& m, double x, double y, double z) {
  return {m[0] * x + m[1] * y + m[2] * z + m[3],
          m[4] * x + m[5] * y + m[6] * z + m[7]};
}

}  // namespace syncline
