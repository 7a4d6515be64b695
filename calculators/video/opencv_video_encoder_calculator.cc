// OpenCvVideoEncoderCalculator: writes frames to a video file.
//
//   node {
//     calculator: "OpenCvVideoEncoderCalculator"
//     input_stream: "VIDEO:frames"                  # ImageFrame
//     input_stream: "VIDEO_PRESTREAM:video_header"  # VideoHeader; optional
//     input_side_packet: "OUTPUT_FILE_PATH:path"    # std::string
//     options { [syncline.OpenCvVideoEncoderCalculatorOptions.ext] {
//       codec: "MJPG" video_format: "avi" } }
//   }
//
// The end of the path's name selects the container. Codec, frame rate and size
// are those of the options; by default they are the usual codec of the
// container, the frame rate of VIDEO_PRESTREAM or of the header of VIDEO, and
// the size of the first frame. All frames have the same size, and are GRAY8,
// SRGB or SRGBA. Codecs need even sizes: if the width or height is odd, the
// last column or row is left out, which is logged.
//
// One frame follows the other at the frame rate, whatever their timestamps.
// With the option keep_timestamps each is shown at its own timestamp, counted
// from the first. Use it if frames are uneven, or if some are missing. Files of
// avi, mp4 and mov can hold that; for others, put a PacketResamplerCalculator
// before.
//
// An empty input writes nothing. Without any frame there is no file.
//
// The file is complete when the run is over. If the run fails, the file has the
// frames up to then. A frame that does not fit, and a disk that is full, are
// errors. For the same frames, files of avi and mp4 are the same to the byte,
// whatever the number of threads.
//
// Frames are not kept. They are copied at most once, if OpenCV needs blue
// first.
//
// Thread rule: one call at a time.
// Tested by video_calculators_test.
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/escaping.h"
#include "calculators/video/opencv_video_encoder_calculator.pb.h"
#include "calculators/video/video_file.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/video_stream_header.h"
#include "glog/logging.h"

namespace syncline {
namespace {

using Options = OpenCvVideoEncoderCalculatorOptions;

constexpr char kPath[] = "OUTPUT_FILE_PATH";
constexpr char kVideo[] = "VIDEO";
constexpr char kPrestream[] = "VIDEO_PRESTREAM";
constexpr double kMaxFrameRate = 1000;
constexpr int kMaxSide = 1 << 15;

absl::Status CheckOptions(const Options& options) {
  const bool has_good_rate =
      !options.has_fps() ||
      (options.fps() > 0 && options.fps() <= kMaxFrameRate);
  const bool has_good_size =
      options.has_width() == options.has_height() &&
      (!options.has_width() ||
       (options.width() > 0 && options.width() <= kMaxSide &&
        options.height() > 0 && options.height() <= kMaxSide));
  if (has_good_rate && has_good_size) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "fps is above 0 and at most ", kMaxFrameRate,
      ", width and height are both given or neither, and from 1 to ", kMaxSide,
      "; but they are: ", options.ShortDebugString()));
}

}  // namespace

class OpenCvVideoEncoderCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Tag(kVideo).Set<ImageFrame>();
    cc->Inputs().Tag(kPrestream).Set<VideoHeader>().Optional();
    cc->InputSidePackets().Tag(kPath).Set<std::string>();
    return CheckOptions(cc->Options<Options>());
  }

  absl::Status Open(CalculatorContext* cc) override {
    const Options& options = cc->Options<Options>();
    path_ = cc->InputSidePackets().Tag(kPath).Get<std::string>();
    SYNCLINE_RETURN_IF_ERROR(
        VideoFile::CheckNames(path_, options.codec(), options.video_format()));
    format_ = {.codec = options.codec(),
               .frame_rate = options.fps(),
               .width = options.width(),
               .height = options.height(),
               .keeps_times = options.keep_timestamps()};
    const Packet& header = cc->Inputs().Tag(kVideo).Header();
    if (header.ValidateAsType<VideoHeader>().ok()) {
      UseRateOf(header.Get<VideoHeader>());
    }
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    if (cc->Inputs().HasTag(kPrestream) &&
        !cc->Inputs().Tag(kPrestream).IsEmpty()) {
      UseRateOf(cc->Inputs().Tag(kPrestream).Get<VideoHeader>());
    }
    if (cc->Inputs().Tag(kVideo).IsEmpty()) return absl::OkStatus();
    const auto& frame = cc->Inputs().Tag(kVideo).Get<ImageFrame>();
    if (format_.keeps_times && !cc->InputTimestamp().IsRangeValue()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "keep_timestamps is set, but a frame of \"",
          absl::Utf8SafeCHexEscape(path_), "\" is at ",
          cc->InputTimestamp().DebugString(), ", which is no time"));
    }
    if (file_ == nullptr) SYNCLINE_RETURN_IF_ERROR(Create(frame));
    return file_->Write(frame, cc->InputTimestamp().Value());
  }

  absl::Status Close(CalculatorContext* cc) override {
    if (file_ == nullptr) {
      if (cc->GraphStatus().ok()) {
        LOG(WARNING) << "No frame came, so there is no video \"" << path_
                     << "\"";
      }
      return absl::OkStatus();
    }
    const std::unique_ptr<VideoFile> file = std::move(file_);
    return file->Finish();
  }

 private:
  // Options override headers.
  void UseRateOf(const VideoHeader& header) {
    if (format_.frame_rate == 0) format_.frame_rate = header.frame_rate;
  }

  absl::Status Create(const ImageFrame& first) {
    if (!(format_.frame_rate > 0 && format_.frame_rate <= kMaxFrameRate)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "How many frames a second does the video \"",
          absl::Utf8SafeCHexEscape(path_),
          "\" have? Set option fps to a number above 0 and at most ",
          kMaxFrameRate,
          ", or connect VIDEO_PRESTREAM; what is known so far is ",
          format_.frame_rate));
    }
    if (format_.width == 0) {
      format_.width = first.Width();
      format_.height = first.Height();
    }
    SYNCLINE_ASSIGN_OR_RETURN(file_, VideoFile::Create(path_, format_));
    return absl::OkStatus();
  }

  std::string path_;
  VideoFile::Format format_;
  std::unique_ptr<VideoFile> file_;  // from the first frame to Close
};
REGISTER_CALCULATOR(OpenCvVideoEncoderCalculator);

}  // namespace syncline
