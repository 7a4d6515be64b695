#include "util/filtering/relative_velocity_filter.h"

#include <cmath>

#include "absl/time/time.h"
#include "framework/port/logging.h"

namespace syncline {
namespace {

// The longest average time of a change that is used: after a pause, values from
// before it say nothing about the speed.
constexpr absl::Duration kLongestChange = absl::Nanoseconds(1000000000 / 30);

}  // namespace

float RelativeVelocityFilter::Apply(absl::Duration timestamp, float value_scale,
                                    float value) {
  if (has_last_ && timestamp <= last_time_) {
    LOG(WARNING) << "A relative velocity filter needs timestamps that "
                 << "increase: after " << last_time_ << " came " << timestamp
                 << ".";
    return value;
  }
  float alpha = 1;
  if (has_last_) {
    const float last_scale =
        distance_mode_ == DistanceEstimationMode::kLegacyTransition
            ? last_scale_
            : value_scale;
    const Change change = {value * value_scale - last_value_ * last_scale,
                           timestamp - last_time_};
    const float speed = std::abs(SpeedWith(change));
    alpha = 1 - 1 / (1 + velocity_scale_ * speed);
    window_.push_front(change);
    if (window_.size() > max_window_size_) window_.pop_back();
  }
  has_last_ = true;
  last_value_ = value;
  last_scale_ = value_scale;
  last_time_ = timestamp;
  return value_.ApplyWithAlpha(value, alpha);
}

float RelativeVelocityFilter::SpeedWith(const Change& change) const {
  const absl::Duration longest =
      kLongestChange * static_cast<double>(window_.size() + 1);
  float distance = change.distance;
  absl::Duration duration = change.duration;
  for (const Change& earlier : window_) {
    if (duration + earlier.duration > longest) break;
    distance += earlier.distance;
    duration += earlier.duration;
  }
  return static_cast<float>(distance / absl::ToDoubleSeconds(duration));
}

}  // namespace syncline
