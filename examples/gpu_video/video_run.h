// One run of the example: from frames to pictures on a device, and what is said
// of it.
//
// Thread rule: free functions.
// Tested by gpu_video_test.

#ifndef SYNCLINE_EXAMPLES_GPU_VIDEO_VIDEO_RUN_H_
#define SYNCLINE_EXAMPLES_GPU_VIDEO_VIDEO_RUN_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "framework/formats/image_frame.h"
#include "framework/packet.h"
#include "gpu/device_service.h"

namespace syncline {

struct VideoRunOptions {
  // As for run_graph --device; "" is the first device that there is.
  std::string device;
  // If not null, the devices of a test in place of that.
  std::shared_ptr<gpu::DeviceContext> context;
  // A video, which needs OpenCV; "" is a video that is made.
  std::string input;
  // Of a video that is made.
  int frames = 50;
  // A video, which needs OpenCV; "" writes none.
  std::string output;
  // Gets each picture; may be null.
  std::function<void(const Packet& picture)> on_picture;
};

struct VideoReport {
  // On which device it ran, and why.
  std::string device;
  int pictures = 0;
  int width = 0;
  int height = 0;
  // Of the edges of all pictures, from 0 to 255.
  double mean_of_edges = 0;
  // Of all pixels of all pictures: the same on every device.
  std::uint32_t checksum = 0;
  // What the device did: kernels and copies.
  std::int64_t works = 0;
  // How often a stream of the device waited for another one, and the host for
  // the device.
  std::int64_t waits = 0;
  std::int64_t host_waits = 0;
};

// FAILED_PRECONDITION without a device, and for videos without OpenCV; the
// errors of the run.
absl::StatusOr<VideoReport> RunGpuVideo(const VideoRunOptions& options);

// Whether videos can be read and written.
bool HasVideoFiles();

// vtest.avi, a video of people out of Debian's opencv-doc: where that package
// has it, or where examples/pedestrians keeps it. Empty if it is at neither.
std::string FindVtest();

}  // namespace syncline

#endif  // SYNCLINE_EXAMPLES_GPU_VIDEO_VIDEO_RUN_H_
