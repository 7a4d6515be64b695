// CascadeDetectorCalculator: detects faces, or other objects that a cascade of
// simple features was trained for (Viola and Jones, 2001; Haar and LBP
// features).
//
//   node {
//     calculator: "CascadeDetectorCalculator"
//     input_stream: "IMAGE:frames"              # ImageFrame or Image
//     output_stream: "DETECTIONS:faces"         # std::vector<Detection>
//     options { [syncline.CascadeDetectorCalculatorOptions.ext] {
//       cascade_path: "/usr/share/opencv4/haarcascades/"
//                     "haarcascade_frontalface_default.xml"
//       label: "face" } }
//   }
//
// The file comes from the options or from the side packet CASCADE_PATH
// (std::string), and is read when the run begins; Debian has some in the
// package opencv-data. A missing file, or one that is not a cascade, is an
// error.
//
// A detection has a box relative to the image, a label and a score: n / (n + 3)
// if n finds agree. If nothing is found the vector is empty. The image is not
// copied. The result depends only on the image, whatever number of threads
// OpenCV uses.
//
// An empty input sends nothing; the bound passes through (timestamp offset 0).
// An image without pixels, or of an unsupported format, ends the run.
//
// Thread rule: one call at a time.
// Tested by detectors_test.
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

#include "calculators/vision/cascade_detector_calculator.pb.h"
#include "calculators/vision/found_boxes.h"
#include "calculators/vision/image_input.h"
#include "framework/calculator_framework.h"
#include "framework/formats/detection.pb.h"
#include "framework/formats/image.h"
#include "framework/formats/image_frame.h"
#include "opencv2/objdetect.hpp"

namespace syncline {
namespace {

constexpr char kImage[] = "IMAGE";
constexpr char kDetections[] = "DETECTIONS";
constexpr char kCascadePath[] = "CASCADE_PATH";

absl::Status CheckOptions(const CascadeDetectorCalculatorOptions& options) {
  if (options.scale() >= 1.01 && options.scale() <= 2 &&
      options.min_neighbors() >= 0 && options.min_size() >= 0 &&
      options.max_size() >= 0 &&
      (options.max_size() == 0 || options.max_size() >= options.min_size())) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "CascadeDetectorCalculator needs scale from 1.01 to 2, min_neighbors and "
      "sizes of at least 0, and max_size not below min_size, but has ",
      options.ShortDebugString()));
}

absl::Status LoadCascade(const std::string& path,
                         cv::CascadeClassifier* cascade) {
  // Reading a pipe or a device may never end.
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error) ||
      !std::ifstream(path).good()) {
    return absl::NotFoundError(absl::StrCat(
        "the cascade \"", path,
        "\" cannot be read; Debian's package opencv-data has some, below "
        "/usr/share/opencv4"));
  }
  std::string reason = "it has none";
  try {
    if (cascade->load(path) && !cascade->empty()) return absl::OkStatus();
  } catch (const cv::Exception& error) {
    reason = error.err;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("no cascade can be read from \"", path, "\": ", reason));
}

}  // namespace

class CascadeDetectorCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    const auto& options = cc->Options<CascadeDetectorCalculatorOptions>();
    if (cc->InputSidePackets().HasTag(kCascadePath) ==
        options.has_cascade_path()) {
      return absl::InvalidArgumentError(
          "CascadeDetectorCalculator needs a file: either the option "
          "cascade_path or the side packet CASCADE_PATH, and not both");
    }
    cc->Inputs().Tag(kImage).SetOneOf<ImageFrame, Image>();
    cc->InputSidePackets().Tag(kCascadePath).Set<std::string>().Optional();
    cc->Outputs().Tag(kDetections).Set<std::vector<Detection>>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return CheckOptions(options);
  }

  absl::Status Open(CalculatorContext* cc) override {
    options_ = cc->Options<CascadeDetectorCalculatorOptions>();
    return LoadCascade(
        cc->InputSidePackets().HasTag(kCascadePath)
            ? cc->InputSidePackets().Tag(kCascadePath).Get<std::string>()
            : options_.cascade_path(),
        &cascade_);
  }

  absl::Status Process(CalculatorContext* cc) override {
    const InputStream& input = cc->Inputs().Tag(kImage);
    if (input.IsEmpty()) return absl::OkStatus();
    SYNCLINE_ASSIGN_OR_RETURN(const ImageInput image,
                              ImageInput::Of(input.Value()));
    std::vector<Detection> detections;
    for (const FoundBox& found :
         GroupFoundBoxes(Search(image.Gray()), options_.min_neighbors())) {
      detections.push_back(
          MakeDetection(found.box, image.pixels().size(),
                        found.agreeing / (found.agreeing + 3.0),
                        options_.label(), cc->InputTimestamp()));
    }
    cc->Outputs()
        .Tag(kDetections)
        .AddPacket(MakePacket<std::vector<Detection>>(std::move(detections))
                       .At(cc->InputTimestamp()));
    return absl::OkStatus();
  }

 private:
  std::vector<FoundBox> Search(const cv::Mat& gray) {
    const int min = options_.min_size();
    const int max = options_.max_size();
    std::vector<cv::Rect> boxes;
    cascade_.detectMultiScale(gray, boxes, options_.scale(),
                              /*minNeighbors=*/0, /*flags=*/0, {min, min},
                              {max, max});
    std::vector<FoundBox> found;
    for (const cv::Rect& box : boxes) found.push_back({box});
    return found;
  }

  CascadeDetectorCalculatorOptions options_;
  cv::CascadeClassifier cascade_;
};
REGISTER_CALCULATOR(CascadeDetectorCalculator);

}  // namespace syncline
