// ImageFilesCapture: reads numbered image files like a video.
//
//   frames/0007.png  frames/0008.png  frames/0010.png
//
// are "frames/%04d.png": at 10 frames a second they are frames at 0, 100 and
// 300 ms. The lowest number has time 0; a missing number is a missing frame.
//
// Thread rule: one user at a time.
// Tested by video_source_test.

#ifndef SYNCLINE_CALCULATORS_VIDEO_IMAGE_FILES_CAPTURE_H_
#define SYNCLINE_CALCULATORS_VIDEO_IMAGE_FILES_CAPTURE_H_

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "opencv2/core.hpp"
#include "opencv2/videoio.hpp"

namespace syncline {

// Whether the file name in `path` contains one "%d" or "%0Nd", and so is a
// pattern of numbered files.
bool IsNumberedFiles(absl::string_view path);

class ImageFilesCapture : public cv::VideoCapture {
 public:
  // Captures the files that exist now, as frames at `frame_rate`. NOT_FOUND if
  // there is none. With `allow_truncated`, a JPEG file that was cut off is used
  // as far as it goes. REQUIRES: IsNumberedFiles(pattern), frame_rate > 0.
  static absl::StatusOr<std::unique_ptr<ImageFilesCapture>> Create(
      absl::string_view pattern, double frame_rate, bool allow_truncated);

  // OpenCV's type of the pixels that were read last.
  int mat_type() const { return image_.type(); }

  bool isOpened() const override { return true; }
  // A file that is not an image, or was cut off, is reported by an exception of
  // OpenCV that names the file.
  bool grab() override;
  bool retrieve(cv::OutputArray image, int flag = 0) override;
  // Size, rate, number of frames and position.
  double get(int property) const override;

 private:
  struct File {
    int number;
    std::string path;
  };
  ImageFilesCapture(std::vector<File> files, double frame_rate,
                    bool allow_truncated)
      : files_(std::move(files)),
        frame_rate_(frame_rate),
        allow_truncated_(allow_truncated) {}

  void Read(const File& file);

  const std::vector<File> files_;  // by number, at least one
  const double frame_rate_;
  const bool allow_truncated_;
  std::size_t grabbed_ = 0;
  cv::Mat image_;  // the last file that was grabbed
};

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_VIDEO_IMAGE_FILES_CAPTURE_H_
