// ScaleImageCalculator: changes the size, proportions and format of frames.
//
//   node {
//     calculator: "ScaleImageCalculator"
//     input_stream: "FRAMES:frames"                # ImageFrame
//     input_stream: "VIDEO_HEADER:header"          # VideoHeader; optional
//     input_stream: "OVERRIDE_OPTIONS:options"     # optional
//     output_stream: "FRAMES:small_frames"         # ImageFrame
//     output_stream: "VIDEO_HEADER:small_header"   # VideoHeader; optional
//     options { [syncline.ScaleImageCalculatorOptions.ext] {
//       target_width: 640 target_height: 480 } }
//   }
//
// The tag FRAMES may be left out. First, a frame that is narrower or wider than
// the options allow is cropped around its middle (from 9/16 to 16/9 by default;
// empty texts or "0/1" allow any). Then the format, the size, and the alignment
// of rows are changed. A frame that needs no change is sent on without a copy.
// scale_image_calculator.proto describes the options.
//
// VIDEO_HEADER comes at PreStream and is sent with the size and the format of
// the result; so is the header of the stream FRAMES if it is a VideoHeader.
// From its timestamp on, a packet of OVERRIDE_OPTIONS
// (ScaleImageCalculatorOptions) overrides the options that it sets; headers
// depend only on the options at the start.
//
// An empty FRAMES sends nothing; the bound passes through (timestamp offset 0).
// Frames of other formats than SRGB, SRGBA and GRAY8 end the run.
//
// Thread rule: one call at a time.
// Tested by scale_image_calculator_test.
#include <memory>
#include <string>

#include "calculators/image/frame_scaling.h"
#include "calculators/image/opencv_calls.h"
#include "calculators/image/opencv_frames.h"
#include "calculators/image/scale_image_calculator.pb.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/image_frame_opencv.h"
#include "framework/formats/video_stream_header.h"
#include "opencv2/core.hpp"
#include "opencv2/imgproc.hpp"

