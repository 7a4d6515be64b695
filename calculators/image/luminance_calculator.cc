// LuminanceCalculator: sends the brightness of the pixels of frames.
//
//   node {
//     calculator: "LuminanceCalculator"
//     input_stream: "frames"           # ImageFrame; or VIDEO
//     output_stream: "gray_frames"     # ImageFrame of GRAY8; or VIDEO
//   }
//
// Frames are SRGB, SRGBA or GRAY8; the brightness is 0.2125 red + 0.7154 green
// + 0.0721 blue, rounded. A gray frame is sent on without a copy.
//
// An empty input sends nothing; the bound passes through (timestamp offset 0).
//
// Thread rule: no state of its own.
// Tested by opencv_image_calculators_test.
#include <memory>

#include "calculators/image/frame_filter.h"
#include "calculators/image/opencv_calls.h"
#include "calculators/image/opencv_frames.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/image_frame_opencv.h"
#include "opencv2/core.hpp"

namespace syncline {

class LuminanceCalculator : public FrameFilter {
 public:
  LuminanceCalculator() : FrameFilter("VIDEO") {}

  static absl::Status GetContract(CalculatorContract* cc) {
    DeclareFrames(cc, "VIDEO");
    return absl::OkStatus();
  }

  absl::StatusOr<std::unique_ptr<ImageFrame>> Filter(
      const ImageFrame& frame, CalculatorContext* /*cc*/) override {
    SYNCLINE_RETURN_IF_ERROR(CheckFrameOfBytes(frame));
    if (frame.Format() == ImageFormat::GRAY8) return nullptr;
    SYNCLINE_ASSIGN_OR_RETURN(
        std::unique_ptr<ImageFrame> gray,
        NewFrame(ImageFormat::GRAY8, frame.Width(), frame.Height(), memory()));
    SYNCLINE_RETURN_IF_ERROR(CallOpenCv("making a frame gray", [&] {
      cv::Mat result = formats::MatView(gray.get());
      const cv::Matx14f weights(0.2125F, 0.7154F, 0.0721F, 0);
      cv::transform(formats::MatView(&frame), result,
                    cv::Mat(weights).colRange(0, frame.NumberOfChannels()));
      return absl::OkStatus();
    }));
    return gray;
  }
};
REGISTER_CALCULATOR(LuminanceCalculator);

}  // namespace syncline
