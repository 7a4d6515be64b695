#include "calculators/video/video_source.h"

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "calculators/image/opencv_calls.h"
#include "calculators/image/opencv_frames.h"
#include "calculators/video/container_size.h"
#include "calculators/video/image_files_capture.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image_frame.h"
#include "opencv2/core.hpp"
#include "opencv2/videoio.hpp"

namespace syncline {
namespace {

namespace fs = std::filesystem;

// A property of the capture, or 0 if its value makes no sense.
double Sensible(double value, double max) {
  return value > 0 && value <= max ? value : 0;
}

std::string Quoted(absl::string_view path) {
  return absl::StrCat("\"", absl::Utf8SafeCHexEscape(path), "\"");
}

absl::StatusOr<std::unique_ptr<cv::VideoCapture>> OpenCapture(
    const std::string& name,
    bool (*open)(cv::VideoCapture&, const std::string&, int),
    const std::string& path, int index) {
  auto capture = std::make_unique<cv::VideoCapture>();
  bool is_open = false;
  SYNCLINE_RETURN_IF_ERROR(CallOpenCv(absl::StrCat("opening ", name), [&] {
    is_open = open(*capture, path, index);
    return absl::OkStatus();
  }));
  if (is_open) return capture;
  return absl::InvalidArgumentError(
      absl::StrCat("OpenCV cannot read ", name, " as a video"));
}

// Explains why the file cannot be opened, since OpenCV does not: it is missing,
// or cannot be a video.
absl::Status CheckIsReadable(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    return absl::NotFoundError(
        absl::StrCat("There is no video file ", Quoted(path)));
  }
  if (fs::is_character_file(status)) return absl::OkStatus();
  if (!fs::is_regular_file(status)) {
    return absl::InvalidArgumentError(
        absl::StrCat(Quoted(path), " is neither a file nor a camera"));
  }
  if (fs::file_size(path, error) == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("The video file ", Quoted(path), " is empty"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<VideoSource>> VideoSource::OpenPath(
    const std::string& path, const Options& options) {
  const std::string name = Quoted(path);
  const bool is_url = absl::StrContains(path, "://");
  std::error_code error;
  if (!is_url && !fs::exists(path, error) && IsNumberedFiles(path)) {
    SYNCLINE_ASSIGN_OR_RETURN(
        std::unique_ptr<ImageFilesCapture> files,
        ImageFilesCapture::Create(path, options.frame_rate,
                                  options.allow_truncated));
    const ImageFormat::Format format = FormatFromOpenCv(files->mat_type());
    auto source = std::make_unique<VideoSource>(name, std::move(files), false,
                                                "", options);
    source->header_.format = format;
    return source;
  }
  if (!is_url) SYNCLINE_RETURN_IF_ERROR(CheckIsReadable(path));
  const bool is_camera = !is_url && fs::is_character_file(path, error);
  const auto open = [](cv::VideoCapture& capture, const std::string& file,
                       int api) { return capture.open(file, api); };
  SYNCLINE_ASSIGN_OR_RETURN(
      std::unique_ptr<cv::VideoCapture> capture,
      OpenCapture(name, open, path, is_camera ? cv::CAP_V4L2 : cv::CAP_FFMPEG));
  return std::make_unique<VideoSource>(
      name, std::move(capture), is_camera,
      is_url || is_camera ? std::string() : path, options);
}

absl::StatusOr<std::unique_ptr<VideoSource>> VideoSource::OpenCamera(
    int index, const Options& options) {
  const std::string name = absl::StrCat("camera ", index);
  const auto open = [](cv::VideoCapture& capture, const std::string& /*path*/,
                       int camera) {
    return capture.open(camera, cv::CAP_V4L2);
  };
  SYNCLINE_ASSIGN_OR_RETURN(std::unique_ptr<cv::VideoCapture> capture,
                            OpenCapture(name, open, "", index));
  return std::make_unique<VideoSource>(name, std::move(capture), true, "",
                                       options);
}

VideoSource::VideoSource(std::string name,
                         std::unique_ptr<cv::VideoCapture> capture,
                         bool is_camera, std::string file,
                         const Options& options)
    : name_(std::move(name)),
      capture_(std::move(capture)),
      is_camera_(is_camera),
      file_(std::move(file)),
      options_(options),
      times_(Sensible(capture_->get(cv::CAP_PROP_FPS), 1e6)) {
  header_.format = ImageFormat::SRGB;
  header_.width = static_cast<int>(
      Sensible(capture_->get(cv::CAP_PROP_FRAME_WIDTH), 1 << 20));
  header_.height = static_cast<int>(
      Sensible(capture_->get(cv::CAP_PROP_FRAME_HEIGHT), 1 << 20));
  header_.frame_rate = Sensible(capture_->get(cv::CAP_PROP_FPS), 1e6);
  if (is_camera_) return;
  const double frames = Sensible(capture_->get(cv::CAP_PROP_FRAME_COUNT), 1e12);
  promised_frames_ = std::llround(frames);
  if (header_.frame_rate > 0) {
    header_.duration = static_cast<float>(frames / header_.frame_rate);
  }
}

absl::Status VideoSource::CheckEnd() const {
  if (is_camera_) {
    return absl::UnavailableError(
        absl::StrCat("The ", name_, " gave no further frame after ", frames_,
                     ": it went away or stopped"));
  }
  if (options_.allow_truncated) return absl::OkStatus();
  std::error_code error;
  const absl::optional<std::uint64_t> claimed =
      file_.empty() ? absl::nullopt : ClaimedSize(file_);
  const std::uint64_t size = claimed ? fs::file_size(file_, error) : 0;
  if (claimed && !error && size < *claimed) {
    return absl::DataLossError(absl::StrCat(
        "The video ", name_, " was cut off: of ", *claimed, " bytes it has ",
        size, ", and of ", promised_frames_, " frames the first ", frames_,
        "; allow_truncated takes it as it is"));
  }
  // Compares times and not only the number of frames: if the container does not
  // count its frames, OpenCV guesses their number from the rate, which is wrong
  // if the rate varies. But if all counted frames came, the last one may last
  // for any time.
  const double seconds =
      static_cast<double>(time_us_ + times_.period_us()) * 1e-6;
  if (frames_ == 0 && promised_frames_ == 0) {
    return absl::DataLossError(absl::StrCat(
        "The video ", name_,
        " has no frame: it is empty, or damaged; allow_truncated takes it as "
        "it is"));
  }
  if (frames_ == 0 ||
      (frames_ < promised_frames_ && seconds < header_.duration / 2)) {
    return absl::DataLossError(absl::StrCat(
        "The video ", name_, " is damaged: of its ", header_.duration,
        " seconds, ", frames_, " frames could be read, the last at ", time_us_,
        " us; allow_truncated takes it as it is"));
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> VideoSource::Advance() {
  bool is_there = false;
  double container_ms = 0;
  SYNCLINE_RETURN_IF_ERROR(CallOpenCv(absl::StrCat("reading ", name_), [&] {
    is_there = capture_->grab();
    if (is_there && !is_camera_) {
      container_ms = capture_->get(cv::CAP_PROP_POS_MSEC);
    }
    return absl::OkStatus();
  }));
  if (!is_there) {
    SYNCLINE_RETURN_IF_ERROR(CheckEnd());
    return false;
  }
  if (is_camera_) {
    container_ms =
        static_cast<double>(absl::ToUnixMicros(options_.clock->TimeNow())) /
        1000;
  }
  time_us_ = times_.Next(container_ms);
  ++frames_;
  return true;
}

absl::StatusOr<std::unique_ptr<ImageFrame>> VideoSource::TakeFrame() {
  bool is_there = false;
  SYNCLINE_RETURN_IF_ERROR(CallOpenCv(absl::StrCat("decoding ", name_), [&] {
    is_there = capture_->retrieve(decoded_);
    return absl::OkStatus();
  }));
  if (is_there && !decoded_.empty()) {
    return FrameFromOpenCv(decoded_, &memory_);
  }
  return absl::DataLossError(absl::StrCat("Frame ", frames_ - 1, " of ", name_,
                                          ", at ", time_us_,
                                          " us, could not be decoded"));
}

}  // namespace syncline
