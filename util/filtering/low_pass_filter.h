// LowPassFilter: a value that follows its input slowly.
//
// output = alpha * input + (1 - alpha) * last output. The first output is the
// first input.
//
// Thread rule: for one thread.
// Tested by filtering_test.

#ifndef SYNCLINE_UTIL_FILTERING_LOW_PASS_FILTER_H_
#define SYNCLINE_UTIL_FILTERING_LOW_PASS_FILTER_H_

namespace syncline {

class LowPassFilter {
 public:
  // alpha is from 0 to 1, both included. Another value is logged, and 0 is
  // used.
  explicit LowPassFilter(float alpha);

  float Apply(float value);
  // Changes alpha for this and the following values. An alpha that is out of
  // range is logged and changes nothing.
  float ApplyWithAlpha(float value, float alpha);

  // Whether there was a value; the last value; and the last output.
  bool HasLastRawValue() const { return has_last_; }
  float LastRawValue() const { return last_raw_; }
  float LastValue() const { return last_; }

 private:
  void SetAlpha(float alpha);

  float alpha_ = 0;
  bool has_last_ = false;
  float last_raw_ = 0;
  float last_ = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_UTIL_FILTERING_LOW_PASS_FILTER_H_
