// OneEuroFilter: a low pass filter that follows fast changes.
//
// Trembling shows while a value stands still, and lag while it moves. So the
// faster the value changes, the higher is the frequency that passes: the cutoff
// is min_cutoff + beta * speed, where the speed is smoothed by itself with
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
  // How often values come, until timestamps tell, and the cutoffs: in Hz, all
  // above 0. Out of range, they are logged and 1 taken.
  OneEuroFilter(double frequency, double min_cutoff, double beta,
                double derivate_cutoff);

  // The filtered value. Speeds are measured after multiplying by `value_scale`,
  // and their weight is multiplied by `beta_scale`. A timestamp that is not
  // later than the last is logged, and the value returned as it is.
  double Apply(absl::Duration timestamp, double value, double value_scale = 1.0,
               double beta_scale = 1.0);

 private:
  // What a filter with this cutoff takes of each value.
  double Alpha(double cutoff) const;

  const double min_cutoff_;
  const double beta_;
  const double derivate_cutoff_;
  double frequency_;
  LowPassFilter value_;
  LowPassFilter speed_;
  absl::Duration last_time_;
};

}  // namespace syncline

#endif  // SYNCLINE_UTIL_FILTERING_ONE_EURO_FILTER_H_
