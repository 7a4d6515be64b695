// VideoSource: frames with their times, from a video file, numbered image files
// or a camera.
//
//   SYNCLINE_ASSIGN_OR_RETURN(std::unique_ptr<VideoSource> video,
//                             VideoSource::OpenPath("street.avi", {}));
//   while (true) {
//     SYNCLINE_ASSIGN_OR_RETURN(const bool is_there, video->Advance());
//     if (!is_there) break;
//     SYNCLINE_ASSIGN_OR_RETURN(auto frame, video->TakeFrame());
//   }
//
// What can go wrong has a status that names the source: there is none of that
// name, it is no video, it was cut off, it holds no frame, the camera went
// away.
//
// Thread rule: one user at a time.
// Tested by video_source_test.

#ifndef SYNCLINE_CALCULATORS_VIDEO_VIDEO_SOURCE_H_
#define SYNCLINE_CALCULATORS_VIDEO_VIDEO_SOURCE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "calculators/video/frame_times.h"
#include "framework/deps/clock.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/image_frame_memory.h"
#include "framework/formats/video_stream_header.h"
#include "opencv2/core.hpp"
#include "opencv2/videoio.hpp"

namespace syncline {

class VideoSource {
 public:
  struct Options {
    // Of numbered image files, which have none of their own.
    double frame_rate = 25;
    // A file that was cut off ends where it ends, without an error; of numbered
    // JPEG files, it is taken with what there is of its pixels.
    bool allow_truncated = false;
    // Gives the frames of a camera their times. Borrowed.
    Clock* clock = Clock::RealClock();
  };

  // A file, "frames/%04d.png" for numbered files, a URL that OpenCV's FFmpeg
  // reads, or a camera's device such as "/dev/video0".
  static absl::StatusOr<std::unique_ptr<VideoSource>> OpenPath(
      const std::string& path, const Options& options);
  // The camera of that number.
  static absl::StatusOr<std::unique_ptr<VideoSource>> OpenCamera(
      int index, const Options& options);

  // Of what is open already. A camera never ends, and its frames have the times
  // of the clock at which they came. `file` is empty or the path of the file.
  VideoSource(std::string name, std::unique_ptr<cv::VideoCapture> capture,
              bool is_camera, std::string file, const Options& options);

  // What the source says of itself; not known is 0.
  const VideoHeader& header() const { return header_; }
  // "camera 0", "\"street.avi\"".
  const std::string& name() const { return name_; }

  // Goes to the next frame; false behind the last one.
  absl::StatusOr<bool> Advance();
  // After Advance() said true: the frame's time in microseconds, and the frame,
  // decoded only now.
  std::int64_t time_us() const { return time_us_; }
  absl::StatusOr<std::unique_ptr<ImageFrame>> TakeFrame();

  // How many frames the source says that it has; 0 if it does not.
  std::int64_t promised_frames() const { return promised_frames_; }

 private:
  // Why there is no further frame; OK at an ordinary end.
  absl::Status CheckEnd() const;

  const std::string name_;
  const std::unique_ptr<cv::VideoCapture> capture_;
  const bool is_camera_;
  const std::string file_;
  const Options options_;
  VideoHeader header_;
  std::int64_t promised_frames_ = 0;
  FrameTimes times_;

  std::int64_t frames_ = 0;  // that Advance() went to
  std::int64_t time_us_ = 0;
  cv::Mat decoded_;  // memory that is used again
  ImageFrameMemory memory_;
};

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_VIDEO_VIDEO_SOURCE_H_
