// The times of the frames of a video file, where they are not a period apart.
//
// OpenCV writes one frame after the other at one rate. Once the file is
// finished, its tables can be told when each frame is shown; no picture is
// touched:
//
//   .avi          the index names a frame again for each tick that it stays
//   .mp4, .mov    the table of durations (stts) has one for each frame
//
// Frames at 0, 500, 700 and 1300 ms, in an avi at ticks of 100 ms:
//
//   index   0 0 0 0 0 1 1 2 2 2 2 2 2 3
//
// Thread rule: functions of their arguments; one at a time for a file.
// Tested by video_times_test.

#ifndef SYNCLINE_CALCULATORS_VIDEO_VIDEO_TIMES_H_
#define SYNCLINE_CALCULATORS_VIDEO_VIDEO_TIMES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace syncline {

struct FrameTicks {
  // How many a second: rate / scale. 0 / 0 is the video's own frame rate.
  int rate = 0;
  int scale = 0;
  // Of each frame, from 0 on, strictly increasing.
  std::vector<std::int64_t> ticks;

  // One frame follows the other at the video's own rate.
  bool IsEven() const;
};

// The coarsest ticks that the times fit to: those of the frame rate if frames
// are a period or several apart, otherwise of some milliseconds, at least one.
// Times count from the first. REQUIRES: they increase; frame_rate is above 0.
FrameTicks TicksOf(const std::vector<std::int64_t>& times_us,
                   double frame_rate);

// Gives the frames of a finished file their times, in microseconds. Does
// nothing where they are even. UNIMPLEMENTED for containers, and files, with
// tables of another kind: avi of more than a gigabyte, frames out of order.
absl::Status SetFrameTimes(const std::string& path,
                           const std::vector<std::int64_t>& times_us,
                           double frame_rate);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_VIDEO_VIDEO_TIMES_H_
