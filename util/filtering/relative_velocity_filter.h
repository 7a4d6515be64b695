// RelativeVelocityFilter: a low pass filter that follows fast changes, where
// what is fast depends on the size of the thing that moves.
//
// The speed is what a few last values changed, each in units of its thing
// (value_scale is 1 / size), over the time that they took. The faster, the
// closer the output is to the input; the slower, the calmer.
//
// Thread rule: for one thread.
// Tested by filtering_test.

#ifndef SYNCLINE_UTIL_FILTERING_RELATIVE_VELOCITY_FILTER_H_
#define SYNCLINE_UTIL_FILTERING_RELATIVE_VELOCITY_FILTER_H_

#include <cstddef>
#include <deque>

#include "absl/time/time.h"
#include "util/filtering/low_pass_filter.h"

namespace syncline {

class RelativeVelocityFilter {
 public:
  // How the distance of two values with different scales is measured.
  enum class DistanceEstimationMode {
    // Each by its own scale.
    kLegacyTransition,
    // Both by that of the later one.
    kForceCurrentScale,
    kDefault = kLegacyTransition,
  };

  // The speed is measured over `window_size` changes at most; its weight is
  // `velocity_scale`: at 0 the first value stays, and the greater it is, the
  // more of each value passes.
  RelativeVelocityFilter(
      std::size_t window_size, float velocity_scale,
      DistanceEstimationMode distance_mode = DistanceEstimationMode::kDefault)
      : max_window_size_(window_size),
        velocity_scale_(velocity_scale),
        distance_mode_(distance_mode) {}

  // The filtered value. A timestamp that is not later than the last is logged,
  // and the value returned as it is.
  float Apply(absl::Duration timestamp, float value_scale, float value);

 private:
  struct Change {
    float distance;
    absl::Duration duration;
  };

  // From the last value to this one, and several changes before.
  float SpeedWith(const Change& change) const;

  const std::size_t max_window_size_;
  const float velocity_scale_;
  const DistanceEstimationMode distance_mode_;

  LowPassFilter value_{1};
  // The latest comes first.
  std::deque<Change> window_;
  bool has_last_ = false;
  float last_value_ = 0;
  float last_scale_ = 1;
  absl::Duration last_time_;
};

}  // namespace syncline

#endif  // SYNCLINE_UTIL_FILTERING_RELATIVE_VELOCITY_FILTER_H_
