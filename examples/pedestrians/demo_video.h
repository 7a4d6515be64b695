// The video that the demonstration shows if the user names none: people on a
// square, from the examples of Debian's OpenCV. If it cannot be downloaded, a
// generated video of walking figures.
//
// Thread rule: free functions; several processes may call FindDemoVideo at
// once; each gets a complete video.
// Tested by pedestrians_test.

#ifndef SYNCLINE_EXAMPLES_PEDESTRIANS_DEMO_VIDEO_H_
#define SYNCLINE_EXAMPLES_PEDESTRIANS_DEMO_VIDEO_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace syncline {

struct DemoVideo {
  std::string path;
  // Why the video was generated; empty if it is vtest.avi.
  std::string why_generated;
};

// Finds the video in the cache: `$XDG_CACHE_HOME/syncline/pedestrians`, or else
// below ~/.cache, or in a new folder for a user without a home. If it is not
// there, `fetch_script` downloads it; if that fails, it is generated there.
absl::StatusOr<DemoVideo> FindDemoVideo(const std::string& fetch_script);

// Writes a video of walking figures, 10 frames a second.
absl::Status WriteWalkersVideo(const std::string& path, int frames, int width,
                               int height);

}  // namespace syncline

#endif  // SYNCLINE_EXAMPLES_PEDESTRIANS_DEMO_VIDEO_H_
