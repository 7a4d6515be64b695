// SobelEdgesCalculator: sends the edges of frames, white on black.
//
//   node {
//     calculator: "SobelEdgesCalculator"
//     input_stream: "frames"      # ImageFrame; or VIDEO
//     output_stream: "edges"      # ImageFrame of GRAY8; or VIDEO
//   }
//
// Frames are GRAY8, SRGB or SRGBA; edges are those of the brightness. A pixel
// of the result is the length of the gradient there, by Sobel's operator over
// 3x3 pixels, and at most 255.
//
// An empty input sends nothing; the bound passes through (timestamp offset 0).
//
// Thread rule: one call at a time.
// Tested by opencv_image_calculators_test.
#include <memory>

#include "calculators/image/frame_filter.h"
#include "calculators/image/opencv_calls.h"
#include "calculators/image/opencv_frames.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/image_frame_opencv.h"
#include "opencv2/core.hpp"
#include "opencv2/imgproc.hpp"

namespace syncline {

class SobelEdgesCalculator : public FrameFilter {
 public:
  SobelEdgesCalculator() : FrameFilter("VIDEO") {}

  static absl::Status GetContract(CalculatorContract* cc) {
    DeclareFrames(cc, "VIDEO");
    return absl::OkStatus();
  }

  absl::StatusOr<std::unique_ptr<ImageFrame>> Filter(
      const ImageFrame& frame, CalculatorContext* /*cc*/) override {
    SYNCLINE_RETURN_IF_ERROR(CheckFrameOfBytes(frame));
    SYNCLINE_ASSIGN_OR_RETURN(
        std::unique_ptr<ImageFrame> edges,
        NewFrame(ImageFormat::GRAY8, frame.Width(), frame.Height(), memory()));
    SYNCLINE_RETURN_IF_ERROR(CallOpenCv("finding edges", [&] {
      cv::Mat gray = formats::MatView(&frame);
      if (gray.channels() != 1) {
        cv::cvtColor(
            gray, gray_,
            gray.channels() == 3 ? cv::COLOR_RGB2GRAY : cv::COLOR_RGBA2GRAY);
        gray = gray_;
      }
      cv::Sobel(gray, across_, CV_32F, 1, 0);
      cv::Sobel(gray, down_, CV_32F, 0, 1);
      cv::magnitude(across_, down_, length_);
      length_.convertTo(formats::MatView(edges.get()), CV_8U);
      return absl::OkStatus();
    }));
    return edges;
  }

 private:
  // Memory that is reused.
  cv::Mat gray_;
  cv::Mat across_;
  cv::Mat down_;
  cv::Mat length_;
};
REGISTER_CALCULATOR(SobelEdgesCalculator);

}  // namespace syncline
