// LandmarksFilter: smooths the landmarks of one object over time.
//
// Each coordinate has its own filter (util/filtering). The options say which:
// none, one that depends on the velocity relative to the object's size, or the
// 1 Euro filter. Coordinates are filtered in pixels, so that the image need not
// be square.
//
// A coordinate that is NaN, or larger than any image, is not changed, and its
// filter starts anew after it. If the number of landmarks changes, all filters
// start anew, since it is then another object.
//
// Thread rule: for one thread.
// Tested by landmark_calculators_test.

#ifndef SYNCLINE_CALCULATORS_UTIL_LANDMARKS_FILTER_H_
#define SYNCLINE_CALCULATORS_UTIL_LANDMARKS_FILTER_H_

#include <variant>
#include <vector>

#include "absl/types/optional.h"
#include "calculators/util/landmarks_smoothing_calculator.pb.h"
#include "framework/calculator_framework.h"
#include "framework/formats/landmark.pb.h"
#include "util/filtering/one_euro_filter.h"
#include "util/filtering/relative_velocity_filter.h"

namespace syncline {

class LandmarksFilter {
 public:
  using Options = LandmarksSmoothingCalculatorOptions;

  // INVALID_ARGUMENT names the option that is out of range.
  static absl::Status CheckOptions(const Options& options);

  // The options must have been checked by CheckOptions.
  explicit LandmarksFilter(const Options& options) : options_(options) {}

  // The size of the units of x and y, in pixels. z has the unit of x.
  struct Units {
    double x = 1;
    double y = 1;
  };

  // The smoothed landmarks. `object_scale` is the size of the object in pixels,
  // by default the size of the landmarks.
  NormalizedLandmarkList Apply(Timestamp time, NormalizedLandmarkList landmarks,
                               Units units,
                               absl::optional<double> object_scale);
  LandmarkList Apply(Timestamp time, LandmarkList landmarks, Units units,
                     absl::optional<double> object_scale);

  // Starts anew, as if no landmarks had come.
  void Reset() { filters_.clear(); }

 private:
  // The filter of one coordinate. The first alternative: no value has come yet.
  using Filter =
      std::variant<std::monostate, OneEuroFilter, RelativeVelocityFilter>;

  template <typename List>
  void Smooth(Timestamp time, Units units, absl::optional<double> object_scale,
              List* landmarks);
  double Filtered(Timestamp time, double value_scale, double value,
                  Filter& filter) const;

  const Options options_;
  std::vector<Filter> filters_;  // three filters for each landmark
};

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_UTIL_LANDMARKS_FILTER_H_
