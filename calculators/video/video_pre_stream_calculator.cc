// VideoPreStreamCalculator: makes the header of a video from its first frame.
//
//   node {
//     calculator: "VideoPreStreamCalculator"
//     input_stream: "FRAME:cropped_frames"        # ImageFrame; tag optional
//     input_stream: "VIDEO_PRESTREAM:header"      # VideoHeader; optional
//     output_stream: "cropped_header"             # VideoHeader
//   }
//
// If frames were cropped or scaled, the original header is no longer right.
// This header has the size and format of the first frame, and the rate and
// duration of VIDEO_PRESTREAM; without VIDEO_PRESTREAM, the rate is the option
// fps of VideoPreStreamCalculatorOptions. A rate of VIDEO_PRESTREAM that is not
// above 0 ends the run with an error. The header is sent at PreStream, when
// the first frame has come.
//
// An empty input does nothing: no bound is passed on before the header, since
// the header may still come. Without a frame there is no header. The output is
// closed after the header.
//
// Thread rule: one call at a time.
// Tested by video_pre_stream_calculator_test.
#include <cmath>

#include "calculators/video/video_pre_stream_calculator.pb.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/video_stream_header.h"

namespace syncline {
namespace {

using Options = VideoPreStreamCalculatorOptions;

constexpr char kFrame[] = "FRAME";
constexpr char kPrestream[] = "VIDEO_PRESTREAM";

template <typename Ports>
auto& Frames(Ports& inputs) {
  return inputs.Tag(inputs.HasTag(kFrame) ? kFrame : "");
}

double RateOf(const Options::Fps& fps) {
  if (fps.has_value()) return fps.value();
  return static_cast<double>(fps.ratio().numerator()) /
         static_cast<double>(fps.ratio().denominator());
}

bool IsRate(double rate) { return rate > 0 && std::isfinite(rate); }

}  // namespace

class VideoPreStreamCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    Frames(cc->Inputs()).Set<ImageFrame>();
    cc->Inputs().Tag(kPrestream).Set<VideoHeader>().Optional();
    cc->Outputs().Index(0).Set<VideoHeader>();
    const Options& options = cc->Options<Options>();
    if (cc->Inputs().HasTag(kPrestream) == options.has_fps()) {
      return absl::InvalidArgumentError(
          "The frame rate comes from either VIDEO_PRESTREAM or the option fps; "
          "give one of them");
    }
    if (!options.has_fps()) return absl::OkStatus();
    const double rate = RateOf(options.fps());
    if (IsRate(rate)) return absl::OkStatus();
    return absl::InvalidArgumentError(
        absl::StrCat("fps is above 0, but is ", rate));
  }

  absl::Status Open(CalculatorContext* cc) override {
    if (cc->Options<Options>().has_fps()) {
      header_.frame_rate = RateOf(cc->Options<Options>().fps());
    }
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    if (cc->Inputs().HasTag(kPrestream) &&
        !cc->Inputs().Tag(kPrestream).IsEmpty()) {
      header_ = cc->Inputs().Tag(kPrestream).Get<VideoHeader>();
      if (!IsRate(header_.frame_rate)) {
        return absl::InvalidArgumentError(absl::StrCat(
            "The header of VIDEO_PRESTREAM has the frame_rate ",
            header_.frame_rate,
            ", but a rate is above 0; if the source does "
            "not know its rate, give the option fps instead of the header"));
      }
    }
    const InputStream& frames = Frames(cc->Inputs());
    if (frames.IsEmpty() || is_sent_) return absl::OkStatus();
    const auto& frame = frames.Get<ImageFrame>();
    header_.format = frame.Format();
    header_.width = frame.Width();
    header_.height = frame.Height();
    cc->Outputs().Index(0).AddPacket(
        MakePacket<VideoHeader>(header_).At(Timestamp::PreStream()));
    cc->Outputs().Index(0).Close();
    is_sent_ = true;
    return absl::OkStatus();
  }

 private:
  VideoHeader header_;
  bool is_sent_ = false;
};
REGISTER_CALCULATOR(VideoPreStreamCalculator);

}  // namespace syncline
