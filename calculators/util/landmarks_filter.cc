#include "calculators/util/landmarks_filter.h"

#include <cmath>
#include <cstddef>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "calculators/util/geometry.h"
#include "framework/calculator_framework.h"
#include "framework/formats/landmark.pb.h"
#include "framework/formats/location_data.pb.h"

namespace syncline {
namespace {

// The largest coordinate in pixels that is filtered. Beyond it, speeds could
// become NaN.
bool IsPlace(double pixels) { return std::abs(pixels) < 1e12; }

// The size of all landmarks in pixels: the mean of width and height.
template <typename List>
double SizeOf(const List& landmarks, LandmarksFilter::Units units) {
  std::vector<PlanePoint> points;
  for (const auto& landmark : landmarks.landmark()) {
    const PlanePoint point = {landmark.x() * units.x, landmark.y() * units.y};
    if (IsPlace(point.x) && IsPlace(point.y)) points.push_back(point);
  }
  if (points.empty()) return 0;
  const LocationData::RelativeBoundingBox box = BoxAround(points);
  return (double{box.width()} + box.height()) / 2;
}

}  // namespace

absl::Status LandmarksFilter::CheckOptions(const Options& options) {
  if (options.has_one_euro_filter()) {
    const auto& filter = options.one_euro_filter();
    for (const auto& [name, value, may_be_zero] :
         {std::tuple("frequency", filter.frequency(), false),
          std::tuple("min_cutoff", filter.min_cutoff(), false),
          std::tuple("derivate_cutoff", filter.derivate_cutoff(), false),
          std::tuple("beta", filter.beta(), true),
          std::tuple("min_allowed_object_scale",
                     filter.min_allowed_object_scale(), true)}) {
      SYNCLINE_RETURN_IF_ERROR(CheckNumber(name, value, may_be_zero));
    }
  }
  if (options.has_velocity_filter()) {
    const auto& filter = options.velocity_filter();
    constexpr int kMaxWindow = 10000;
    if (filter.window_size() < 0 || filter.window_size() > kMaxWindow) {
      return absl::InvalidArgumentError(
          absl::StrCat("window_size is ", filter.window_size(),
                       ", but has to be from 0 to ", kMaxWindow));
    }
    SYNCLINE_RETURN_IF_ERROR(
        CheckNumber("velocity_scale", filter.velocity_scale(), true));
    SYNCLINE_RETURN_IF_ERROR(CheckNumber(
        "min_allowed_object_scale", filter.min_allowed_object_scale(), true));
  }
  return absl::OkStatus();
}

NormalizedLandmarkList LandmarksFilter::Apply(
    Timestamp time, NormalizedLandmarkList landmarks, Units units,
    absl::optional<double> object_scale) {
  Smooth(time, units, object_scale, &landmarks);
  return landmarks;
}

LandmarkList LandmarksFilter::Apply(Timestamp time, LandmarkList landmarks,
                                    Units units,
                                    absl::optional<double> object_scale) {
  Smooth(time, units, object_scale, &landmarks);
  return landmarks;
}

template <typename List>
void LandmarksFilter::Smooth(Timestamp time, Units units,
                             absl::optional<double> object_scale,
                             List* landmarks) {
  if (!options_.has_one_euro_filter() && !options_.has_velocity_filter()) {
    return;
  }
  const bool is_scaled =
      options_.has_one_euro_filter()
          ? !options_.one_euro_filter().disable_value_scaling()
          : !options_.velocity_filter().disable_value_scaling();
  double value_scale = 1;
  if (is_scaled) {
    const double scale =
        object_scale.has_value() ? *object_scale : SizeOf(*landmarks, units);
    const double smallest =
        options_.has_one_euro_filter()
            ? options_.one_euro_filter().min_allowed_object_scale()
            : options_.velocity_filter().min_allowed_object_scale();
    // The size is too small to divide by, or NaN.
    if (!(scale > 0 && scale >= smallest)) return;
    value_scale = 1 / scale;
  }
  const auto count = static_cast<std::size_t>(landmarks->landmark_size());
  if (filters_.size() != 3 * count) {
    filters_.clear();
    filters_.resize(3 * count);
  }
  auto filter = filters_.begin();
  const auto filtered = [&](float value, double unit) {
    return static_cast<float>(
        Filtered(time, value_scale, value * unit, *filter++) / unit);
  };
  for (auto& landmark : *landmarks->mutable_landmark()) {
    landmark.set_x(filtered(landmark.x(), units.x));
    landmark.set_y(filtered(landmark.y(), units.y));
    landmark.set_z(filtered(landmark.z(), units.x));
  }
}

double LandmarksFilter::Filtered(Timestamp time, double value_scale,
                                 double value, Filter& filter) const {
  if (!IsPlace(value)) {
    filter.emplace<std::monostate>();
    return value;
  }
  const absl::Duration at = absl::Microseconds(time.Value());
  const bool is_new = std::holds_alternative<std::monostate>(filter);
  if (options_.has_one_euro_filter()) {
    const auto& options = options_.one_euro_filter();
    if (is_new) {
      filter.emplace<OneEuroFilter>(options.frequency(), options.min_cutoff(),
                                    options.beta(), options.derivate_cutoff());
    }
    return std::get<OneEuroFilter>(filter).Apply(at, value, value_scale);
  }
  const auto& options = options_.velocity_filter();
  if (is_new) {
    filter.emplace<RelativeVelocityFilter>(
        static_cast<std::size_t>(options.window_size()),
        options.velocity_scale());
  }
  return std::get<RelativeVelocityFilter>(filter).Apply(
      at, static_cast<float>(value_scale), static_cast<float>(value));
}

}  // namespace syncline
