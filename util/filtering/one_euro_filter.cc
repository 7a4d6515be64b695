#include "util/filtering/one_euro_filter.h"

#include <cmath>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "framework/port/logging.h"

namespace syncline {
namespace {

double PositiveOrOne(absl::string_view name, double value) {
  if (value > 0) return value;
  LOG(ERROR) << "The " << name << " of a 1 Euro filter is above 0, and cannot "
             << "be " << value << ".";
  return 1;
}

}  // namespace

OneEuroFilter::OneEuroFilter(double frequency, double min_cutoff, double beta,
                             double derivate_cutoff)
    : min_cutoff_(PositiveOrOne("min_cutoff", min_cutoff)),
      beta_(beta),
      derivate_cutoff_(PositiveOrOne("derivate_cutoff", derivate_cutoff)),
      frequency_(PositiveOrOne("frequency", frequency)),
      value_(Alpha(min_cutoff_)),
      speed_(Alpha(derivate_cutoff_)) {}

double OneEuroFilter::Alpha(double cutoff) const {
  constexpr double kPi = 3.14159265358979323846;
  const double steps = frequency_ / (2 * kPi * cutoff);
  return 1 / (1 + steps);
}

double OneEuroFilter::Apply(absl::Duration timestamp, double value,
                            double value_scale, double beta_scale) {
  if (timestamp <= last_time_) {
    if (value_.HasLastRawValue()) {
      LOG(WARNING) << "A 1 Euro filter needs timestamps that increase: after "
                   << last_time_ << " came " << timestamp << ".";
    }
    return value;
  }
  if (value_.HasLastRawValue()) {
    frequency_ = 1 / absl::ToDoubleSeconds(timestamp - last_time_);
  }
  last_time_ = timestamp;

  const double speed =
      value_.HasLastRawValue()
          ? (value - value_.LastRawValue()) * value_scale * frequency_
          : 0;
  const double smooth_speed =
      speed_.ApplyWithAlpha(speed, Alpha(derivate_cutoff_));
  const double cutoff =
      min_cutoff_ + beta_ * beta_scale * std::abs(smooth_speed);
  return value_.ApplyWithAlpha(value, Alpha(cutoff));
}

}  // namespace syncline
