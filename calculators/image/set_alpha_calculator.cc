// SetAlphaCalculator: gives frames an alpha channel.
//
//   node {
//     calculator: "SetAlphaCalculator"
//     input_stream: "IMAGE:frames"         # ImageFrame of SRGB or SRGBA
//     input_stream: "ALPHA:masks"          # ImageFrame of GRAY8; optional
//     output_stream: "IMAGE:see_through"   # ImageFrame of SRGBA
//   }
//
// The alpha channel is the frame of ALPHA at the same timestamp, which must
// have the same size: 255 is opaque. Instead, the option alpha_value of
// SetAlphaCalculatorOptions gives all pixels one value. Either ALPHA or the
// option is used, not both.
//
// An empty IMAGE sends nothing. If ALPHA is empty at the time of a frame, the
// frame is opaque; the bound passes through (timestamp offset 0).
//
// Thread rule: no state of its own.
// Tested by opencv_image_calculators_test.
#include <memory>

#include "calculators/image/frame_filter.h"
#include "calculators/image/opencv_calls.h"
#include "calculators/image/opencv_frames.h"
#include "calculators/image/set_alpha_calculator.pb.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/image_frame_opencv.h"
#include "opencv2/core.hpp"
#include "opencv2/imgproc.hpp"

namespace syncline {
namespace {

using Options = SetAlphaCalculatorOptions;

constexpr char kAlpha[] = "ALPHA";
constexpr int kOpaque = 255;

}  // namespace

class SetAlphaCalculator : public FrameFilter {
 public:
  SetAlphaCalculator() : FrameFilter("IMAGE") {}

  static absl::Status GetContract(CalculatorContract* cc) {
    DeclareFrames(cc, "IMAGE");
    cc->Inputs().Tag(kAlpha).Set<ImageFrame>().Optional();
    const int value = cc->Options<Options>().alpha_value();
    if (value < -1 || value > kOpaque) {
      return absl::InvalidArgumentError(absl::StrCat(
          "alpha_value is from 0 to 255, or -1 for ALPHA, but is ", value));
    }
    if (cc->Inputs().HasTag(kAlpha) == (value >= 0)) {
      return absl::InvalidArgumentError(
          "The transparency is either that of the input ALPHA or the option "
          "alpha_value; give one of them");
    }
    return absl::OkStatus();
  }

  absl::StatusOr<std::unique_ptr<ImageFrame>> Filter(
      const ImageFrame& frame, CalculatorContext* cc) override {
    SYNCLINE_RETURN_IF_ERROR(
        CheckFrame(frame, {ImageFormat::SRGB, ImageFormat::SRGBA}));
    const ImageFrame* alpha = nullptr;
    if (cc->Inputs().HasTag(kAlpha) && !cc->Inputs().Tag(kAlpha).IsEmpty()) {
      alpha = &cc->Inputs().Tag(kAlpha).Get<ImageFrame>();
      SYNCLINE_RETURN_IF_ERROR(CheckFrame(*alpha, {ImageFormat::GRAY8}));
      if (alpha->Width() != frame.Width() ||
          alpha->Height() != frame.Height()) {
        return absl::InvalidArgumentError(
            absl::StrCat("ALPHA is ", Describe(*alpha), " for ",
                         Describe(frame), "; they have one size"));
      }
    }
    SYNCLINE_ASSIGN_OR_RETURN(
        std::unique_ptr<ImageFrame> result,
        NewFrame(ImageFormat::SRGBA, frame.Width(), frame.Height(), memory()));
    SYNCLINE_RETURN_IF_ERROR(CallOpenCv("setting transparency", [&] {
      const cv::Mat colors = formats::MatView(&frame);
      cv::Mat output = formats::MatView(result.get());
      const int value = cc->Options<Options>().alpha_value();
      const cv::Mat transparency =
          alpha != nullptr ? formats::MatView(alpha)
                           : cv::Mat(colors.size(), CV_8UC1,
                                     cv::Scalar(value >= 0 ? value : kOpaque));
      const cv::Mat sources[] = {colors, transparency};
      const int channels = colors.channels();
      const int pairs[] = {0, 0, 1, 1, 2, 2, channels, 3};
      cv::mixChannels(sources, 2, &output, 1, pairs, 4);
      return absl::OkStatus();
    }));
    return result;
  }
};
REGISTER_CALCULATOR(SetAlphaCalculator);

}  // namespace syncline
