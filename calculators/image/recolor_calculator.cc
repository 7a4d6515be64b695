// RecolorCalculator: gives the masked part of a frame another colour.
//
//   node {
//     calculator: "RecolorCalculator"
//     input_stream: "IMAGE:frames"       # ImageFrame of SRGB or SRGBA
//     input_stream: "MASK:hair"          # ImageFrame
//     output_stream: "IMAGE:recolored"   # ImageFrame of SRGB
//     options { [syncline.RecolorCalculatorOptions.ext] {
//       color { r: 0 g: 0 b: 255 } } }
//   }
//
// A pixel is mixed with the colour. The weight is the mask's value: 255, or 1.0
// in a mask of floats (VEC32F1), means only the colour. With
// adjust_with_luminance (the default) the weight is multiplied by the
// brightness of the pixel, so that shades stay visible. A mask of another size
// is scaled. The mask has one channel, or the options select one.
//
// An empty IMAGE sends nothing; if MASK is empty, the frame is sent on
// unchanged. The bound passes through (timestamp offset 0). Frames and masks of
// other formats end the run.
//
// Thread rule: no state of its own.
// Tested by mask_calculators_test.
#include <cstdint>
#include <memory>

#include "calculators/image/frame_filter.h"
#include "calculators/image/mask_weights.h"
#include "calculators/image/opencv_calls.h"
#include "calculators/image/opencv_frames.h"
#include "calculators/image/recolor_calculator.pb.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/image_frame_opencv.h"
#include "opencv2/core.hpp"
#include "opencv2/imgproc.hpp"

namespace syncline {
namespace {

using Options = RecolorCalculatorOptions;

constexpr char kMask[] = "MASK";

bool IsByte(int value) { return 0 <= value && value <= 255; }

// `weights` multiplied by the brightness of the pixels.
void AdjustWithLuminance(const cv::Mat& colors, cv::Mat* weights) {
  // In floats: rounded to one of 256 shades, the brightness would move a colour
  // by up to half of a step.
  cv::Mat parts;
  colors.convertTo(parts, CV_32F, 1 / 255.0);
  cv::Mat luminance;
  cv::transform(parts, luminance, cv::Matx13f(0.299F, 0.587F, 0.114F));
  cv::multiply(*weights, luminance, *weights);
}

}  // namespace

class RecolorCalculator : public FrameFilter {
 public:
  RecolorCalculator() : FrameFilter("IMAGE") {}

  static absl::Status GetContract(CalculatorContract* cc) {
    DeclareFrames(cc, "IMAGE");
    cc->Inputs().Tag(kMask).Set<ImageFrame>();
    const auto& options = cc->Options<Options>();
    const Color& color = options.color();
    if (!options.has_color() || !IsByte(color.r()) || !IsByte(color.g()) ||
        !IsByte(color.b())) {
      return absl::InvalidArgumentError(absl::StrCat(
          "RecolorCalculator needs a color whose r, g and b are from 0 to 255, "
          "but has ",
          options.ShortDebugString()));
    }
    return absl::OkStatus();
  }

  absl::StatusOr<std::unique_ptr<ImageFrame>> Filter(
      const ImageFrame& frame, CalculatorContext* cc) override {
    if (cc->Inputs().Tag(kMask).IsEmpty()) return nullptr;
    const auto& options = cc->Options<Options>();
    SYNCLINE_RETURN_IF_ERROR(
        CheckFrame(frame, {ImageFormat::SRGB, ImageFormat::SRGBA}));
    SYNCLINE_ASSIGN_OR_RETURN(
        cv::Mat weights, MaskWeights(cc->Inputs().Tag(kMask).Get<ImageFrame>(),
                                     options.mask_channel() == Options::ALPHA,
                                     cv::Size(frame.Width(), frame.Height())));
    SYNCLINE_ASSIGN_OR_RETURN(
        std::unique_ptr<ImageFrame> result,
        NewFrame(ImageFormat::SRGB, frame.Width(), frame.Height(), memory()));
    SYNCLINE_RETURN_IF_ERROR(CallOpenCv("recoloring a frame", [&] {
      if (options.invert_mask()) cv::subtract(1, weights, weights);
      cv::Mat output = formats::MatView(result.get());
      if (frame.Format() == ImageFormat::SRGBA) {
        cv::cvtColor(formats::MatView(&frame), output, cv::COLOR_RGBA2RGB);
      } else {
        formats::MatView(&frame).copyTo(output);
      }
      if (options.adjust_with_luminance()) {
        AdjustWithLuminance(output, &weights);
      }
      const Color& color = options.color();
      const cv::Mat target(output.size(), CV_8UC3,
                           cv::Scalar(color.r(), color.g(), color.b()));
      Blend(output, target, weights, &output);
      return absl::OkStatus();
    }));
    return result;
  }
};
REGISTER_CALCULATOR(RecolorCalculator);

}  // namespace syncline
