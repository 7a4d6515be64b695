// OpenCvVideoDecoderCalculator: sends the frames of a video file, of numbered
// image files, or of a camera.
//
//   node {
//     calculator: "OpenCvVideoDecoderCalculator"
//     input_side_packet: "INPUT_FILE_PATH:path"     # std::string
//     output_stream: "VIDEO:frames"                 # ImageFrame
//     output_stream: "VIDEO_PRESTREAM:video_header" # VideoHeader; optional
//   }
//
// INPUT_FILE_PATH is a file, "frames/%04d.png" for numbered image files, a URL,
// or a camera's device such as "/dev/video0". Instead of the side packet, the
// options (OpenCvVideoDecoderCalculatorOptions) may give the path, or the
// number of a camera. They also limit the times and the number of frames.
//
// Timestamps are those of the container, in microseconds. If a frame has no
// timestamp, or one that is not higher than the one before, it is sent one
// frame period after the frame before. Numbered files are sent at the option
// frame_rate, the first at 0. A camera's frame has the time at which it was
// taken, in microseconds since 1970, by the side packet CLOCK
// (std::shared_ptr<Clock>, optional) or otherwise by the machine's clock.
//
// Frames are SRGB; those of image files have the format of the file.
// VideoHeader is sent at PreStream, and is also the header of VIDEO. For a
// camera its duration is 0.
//
// It is a source, which sends one frame in each call. If the graph is slower
// than the source, frames wait in the queue of the next node, so max_queue_size
// limits the memory.
//
// A missing, unreadable or empty file is an error in Open. A file that was cut
// off sends its frames, and is an error at their end; so is a camera that gives
// no more frames.
//
// Thread rule: one call at a time.
// Tested by video_calculators_test.
#include <cstdint>
#include <memory>
#include <string>

#include "calculators/video/opencv_video_decoder_calculator.pb.h"
#include "calculators/video/video_source.h"
#include "framework/calculator_framework.h"
#include "framework/deps/clock.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/video_stream_header.h"

namespace syncline {
namespace {

using Options = OpenCvVideoDecoderCalculatorOptions;

constexpr char kPath[] = "INPUT_FILE_PATH";
constexpr char kClock[] = "CLOCK";
constexpr char kVideo[] = "VIDEO";
constexpr char kPrestream[] = "VIDEO_PRESTREAM";

absl::Status CheckOptions(const Options& options, bool has_path) {
  const int sources = (has_path ? 1 : 0) +
                      (options.has_input_file_path() ? 1 : 0) +
                      (options.has_camera_index() ? 1 : 0);
  if (sources != 1) {
    return absl::InvalidArgumentError(absl::StrCat(
        "A video comes from one of the side packet INPUT_FILE_PATH and the "
        "options input_file_path and camera_index, but ",
        sources, " are given"));
  }
  if (options.max_frames() < 0 || options.camera_index() < 0 ||
      !(options.frame_rate() > 0 && options.frame_rate() <= 1e6) ||
      (options.has_end_time_us() &&
       options.end_time_us() <= options.start_time_us())) {
    return absl::InvalidArgumentError(absl::StrCat(
        "max_frames and camera_index are not negative, frame_rate is above 0 "
        "and at most 1000000, end_time_us is after start_time_us; but they "
        "are: ",
        options.ShortDebugString()));
  }
  return absl::OkStatus();
}

}  // namespace

class OpenCvVideoDecoderCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->InputSidePackets().Tag(kPath).Set<std::string>().Optional();
    cc->InputSidePackets().Tag(kClock).Set<std::shared_ptr<Clock>>().Optional();
    cc->Outputs().Tag(kVideo).Set<ImageFrame>();
    cc->Outputs().Tag(kPrestream).Set<VideoHeader>().Optional();
    return CheckOptions(cc->Options<Options>(),
                        cc->InputSidePackets().HasTag(kPath));
  }

  absl::Status Open(CalculatorContext* cc) override {
    options_ = cc->Options<Options>();
    VideoSource::Options source_options{
        .frame_rate = options_.frame_rate(),
        .allow_truncated = options_.allow_truncated()};
    if (cc->InputSidePackets().HasTag(kClock)) {
      clock_ = cc->InputSidePackets().Tag(kClock).Get<std::shared_ptr<Clock>>();
      RET_CHECK(clock_ != nullptr) << "the side packet CLOCK is null";
      source_options.clock = clock_.get();
    }
    if (options_.has_camera_index()) {
      SYNCLINE_ASSIGN_OR_RETURN(
          source_,
          VideoSource::OpenCamera(options_.camera_index(), source_options));
    } else {
      const std::string& path =
          cc->InputSidePackets().HasTag(kPath)
              ? cc->InputSidePackets().Tag(kPath).Get<std::string>()
              : options_.input_file_path();
      SYNCLINE_ASSIGN_OR_RETURN(source_,
                                VideoSource::OpenPath(path, source_options));
    }
    const Packet header = MakePacket<VideoHeader>(source_->header());
    cc->Outputs().Tag(kVideo).SetHeader(header);
    if (cc->Outputs().HasTag(kPrestream)) {
      cc->Outputs()
          .Tag(kPrestream)
          .AddPacket(header.At(Timestamp::PreStream()));
      cc->Outputs().Tag(kPrestream).Close();
    }
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    if (options_.max_frames() > 0 && sent_ == options_.max_frames()) {
      return tool::StatusStop();
    }
    SYNCLINE_ASSIGN_OR_RETURN(const bool is_there, source_->Advance());
    if (!is_there) return tool::StatusStop();
    const std::int64_t time = source_->time_us();
    if (options_.has_end_time_us() && time >= options_.end_time_us()) {
      return tool::StatusStop();
    }
    // Frames before the start are skipped without decoding. Each call skips
    // only one, so that the graph can be cancelled in between.
    if (options_.has_start_time_us() && time < options_.start_time_us()) {
      return absl::OkStatus();
    }
    SYNCLINE_ASSIGN_OR_RETURN(std::unique_ptr<ImageFrame> frame,
                              source_->TakeFrame());
    cc->Outputs().Tag(kVideo).Add(frame.release(), Timestamp(time));
    ++sent_;
    return absl::OkStatus();
  }

 private:
  Options options_;
  std::shared_ptr<Clock> clock_;  // must outlive source_, which refers to it
  std::unique_ptr<VideoSource> source_;
  std::int64_t sent_ = 0;
};
REGISTER_CALCULATOR(OpenCvVideoDecoderCalculator);

}  // namespace syncline
