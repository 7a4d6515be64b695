// LandmarksFilter: smooths the landmarks of one object over time.
//
// Each coordinate has a filter of its own (util/filtering), as the options say:
// none, one that goes by the velocity relative to the object's size, or the
// 1 Euro filter. Coordinates are filtered in pixels, so that an image that is
// not square changes nothing.
//
// A coordinate that is no number, or farther away than any image is large,
// passes as it is, and its filter starts anew after it. So do all filters when
// the number of landmarks changes: it is then another object.
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

  // `options` are checked.
  explicit LandmarksFilter(const Options& options) : options_(options) {}

  // How many pixels the units of x and y are; z is in those of x.
  struct Units {
    double x = 1;
    double y = 1;
  };

  // The landmarks, smoothed. `object_scale` is the size of the object in
  // pixels, by default that of the landmarks.
  NormalizedLandmarkList Apply(Timestamp time, NormalizedLandmarkList landmarks,
                               Units units,
                               absl::optional<double> object_scale);
  LandmarkList Apply(Timestamp time, LandmarkList landmarks, Units units,
                     absl::optional<double> object_scale);

  // Forgets what came so far.
  void Reset() { filters_.clear(); }

 private:
  // Of one coordinate; the first alternative: nothing came yet.
  using Filter =
      std::variant<std::monostate, OneEuroFilter, RelativeVelocityFilter>;

  template <typename List>
  void Smooth(Timestamp time, Units units, absl::optional<double> object_scale,
              List* landmarks);
  double Filtered(Timestamp time, double value_scale, double value,
                  Filter& filter) const;

  const Options options_;
  std::vector<Filter> filters_;  // three for each landmark
};

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_UTIL_LANDMARKS_FILTER_H_
