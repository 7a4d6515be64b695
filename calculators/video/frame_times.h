// FrameTimes: the timestamps of the frames of a source, strictly increasing
// whatever its container says.
//
// Containers lie: times that repeat or go back, none for the last frames of
// some codecs, times that are no numbers. A frame whose time is of no use comes
// one frame period after the frame before.
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
  // Without a frame rate (0, or what is none) the period is a microsecond.
  explicit FrameTimes(double frame_rate)
      : period_us_(frame_rate > 0 && frame_rate < 1e6
                       ? std::llround(std::fmin(1e6 / frame_rate, kMaxUs))
                       : 1) {}

  // The time of the next frame, in microseconds.
  std::int64_t Next(double container_ms) {
    const double us = container_ms * 1000;
    // What is not a number fails the comparison.
    const bool is_time = us >= 0 && us <= kMaxUs;
    std::int64_t time = is_time ? std::llround(us) : 0;
    if (time <= last_us_) time = last_us_ + period_us_;
    last_us_ = time;
    return time;
  }

  std::int64_t period_us() const { return period_us_; }

 private:
  // 3000 years: the clock's times are below, and sums of these are timestamps.
  static constexpr double kMaxUs = 1e17;

  const std::int64_t period_us_;
  std::int64_t last_us_ = -1;  // below every time
};

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_VIDEO_FRAME_TIMES_H_
