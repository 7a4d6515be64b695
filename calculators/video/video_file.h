// VideoFile: a video that is being written.
//
// A file is a valid video only once its end is written, whatever happens
// before. So it is finished by Finish() or else by the destructor, and holds
// all frames that were written up to then.
//
// The container is what the file's name ends in. Files of avi and mp4 are the
// same, byte for byte, for the same frames; Matroska puts a random number in.
//
// Thread rule: one user at a time.
// Tested by video_calculators_test.

#ifndef SYNCLINE_CALCULATORS_VIDEO_VIDEO_FILE_H_
#define SYNCLINE_CALCULATORS_VIDEO_VIDEO_FILE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/formats/image_frame.h"
#include "opencv2/core.hpp"
#include "opencv2/videoio.hpp"

namespace syncline {

class VideoFile {
 public:
  struct Format {
    std::string codec;  // four letters; empty: what suits the container
    double frame_rate = 0;
    int width = 0;
    int height = 0;
    // Frames are shown at their own times, also where they are not a period
    // apart; see video_times.h.
    bool keeps_times = false;
  };

  // INVALID_ARGUMENT unless `codec` is empty or four letters, `container` is
  // empty or what `path` ends in, and there is a codec for it.
  static absl::Status CheckNames(const std::string& path,
                                 absl::string_view codec,
                                 absl::string_view container);

  // Replaces the file at `path`.
  static absl::StatusOr<std::unique_ptr<VideoFile>> Create(
      const std::string& path, Format format);

  // Adds a frame of gray, RGB or RGBA, whose transparency is lost. It has to
  // have the size of the video. Its time, in microseconds, matters where times
  // are kept; it is then above that of the frame before.
  absl::Status Write(const ImageFrame& frame, std::int64_t time_us = 0);

  // Writes the end, and looks whether the file has all frames: it has not if
  // the disk is full, which OpenCV keeps to itself. Once. A container that
  // cannot keep times is a warning in the log.
  absl::Status Finish();

 private:
  VideoFile(std::string path, Format format);

  const std::string path_;
  const Format format_;
  cv::VideoWriter writer_;  // the destructor finishes the file
  std::int64_t frames_ = 0;
  std::vector<std::int64_t> times_us_;  // if they are kept
  // Memory that is used again.
  cv::Mat converted_;
  cv::Mat color_;
};

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_VIDEO_VIDEO_FILE_H_
