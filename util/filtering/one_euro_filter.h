// OneEuroFilter: a low pass filter that follows fast changes.
//
// A slow value shows noise most, and a fast value shows lag most. So the faster
// the value changes, the higher is the frequency that passes: the cutoff is
// min_cutoff + beta * speed, where the speed is smoothed with its own cutoff,
// derivate_cutoff. See G. Casiez, N. Roussel, D. Vogel, "1€ Filter", CHI 2012.
//
// Thread rule: for one thread.
// Tested by filtering_test.

#ifndef SYNCLINE_UTIL_FILTERING_ONE_EURO_FILTER_H_
#define SYNCLINE_UTIL_FILTERING_ONE_EURO_FILTER_H_

#include "absl/time/time.h"
#include "util/filtering/low_pass_filter.h"

namespace syncline {

class OneEuroFilter {
 public:
  // The number of values in a second, until timestamps tell it, and the
  // cutoffs: in Hz, all above 0. A number out of range is logged, and 1 is
  // used.
  OneEuroFilter(double frequency, double min_cutoff, double beta,
                double derivate_cutoff);

  // The filtered value. Speeds are measured after multiplying by `value_scale`,
  // and beta is multiplied by `beta_scale`. A value whose timestamp is not
  // later than the last one is returned unchanged and not remembered, and the
  // log says so. Time begins at 0: the same happens, without a line in the log,
  // to a value at 0 or before, so that the next one counts as the first.
  double Apply(absl::Duration timestamp, double value, double value_scale = 1.0,
               double beta_scale = 1.0);

 private:
  // The alpha of a low pass filter with this cutoff.
  double Alpha(double cutoff) const;

  const double min_cutoff_;
  const double beta_;
  const double derivate_cutoff_;
  double frequency_;
  LowPassFilter value_;
  LowPassFilter speed_;
  absl::Duration last_time_;  // 0 before the first value
};

}  // namespace syncline

#endif  // SYNCLINE_UTIL_FILTERING_ONE_EURO_FILTER_H_
