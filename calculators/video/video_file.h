// VideoFile: writes a video.
//
// A file is a valid video only when its end is written. So Finish() or, if it
// was not called, the destructor writes the end. The file then has all frames
// that were written before.
//
// The end of the file's name selects the container. For the same frames, files
// of avi and mp4 are the same byte for byte; Matroska contains a random number.
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
    std::string codec;  // four letters; empty: the usual codec of the container
    double frame_rate = 0;
    int width = 0;
    int height = 0;
    // Frames are shown at their own times, also if these are not a period
    // apart; see video_times.h.
    bool keeps_times = false;
  };

  // INVALID_ARGUMENT unless `codec` is empty or has four letters, `container`
  // is empty or the end of `path`, and there is a codec for the container.
  static absl::Status CheckNames(const std::string& path,
                                 absl::string_view codec,
                                 absl::string_view container);

  // Replaces the file at `path`.
  static absl::StatusOr<std::unique_ptr<VideoFile>> Create(
      const std::string& path, Format format);

  // Adds a frame of GRAY8, SRGB or SRGBA, whose alpha channel is lost. It must
  // have the size of the video. If times are kept, its time, in microseconds,
  // must be higher than that of the frame before.
  absl::Status Write(const ImageFrame& frame, std::int64_t time_us = 0);

  // Writes the end and checks whether the file has all frames: if the disk was
  // full, OpenCV does not report it. Call it once. If the container cannot keep
  // times, it logs a warning.
  absl::Status Finish();

 private:
  VideoFile(std::string path, Format format);

  const std::string path_;
  const Format format_;
  cv::VideoWriter writer_;  // the destructor finishes the file
  std::int64_t frames_ = 0;
  std::vector<std::int64_t> times_us_;  // if they are kept
  // Memory that is reused.
  cv::Mat converted_;
  cv::Mat color_;
};

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_VIDEO_VIDEO_FILE_H_
