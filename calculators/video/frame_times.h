// FrameTimes: makes the timestamps of the frames of a source strictly
// increasing, whatever the container says.
//
// Containers have wrong times: times that repeat or go back, no times for the
// last frames of some codecs, times that are NaN. A frame without a usable time
// gets a time one frame period after the frame before.
//
//   container, ms    0    40     0    NaN    160
//   at 25 a second   0    40    80    120    160
//
// Thread rule: one user at a time.
// Tested by video_source_test.

#ifndef SYNCLINE_CALCULATORS_VIDEO_FRAME_TIMES_H_
#define SYNCLINE_CALCULATORS_VIDEO_FRAME_TIMES_H_

#include <cmath>
#include <cstdint>

namespace syncline {

class FrameTimes {
 public:
  // Without a valid frame rate the period is a microsecond.
  explicit FrameTimes(double frame_rate)
      : period_us_(frame_rate > 0 && frame_rate < 1e6
                       ? std::llround(std::fmin(1e6 / frame_rate, kMaxUs))
                       : 1) {}

  // The time of the next frame, in microseconds.
  std::int64_t Next(double container_ms) {
    const double us = container_ms * 1000;
    // A NaN fails the comparison.
    const bool is_time = us >= 0 && us <= kMaxUs;
    std::int64_t time = is_time ? std::llround(us) : 0;
    if (time <= last_us_) time = last_us_ + period_us_;
    last_us_ = time;
    return time;
  }

  std::int64_t period_us() const { return period_us_; }

 private:
  // 3000 years: times of clocks are below it, and sums of two still are
  // timestamps.
  static constexpr double kMaxUs = 1e17;

  const std::int64_t period_us_;
  std::int64_t last_us_ = -1;  // lower than every time
};

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_VIDEO_FRAME_TIMES_H_
