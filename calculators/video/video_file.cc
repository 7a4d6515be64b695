#include "calculators/video/video_file.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "calculators/image/opencv_calls.h"
#include "calculators/image/opencv_frames.h"
#include "calculators/video/video_source.h"
#include "calculators/video/video_times.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image_frame.h"
#include "glog/logging.h"
#include "opencv2/core.hpp"
#include "opencv2/imgproc.hpp"
#include "opencv2/videoio.hpp"

namespace syncline {
namespace {

namespace fs = std::filesystem;

// "avi" of "out/street.AVI"; empty if there is none.
std::string ContainerOf(const std::string& path) {
  const std::string extension = fs::path(path).extension().string();
  return absl::AsciiStrToLower(extension.empty() ? extension
                                                 : extension.substr(1));
}

// The codec that every build of OpenCV has for the container.
std::string UsualCodec(const std::string& container) {
  if (container == "avi") return "MJPG";
  if (container == "mp4" || container == "mov") return "mp4v";
  return "";
}

// Containers that state the number of their frames, but not their duration.
bool CountsFrames(const std::string& container) {
  return !UsualCodec(container).empty();
}

}  // namespace

absl::Status VideoFile::CheckNames(const std::string& path,
                                   absl::string_view codec,
                                   absl::string_view container) {
  const std::string own = ContainerOf(path);
  if (own.empty() ||
      (!container.empty() && own != absl::AsciiStrToLower(container))) {
    return absl::InvalidArgumentError(absl::StrCat(
        "The container of a video is what the name of its file ends in. \"",
        absl::Utf8SafeCHexEscape(path), "\" would have to end in .",
        container.empty() ? absl::string_view("avi") : container,
        container.empty() ? " or another" : ""));
  }
  if (codec.empty() && UsualCodec(own).empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("Which codec is \"", absl::Utf8SafeCHexEscape(path),
                     "\" to have? Name one in the options: only avi, mp4 and "
                     "mov have a usual one"));
  }
  if (!codec.empty() && codec.size() != 4) {
    return absl::InvalidArgumentError(absl::StrCat(
        "A codec is four letters, such as MJPG, but is \"", codec, "\""));
  }
  const std::string folder = fs::path(path).parent_path().string();
  std::error_code error;
  if (!folder.empty() && !fs::is_directory(folder, error)) {
    return absl::NotFoundError(absl::StrCat(
        "There is no folder \"", absl::Utf8SafeCHexEscape(folder),
        "\" for the video \"", absl::Utf8SafeCHexEscape(path), "\""));
  }
  return absl::OkStatus();
}

VideoFile::VideoFile(std::string path, Format format)
    : path_(std::move(path)), format_(std::move(format)) {}

absl::StatusOr<std::unique_ptr<VideoFile>> VideoFile::Create(
    const std::string& path, Format format) {
  if (format.codec.empty()) format.codec = UsualCodec(ContainerOf(path));
  SYNCLINE_RETURN_IF_ERROR(CheckNames(path, format.codec, ""));
  auto file =
      std::unique_ptr<VideoFile>(new VideoFile(path, std::move(format)));
  const Format& is = file->format_;
  bool is_open = false;
  SYNCLINE_RETURN_IF_ERROR(CallOpenCv(
      absl::StrCat("creating \"", absl::Utf8SafeCHexEscape(path), "\""), [&] {
        is_open = file->writer_.open(
            path, cv::CAP_FFMPEG,
            cv::VideoWriter::fourcc(is.codec[0], is.codec[1], is.codec[2],
                                    is.codec[3]),
            is.frame_rate, cv::Size(is.width, is.height), /*isColor=*/true);
        return absl::OkStatus();
      }));
  if (is_open) {
    if (is.width % 2 != 0 || is.height % 2 != 0) {
      LOG(WARNING) << "The video \"" << absl::Utf8SafeCHexEscape(path)
                   << "\" is " << is.width - is.width % 2 << "x"
                   << is.height - is.height % 2
                   << ": codecs want even sizes, so the last column or row of "
                      "frames of "
                   << is.width << "x" << is.height << " is left out";
    }
    return file;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "OpenCV cannot write \"", absl::Utf8SafeCHexEscape(path),
      "\" with codec \"", is.codec, "\", ", is.width, "x", is.height, " at ",
      is.frame_rate,
      " frames a second: the file may not be writable, the codec not part of "
      "this OpenCV, or the container not one for it"));
}

absl::Status VideoFile::Write(const ImageFrame& frame, std::int64_t time_us) {
  SYNCLINE_RETURN_IF_ERROR(CheckFrameOfBytes(frame));
  if (frame.Width() != format_.width || frame.Height() != format_.height) {
    return absl::InvalidArgumentError(absl::StrCat(
        "The video \"", absl::Utf8SafeCHexEscape(path_), "\" is ",
        format_.width, "x", format_.height, ", but frame ", frames_, " is ",
        Describe(frame), "; ImageTransformationCalculator changes sizes"));
  }
  SYNCLINE_ASSIGN_OR_RETURN(cv::Mat pixels, FrameForOpenCv(frame, converted_));
  SYNCLINE_RETURN_IF_ERROR(CallOpenCv(
      absl::StrCat("writing \"", absl::Utf8SafeCHexEscape(path_), "\""), [&] {
        if (pixels.channels() != 3) {
          cv::cvtColor(
              pixels, color_,
              pixels.channels() == 1 ? cv::COLOR_GRAY2BGR : cv::COLOR_BGRA2BGR);
          pixels = color_;
        }
        writer_.write(pixels);
        return absl::OkStatus();
      }));
  ++frames_;
  if (format_.keeps_times) times_us_.push_back(time_us);
  return absl::OkStatus();
}

absl::Status VideoFile::Finish() {
  SYNCLINE_RETURN_IF_ERROR(CallOpenCv(
      absl::StrCat("finishing \"", absl::Utf8SafeCHexEscape(path_), "\""), [&] {
        writer_.release();
        return absl::OkStatus();
      }));
  if (!times_us_.empty()) {
    const absl::Status set =
        SetFrameTimes(path_, times_us_, format_.frame_rate);
    if (absl::IsUnimplemented(set)) {
      LOG(WARNING) << "Its frames come at " << format_.frame_rate
                   << " a second, whatever their timestamps: " << set.message();
    } else if (!set.ok()) {
      return set;
    }
  }
  if (!CountsFrames(ContainerOf(path_))) return absl::OkStatus();
  const auto written = VideoSource::OpenPath(path_, {});
  if (written.ok() && (*written)->promised_frames() >= frames_) {
    return absl::OkStatus();
  }
  return absl::DataLossError(absl::StrCat(
      "The video \"", absl::Utf8SafeCHexEscape(path_), "\" has not all of the ",
      frames_, " frames that were written: ",
      written.ok() ? absl::StrCat("it has ", (*written)->promised_frames())
                   : std::string(written.status().message()),
      ". Is the disk full?"));
}

}  // namespace syncline
