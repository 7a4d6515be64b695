// VideoSource: reads frames with their times from a video file, numbered image
// files or a camera.
//
//   SYNCLINE_ASSIGN_OR_RETURN(std::unique_ptr<VideoSource> video,
//                             VideoSource::OpenPath("street.avi", {}));
//   while (true) {
//     SYNCLINE_ASSIGN_OR_RETURN(const bool is_there, video->Advance());
//     if (!is_there) break;
//     SYNCLINE_ASSIGN_OR_RETURN(auto frame, video->TakeFrame());
//   }
//
// Every error names the source: it does not exist, it is not a video, it was
// cut off, it has no frame, or the camera was disconnected.
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
    // The frame rate of numbered image files.
    double frame_rate = 25;
    // A file that was cut off just ends there, without an error; a numbered
    // JPEG file is used as far as it goes.
    bool allow_truncated = false;
    // The clock that times the frames of a camera. It must outlive the source.
    Clock* clock = Clock::RealClock();
  };

  // Opens a file, "frames/%04d.png" for numbered files, a URL that OpenCV's
  // FFmpeg reads, or a camera's device such as "/dev/video0".
  static absl::StatusOr<std::unique_ptr<VideoSource>> OpenPath(
      const std::string& path, const Options& options);
  // Opens the camera of that number.
  static absl::StatusOr<std::unique_ptr<VideoSource>> OpenCamera(
      int index, const Options& options);

  // Reads from a capture that is open already. A camera never ends, and its
  // frames have the times of the clock at which they came. `file` is empty or
  // the path of the file.
  VideoSource(std::string name, std::unique_ptr<cv::VideoCapture> capture,
              bool is_camera, std::string file, const Options& options);

  // The properties that the source states; 0 for what is not known.
  const VideoHeader& header() const { return header_; }
  // The name of the source in errors: "camera 0", "\"street.avi\"".
  const std::string& name() const { return name_; }

  // Goes to the next frame; false after the last one.
  absl::StatusOr<bool> Advance();
  // Only after Advance() returned true: the frame's time in microseconds, and
  // the frame, which is decoded now.
  std::int64_t time_us() const { return time_us_; }
  absl::StatusOr<std::unique_ptr<ImageFrame>> TakeFrame();

  // The number of frames that the source states; 0 if it does not.
  std::int64_t promised_frames() const { return promised_frames_; }

 private:
  // The reason why there is no further frame; OK at an ordinary end.
  absl::Status CheckEnd() const;

  const std::string name_;
  const std::unique_ptr<cv::VideoCapture> capture_;
  const bool is_camera_;
  const std::string file_;
  const Options options_;
  VideoHeader header_;
  std::int64_t promised_frames_ = 0;
  FrameTimes times_;

  std::int64_t frames_ = 0;  // the time of the frame that Advance() went to
  std::int64_t time_us_ = 0;
  cv::Mat decoded_;  // memory that is reused
  ImageFrameMemory memory_;
};

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_VIDEO_VIDEO_SOURCE_H_
