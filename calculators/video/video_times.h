// Sets the times of the frames of a video file, if they are not a period apart.
//
// OpenCV writes one frame after the other at one rate. When the file is
// finished, its tables can be changed to say when each frame is shown; the
// pictures are not changed:
//
//   .avi          the index names a frame again for each tick that it stays
//   .mp4, .mov    the table of durations (stts) has one for each frame
//
// Frames at 0, 500, 700 and 1300 ms, in an avi at ticks of 100 ms:
//
//   index   0 0 0 0 0 1 1 2 2 2 2 2 2 3
//
// Thread rule: free functions; a file is used by one at a time.
// Tested by video_times_test.

#ifndef SYNCLINE_CALCULATORS_VIDEO_VIDEO_TIMES_H_
#define SYNCLINE_CALCULATORS_VIDEO_VIDEO_TIMES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace syncline {

struct FrameTicks {
  // How many ticks there are in a second: rate / scale. 0 / 0 is the video's
  // own frame rate.
  int rate = 0;
  int scale = 0;
  // The ticks of the frames, from 0, strictly increasing.
  std::vector<std::int64_t> ticks;

  // One frame follows the other at the video's own rate.
  bool IsEven() const;
};

// The coarsest ticks that fit the times: those of the frame rate if frames are
// whole periods apart, otherwise some milliseconds, at least one. Times count
// from the first. REQUIRES: they increase; frame_rate is above 0.
FrameTicks TicksOf(const std::vector<std::int64_t>& times_us,
                   double frame_rate);

// Sets the times of the frames of a finished file, in microseconds. Does
// nothing if they are one period apart. UNIMPLEMENTED for containers, and
// files, with tables of another kind: avi of more than a gigabyte, frames out
// of order.
absl::Status SetFrameTimes(const std::string& path,
                           const std::vector<std::int64_t>& times_us,
                           double frame_rate);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_VIDEO_VIDEO_TIMES_H_
