// OpenCvEncodedImageToImageFrameCalculator: frames out of image files in
// memory.
//
//   node {
//     calculator: "OpenCvEncodedImageToImageFrameCalculator"
//     input_stream: "files"       # std::string: a JPEG, PNG, ... file
//     output_stream: "frames"     # ImageFrame
//   }
//
// A frame has the format of the file: gray, RGB or RGBA of 8 or 16 bits. With
// apply_orientation_from_exif_data it is turned as the camera was held, and is
// then RGB.
//
// An empty input sends nothing; the bound passes through (timestamp offset 0).
// Bytes that are no image are an error, and so are more than 2^30 pixels.
//
// Thread rule: no state of its own.
// Tested by opencv_image_calculators_test.
#include <limits>
#include <memory>
#include <string>

#include "calculators/image/opencv_encoded_image_to_image_frame_calculator.pb.h"
#include "calculators/media/opencv_calls.h"
#include "calculators/media/opencv_frames.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image_frame.h"
#include "opencv2/core.hpp"
#include "opencv2/imgcodecs.hpp"

namespace syncline {

class OpenCvEncodedImageToImageFrameCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<std::string>();
    cc->Outputs().Index(0).Set<ImageFrame>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    if (cc->Inputs().Index(0).IsEmpty()) return absl::OkStatus();
    const auto& file = cc->Inputs().Index(0).Get<std::string>();
    const bool turns =
        cc->Options<OpenCvEncodedImageToImageFrameCalculatorOptions>()
            .apply_orientation_from_exif_data();
    cv::Mat image;
    SYNCLINE_RETURN_IF_ERROR(CallOpenCv("reading an image", [&] {
      if (!file.empty() && file.size() <= std::numeric_limits<int>::max()) {
        // A view of the bytes; OpenCV has none for what must not be written.
        const cv::Mat bytes(1, static_cast<int>(file.size()), CV_8UC1,
                            const_cast<char*>(file.data()));
        image = cv::imdecode(bytes,
                             turns ? cv::IMREAD_COLOR : cv::IMREAD_UNCHANGED);
      }
      return absl::OkStatus();
    }));
    if (image.empty()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "The ", file.size(), " bytes at ", cc->InputTimestamp().DebugString(),
          " are not an image that can be read"));
    }
    SYNCLINE_ASSIGN_OR_RETURN(std::unique_ptr<ImageFrame> frame,
                              FrameFromOpenCv(image));
    cc->Outputs().Index(0).Add(frame.release(), cc->InputTimestamp());
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(OpenCvEncodedImageToImageFrameCalculator);

}  // namespace syncline
