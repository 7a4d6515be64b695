// OpenCvEncodedImageToImageFrameCalculator: decodes image files in memory to
// frames.
//
//   node {
//     calculator: "OpenCvEncodedImageToImageFrameCalculator"
//     input_stream: "files"       # std::string: a JPEG, PNG, ... file
//     output_stream: "frames"     # ImageFrame
//   }
//
// A frame has the format of the file: gray, RGB or RGBA of 8 or 16 bits. With
// apply_orientation_from_exif_data it is turned upright, by the orientation in
// Exif, and is then RGB.
//
// An empty input sends nothing; the bound passes through (timestamp offset 0).
// Bytes that are not an image are an error. So are a file that was cut off,
// more than 2^30 pixels, and a frame of more than a gigabyte. A JPEG file with
// all of its pixels but without an end marker is no error.
//
// Thread rule: no state of its own.
// Tested by opencv_image_calculators_test.
#include <memory>
#include <string>

#include "calculators/image/image_file.h"
#include "calculators/image/opencv_encoded_image_to_image_frame_calculator.pb.h"
#include "calculators/image/opencv_frames.h"
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
    const absl::StatusOr<cv::Mat> image =
        DecodeImage(file, turns ? cv::IMREAD_COLOR : cv::IMREAD_UNCHANGED);
    if (!image.ok()) {
      return absl::Status(
          image.status().code(),
          absl::StrCat("The image file at ", cc->InputTimestamp().DebugString(),
                       " cannot be taken: ", image.status().message()));
    }
    SYNCLINE_ASSIGN_OR_RETURN(std::unique_ptr<ImageFrame> frame,
                              FrameFromOpenCv(*image));
    cc->Outputs().Index(0).Add(frame.release(), cc->InputTimestamp());
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(OpenCvEncodedImageToImageFrameCalculator);

}  // namespace syncline
