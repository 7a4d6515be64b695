#include "calculators/video/test_clips.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <ios>
#include <iterator>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "calculators/image/opencv_frames.h"
#include "calculators/video/video_file.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/image_frame_opencv.h"
#include "framework/packet.h"
#include "framework/timestamp.h"
#include "glog/logging.h"
#include "opencv2/core.hpp"

namespace syncline {
namespace {

constexpr int kStep = 8;
constexpr int kMaxFrames = 31;

}  // namespace

std::string TempPath(const std::string& name) {
  const char* const folder = std::getenv("TEST_TMPDIR");
  return (std::filesystem::path(folder != nullptr ? folder : "/tmp") / name)
      .string();
}

std::string WriteClip(const ClipOptions& options) {
  const std::string path = TempPath(options.name);
  auto file = VideoFile::Create(path, {.codec = options.codec,
                                       .frame_rate = options.frame_rate,
                                       .width = options.width,
                                       .height = options.height});
  CHECK(file.ok()) << file.status();
  for (int i = 0; i < options.frames; ++i) {
    const Packet frame = ClipFrame(i, Timestamp(0), options);
    const absl::Status status = (*file)->Write(frame.Get<ImageFrame>());
    CHECK(status.ok()) << status;
  }
  const absl::Status status = (*file)->Finish();
  CHECK(status.ok()) << status;
  return path;
}

void CutOff(const std::string& path) {
  const std::string bytes = FileBytes(path);
  const std::size_t frames = bytes.find("movi");
  CHECK(frames != std::string::npos) << path;
  WriteFile(path, bytes.substr(0, frames + (bytes.size() - frames) / 2));
}

Packet ClipFrame(int number, Timestamp time, const ClipOptions& options,
                 ImageFormat::Format format) {
  CHECK(number >= 0 && number < kMaxFrames) << number;
  auto frame = NewFrame(format, options.width, options.height);
  CHECK(frame.ok()) << frame.status();
  cv::Mat pixels = formats::MatView(frame->get());
  pixels.setTo(cv::Scalar::all(kStep * number + kStep / 2));
  const int side = options.height / 4;
  pixels(
      cv::Rect(number % (options.width - side), options.height / 2, side, side))
      .setTo(cv::Scalar::all(255));
  return Adopt(frame->release()).At(time);
}

int FrameNumber(const ImageFrame& frame) {
  if (frame.IsEmpty() || frame.ByteDepth() != 1) return -1;
  const cv::Mat pixels = formats::MatView(&frame);
  const cv::Mat top = pixels.rowRange(0, pixels.rows / 4);
  const double brightness = cv::mean(top)[0];
  const int number = static_cast<int>(std::floor(brightness / kStep));
  return number < kMaxFrames ? number : -1;
}

std::string FileBytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

void WriteFile(const std::string& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  CHECK(file.good()) << path;
}

}  // namespace syncline
