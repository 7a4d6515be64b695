#include "util/filtering/low_pass_filter.h"

#include "framework/port/logging.h"

namespace syncline {

LowPassFilter::LowPassFilter(float alpha) { SetAlpha(alpha); }

float LowPassFilter::Apply(float value) {
  last_raw_ = value;
  last_ = has_last_ ? alpha_ * value + (1 - alpha_) * last_ : value;
  has_last_ = true;
  return last_;
}

float LowPassFilter::ApplyWithAlpha(float value, float alpha) {
  SetAlpha(alpha);
  return Apply(value);
}

void LowPassFilter::SetAlpha(float alpha) {
  if (alpha >= 0 && alpha <= 1) {
    alpha_ = alpha;
  } else {
    LOG(ERROR) << "The alpha of a low pass filter is from 0 to 1, and cannot "
                  "be "
               << alpha << ".";
  }
}

}  // namespace syncline
