// BilateralFilterCalculator: smooths frames and keeps their edges.
//
//   node {
//     calculator: "BilateralFilterCalculator"
//     input_stream: "IMAGE:frames"           # ImageFrame
//     output_stream: "IMAGE:smooth_frames"   # ImageFrame
//     options { [syncline.BilateralFilterCalculatorOptions.ext] {
//       sigma_color: 20 sigma_space: 3 } }
//   }
//
// Each pixel becomes an average of the pixels around it that have a similar
// colour, and are no further away than sigma_space, rounded down to half a
// pixel (at least one pixel). Frames are GRAY8 or SRGB. The time for a frame
// grows with the square of sigma_space, which is at most 32.
//
// An empty input sends nothing; the bound passes through (timestamp offset 0).
//
// Thread rule: no state of its own.
// Tested by opencv_image_calculators_test.
#include <memory>

#include "calculators/image/bilateral_filter_calculator.pb.h"
#include "calculators/image/frame_filter.h"
#include "calculators/image/opencv_calls.h"
#include "calculators/image/opencv_frames.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/image_frame_opencv.h"
#include "opencv2/imgproc.hpp"

namespace syncline {
namespace {

using Options = BilateralFilterCalculatorOptions;

constexpr float kMaxColor = 10000;
constexpr float kMaxSpace = 32;

}  // namespace

class BilateralFilterCalculator : public FrameFilter {
 public:
  BilateralFilterCalculator() : FrameFilter("IMAGE") {}

  static absl::Status GetContract(CalculatorContract* cc) {
    DeclareFrames(cc, "IMAGE");
    const Options& options = cc->Options<Options>();
    if (options.sigma_color() > 0 && options.sigma_color() <= kMaxColor &&
        options.sigma_space() > 0 && options.sigma_space() <= kMaxSpace) {
      return absl::OkStatus();
    }
    return absl::InvalidArgumentError(absl::StrCat(
        "sigma_color is above 0 and at most ", kMaxColor,
        ", sigma_space above 0 and at most ", kMaxSpace, "; but they are ",
        options.sigma_color(), " and ", options.sigma_space()));
  }

  absl::StatusOr<std::unique_ptr<ImageFrame>> Filter(
      const ImageFrame& frame, CalculatorContext* cc) override {
    const Options& options = cc->Options<Options>();
    SYNCLINE_RETURN_IF_ERROR(
        CheckFrame(frame, {ImageFormat::GRAY8, ImageFormat::SRGB}));
    SYNCLINE_ASSIGN_OR_RETURN(
        std::unique_ptr<ImageFrame> smooth,
        NewFrame(frame.Format(), frame.Width(), frame.Height(), memory()));
    SYNCLINE_RETURN_IF_ERROR(CallOpenCv("smoothing a frame", [&] {
      cv::Mat result = formats::MatView(smooth.get());
      const int diameter = static_cast<int>(options.sigma_space() * 2);
      cv::bilateralFilter(formats::MatView(&frame), result, diameter,
                          options.sigma_color(), options.sigma_space());
      return absl::OkStatus();
    }));
    return smooth;
  }
};
REGISTER_CALCULATOR(BilateralFilterCalculator);

}  // namespace syncline