namespace syncline {
namespace {

using Options = ScaleImageCalculatorOptions;

constexpr char kFrames[] = "FRAMES";
constexpr char kHeader[] = "VIDEO_HEADER";
constexpr char kOverride[] = "OVERRIDE_OPTIONS";

ImageFormat::Format OutputFormat(const Options& options,
                                 ImageFormat::Format input) {
  return options.has_output_format() &&
                 options.output_format() != ImageFormat::UNKNOWN
             ? options.output_format()
             : input;
}

// The conversion between two different formats.
int ColorCode(ImageFormat::Format from, ImageFormat::Format to) {
  if (from == ImageFormat::GRAY8) {
    return to == ImageFormat::SRGB ? cv::COLOR_GRAY2RGB : cv::COLOR_GRAY2RGBA;
  }
  if (from == ImageFormat::SRGB) {
    return to == ImageFormat::GRAY8 ? cv::COLOR_RGB2GRAY : cv::COLOR_RGB2RGBA;
  }
  return to == ImageFormat::GRAY8 ? cv::COLOR_RGBA2GRAY : cv::COLOR_RGBA2RGB;
}

int Interpolation(const Options& options, const FrameScaling& scaling) {
  switch (options.algorithm()) {
    case Options::LINEAR:
      return cv::INTER_LINEAR;
    case Options::CUBIC:
      return cv::INTER_CUBIC;
    case Options::AREA:
      return cv::INTER_AREA;
    case Options::LANCZOS:
      return cv::INTER_LANCZOS4;
    case Options::DEFAULT:
    case Options::DEFAULT_WITHOUT_UPSCALE:
      break;
  }
  return scaling.width > scaling.crop_width ||
                 scaling.height > scaling.crop_height
             ? cv::INTER_CUBIC
             : cv::INTER_AREA;
}

bool IsUnchanged(const Options& options, const FrameScaling& scaling,
                 const ImageFrame& frame) {
  return scaling.width == frame.Width() && scaling.height == frame.Height() &&
         OutputFormat(options, frame.Format()) == frame.Format() &&
         options.post_sharpening_coefficient() == 0 &&
         frame.IsAligned(
             static_cast<std::uint32_t>(options.alignment_boundary()));
}

// Adds so many times the difference from a blurred picture, which sharpens.
void Sharpen(float coefficient, cv::Mat* pixels) {
  cv::Mat blurred;
  cv::GaussianBlur(*pixels, blurred, cv::Size(3, 3), 0);
  cv::addWeighted(*pixels, 1 + coefficient, blurred, -coefficient, 0, *pixels);
}

}  // namespace

class ScaleImageCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    const std::string tag = TagOfFrames(cc->Inputs());
    cc->Inputs().Tag(tag).Set<ImageFrame>();
    cc->Inputs().Tag(kHeader).Set<VideoHeader>().Optional();
    cc->Inputs().Tag(kOverride).Set<Options>().Optional();
    cc->Outputs().Tag(TagOfFrames(cc->Outputs())).Set<ImageFrame>();
    cc->Outputs().Tag(kHeader).Set<VideoHeader>().Optional();
    if (cc->Outputs().HasTag(kHeader) && !cc->Inputs().HasTag(kHeader)) {
      return absl::InvalidArgumentError(
          "ScaleImageCalculator sends VIDEO_HEADER only if it gets it");
    }
    cc->SetTimestampOffset(TimestampDiff(0));
    return CheckScaling(cc->Options<Options>());
  }

  absl::Status Open(CalculatorContext* cc) override {
    options_ = cc->Options<Options>();
    input_ = TagOfFrames(cc->Inputs());
    output_ = TagOfFrames(cc->Outputs());
    const Packet& header = cc->Inputs().Tag(input_).Header();
    if (header.IsEmpty() || !header.ValidateAsType<VideoHeader>().ok()) {
      return absl::OkStatus();
    }
    SYNCLINE_ASSIGN_OR_RETURN(const Packet scaled,
                              ScaledHeader(header.Get<VideoHeader>()));
    cc->Outputs().Tag(output_).SetHeader(scaled);
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    if (cc->Inputs().HasTag(kOverride) &&
        !cc->Inputs().Tag(kOverride).IsEmpty()) {
      options_.MergeFrom(cc->Inputs().Tag(kOverride).Get<Options>());
      SYNCLINE_RETURN_IF_ERROR(CheckScaling(options_));
    }
    if (cc->Outputs().HasTag(kHeader) && !cc->Inputs().Tag(kHeader).IsEmpty()) {
      SYNCLINE_ASSIGN_OR_RETURN(
          Packet header,
          ScaledHeader(cc->Inputs().Tag(kHeader).Get<VideoHeader>()));
      cc->Outputs().Tag(kHeader).AddPacket(
          std::move(header).At(cc->InputTimestamp()));
    }
    const Packet& packet = cc->Inputs().Tag(input_).Value();
    if (packet.IsEmpty()) return absl::OkStatus();
    const auto& frame = packet.Get<ImageFrame>();
    SYNCLINE_RETURN_IF_ERROR(CheckInput(frame));
    SYNCLINE_ASSIGN_OR_RETURN(
        const FrameScaling scaling,
        PlanScaling(options_, frame.Width(), frame.Height()));
    if (IsUnchanged(options_, scaling, frame)) {
      cc->Outputs().Tag(output_).AddPacket(packet);
      return absl::OkStatus();
    }
    SYNCLINE_ASSIGN_OR_RETURN(std::unique_ptr<ImageFrame> result,
                              Scale(frame, scaling));
    cc->Outputs().Tag(output_).Add(result.release(), cc->InputTimestamp());
    return absl::OkStatus();
  }

 private:
  template <typename Ports>
  static std::string TagOfFrames(const Ports& ports) {
    return ports.HasTag(kFrames) ? kFrames : "";
  }

  absl::Status CheckInput(const ImageFrame& frame) const {
    SYNCLINE_RETURN_IF_ERROR(CheckFrameOfBytes(frame));
    if (!options_.has_input_format() ||
        options_.input_format() == ImageFormat::UNKNOWN ||
        options_.input_format() == frame.Format()) {
      return absl::OkStatus();
    }
    return absl::InvalidArgumentError(absl::StrCat(
        "input_format says ", ImageFormat::Format_Name(options_.input_format()),
        ", but what came is ", Describe(frame)));
  }

  // A header without a size gets none.
  absl::StatusOr<Packet> ScaledHeader(const VideoHeader& header) const {
    VideoHeader scaled = header;
    scaled.format = OutputFormat(options_, header.format);
    if (header.width > 0 && header.height > 0) {
      SYNCLINE_ASSIGN_OR_RETURN(
          const FrameScaling scaling,
          PlanScaling(options_, header.width, header.height));
      scaled.width = scaling.width;
      scaled.height = scaling.height;
    }
    return MakePacket<VideoHeader>(scaled);
  }

  absl::StatusOr<std::unique_ptr<ImageFrame>> Scale(
      const ImageFrame& frame, const FrameScaling& scaling) const {
    const ImageFormat::Format format = OutputFormat(options_, frame.Format());
    SYNCLINE_RETURN_IF_ERROR(CheckSize(format, scaling.width, scaling.height));
    auto result = std::make_unique<ImageFrame>(
        format, scaling.width, scaling.height,
        static_cast<std::uint32_t>(options_.alignment_boundary()));
    SYNCLINE_RETURN_IF_ERROR(CallOpenCv("scaling a frame", [&] {
      cv::Mat pixels = formats::MatView(&frame)(cv::Rect(
          scaling.left, scaling.top, scaling.crop_width, scaling.crop_height));
      if (format != frame.Format()) {
        cv::Mat converted;
        cv::cvtColor(pixels, converted, ColorCode(frame.Format(), format));
        pixels = converted;
      }
      cv::Mat output = formats::MatView(result.get());
      if (output.size() == pixels.size()) {
        pixels.copyTo(output);
      } else {
        cv::resize(pixels, output, output.size(), 0, 0,
                   Interpolation(options_, scaling));
      }
      if (options_.post_sharpening_coefficient() != 0) {
        Sharpen(options_.post_sharpening_coefficient(), &output);
      }
      return absl::OkStatus();
    }));
    if (options_.set_alignment_padding()) result->SetAlignmentPaddingAreas();
    return result;
  }

  Options options_;
  std::string input_;
  std::string output_;
};
REGISTER_CALCULATOR(ScaleImageCalculator);

}  // namespace syncline
