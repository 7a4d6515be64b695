// RelativeVelocityFilter: a low pass filter that follows fast changes. How fast
// a change is depends on the size of the object that moves.
//
// The speed is the change of the last few values, each relative to the size of
// its object (value_scale is 1 / size), divided by the time that they took. The
// faster the value changes, the closer the output is to the input.
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
  // How to measure the distance of two values with different scales.
  enum class DistanceEstimationMode {
    // Each value is multiplied by its own scale.
    kLegacyTransition,
    // Both values are multiplied by the scale of the later one.
    kForceCurrentScale,
    kDefault = kLegacyTransition,
  };

  // The speed is measured over at most `window_size` changes, and multiplied by
  // `velocity_scale`. With 0 the first value stays for ever; the larger it is,
  // the more of each new value passes.
  RelativeVelocityFilter(
      std::size_t window_size, float velocity_scale,
      DistanceEstimationMode distance_mode = DistanceEstimationMode::kDefault)
      : max_window_size_(window_size),
        velocity_scale_(velocity_scale),
        distance_mode_(distance_mode) {}

  // The filtered value. A timestamp that is not later than the last one is
  // logged, and the value is returned unchanged.
  float Apply(absl::Duration timestamp, float value_scale, float value);

 private:
  struct Change {
    float distance;
    absl::Duration duration;
  };

  // The speed from the last value to this one, and over some changes before.
  float SpeedWith(const Change& change) const;

  const std::size_t max_window_size_;
  const float velocity_scale_;
  const DistanceEstimationMode distance_mode_;

  LowPassFilter value_{1};
  // The latest change is the first element.
  std::deque<Change> window_;
  bool has_last_ = false;
  float last_value_ = 0;
  float last_scale_ = 1;
  absl::Duration last_time_;
};

}  // namespace syncline

#endif  // SYNCLINE_UTIL_FILTERING_RELATIVE_VELOCITY_FILTER_H_
