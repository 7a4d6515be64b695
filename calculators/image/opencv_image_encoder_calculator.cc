// OpenCvImageEncoderCalculator: encodes frames as JPEG files in memory.
//
//   node {
//     calculator: "OpenCvImageEncoderCalculator"
//     input_stream: "frames"      # ImageFrame
//     output_stream: "jpegs"      # OpenCvImageEncoderCalculatorResults
//     options { [syncline.OpenCvImageEncoderCalculatorOptions.ext] {
//       quality: 90 } }
//   }
//
// Frames are GRAY8, SRGB or SRGBA; the alpha channel is lost.
//
// An empty input sends nothing; the bound passes through (timestamp offset 0).
//
// Thread rule: one call at a time.
// Tested by opencv_image_calculators_test.
#include <cstdint>
#include <utility>
#include <vector>

#include "calculators/image/opencv_calls.h"
#include "calculators/image/opencv_frames.h"
#include "calculators/image/opencv_image_encoder_calculator.pb.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image_frame.h"
#include "opencv2/core.hpp"
#include "opencv2/imgcodecs.hpp"

namespace syncline {

class OpenCvImageEncoderCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<ImageFrame>();
    cc->Outputs().Index(0).Set<OpenCvImageEncoderCalculatorResults>();
    cc->SetTimestampOffset(TimestampDiff(0));
    const int quality =
        cc->Options<OpenCvImageEncoderCalculatorOptions>().quality();
    if (quality >= 1 && quality <= 100) return absl::OkStatus();
    return absl::InvalidArgumentError(
        absl::StrCat("quality is from 1 to 100, but is ", quality));
  }

  absl::Status Process(CalculatorContext* cc) override {
    if (cc->Inputs().Index(0).IsEmpty()) return absl::OkStatus();
    const auto& frame = cc->Inputs().Index(0).Get<ImageFrame>();
    SYNCLINE_RETURN_IF_ERROR(CheckFrameOfBytes(frame));
    SYNCLINE_ASSIGN_OR_RETURN(const cv::Mat pixels,
                              FrameForOpenCv(frame, converted_));
    std::vector<std::uint8_t> file;
    SYNCLINE_RETURN_IF_ERROR(CallOpenCv("writing a JPEG", [&] {
      const int quality =
          cc->Options<OpenCvImageEncoderCalculatorOptions>().quality();
      const bool is_written = cv::imencode(".jpg", pixels, file,
                                           {cv::IMWRITE_JPEG_QUALITY, quality});
      return is_written ? absl::OkStatus()
                        : absl::InvalidArgumentError(absl::StrCat(
                              "OpenCV made no JPEG of ", Describe(frame)));
    }));
    OpenCvImageEncoderCalculatorResults results;
    results.set_encoded_image(file.data(), file.size());
    results.set_width(frame.Width());
    results.set_height(frame.Height());
    results.set_colorspace(frame.Format() == ImageFormat::GRAY8
                               ? OpenCvImageEncoderCalculatorResults::GRAYSCALE
                               : OpenCvImageEncoderCalculatorResults::RGB);
    cc->Outputs().Index(0).AddPacket(
        MakePacket<OpenCvImageEncoderCalculatorResults>(std::move(results))
            .At(cc->InputTimestamp()));
    return absl::OkStatus();
  }

 private:
  cv::Mat converted_;  // memory that is reused
};
REGISTER_CALCULATOR(OpenCvImageEncoderCalculator);

}  // namespace syncline
