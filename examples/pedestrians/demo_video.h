// The video that the demonstration shows when nobody names one: people on a
// square, from the examples of Debian's OpenCV; or figures that walk by, where
// that cannot be had.
//
// Thread rule: free functions; processes that look for the video at once each
// get a whole one.
// Tested by pedestrians_test.

#ifndef SYNCLINE_EXAMPLES_PEDESTRIANS_DEMO_VIDEO_H_
#define SYNCLINE_EXAMPLES_PEDESTRIANS_DEMO_VIDEO_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace syncline {

struct DemoVideo {
  std::string path;
  // Why it is a generated one; empty if it is vtest.avi.
  std::string why_generated;
};

// From the cache, which is `$XDG_CACHE_HOME/syncline/pedestrians` or else below
// ~/.cache, or brought into it by `fetch_script`; else generated there.
absl::StatusOr<DemoVideo> FindDemoVideo(const std::string& fetch_script);

// Writes a video of figures that walk by, 10 frames a second.
absl::Status WriteWalkersVideo(const std::string& path, int frames, int width,
                               int height);

}  // namespace syncline

#endif  // SYNCLINE_EXAMPLES_PEDESTRIANS_DEMO_VIDEO_H_
