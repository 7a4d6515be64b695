// PeopleDetectorCalculator: detects upright people in an image, by histograms
// of oriented gradients (Dalal and Triggs, 2005) with OpenCV's weights.
//
//   node {
//     calculator: "PeopleDetectorCalculator"
//     input_stream: "IMAGE:frames"              # ImageFrame or Image
//     output_stream: "DETECTIONS:people"        # std::vector<Detection>
//     options { [syncline.PeopleDetectorCalculatorOptions.ext] {
//       scale: 1.1 min_neighbors: 1 } }
//   }
//
// It needs no file. A large image takes a good part of a second: put a
// FlowLimiterCalculator before it, or set a smaller `input_width`. A person
// must be at least 96 pixels high in the searched image.
//
// A detection has a box around the person, relative to the image, a label and a
// score: 1 / (1 + e^-d) for the distance d from the border between people and
// other things. If there are no people the vector is empty. The image is not
// copied. The result depends only on the image, whatever number of threads
// OpenCV uses.
//
// An empty input sends nothing; the bound passes through (timestamp offset 0).
// An image without pixels, or of an unsupported format, ends the run.
//
// Thread rule: one call at a time.
// Tested by detectors_test.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "calculators/vision/found_boxes.h"
#include "calculators/vision/image_input.h"
#include "calculators/vision/people_detector_calculator.pb.h"
#include "framework/calculator_framework.h"
#include "framework/formats/detection.pb.h"
#include "framework/formats/image.h"
#include "framework/formats/image_frame.h"
#include "opencv2/imgproc.hpp"
#include "opencv2/objdetect.hpp"

namespace syncline {
namespace {

constexpr char kImage[] = "IMAGE";
constexpr char kDetections[] = "DETECTIONS";

absl::Status CheckOptions(const PeopleDetectorCalculatorOptions& options) {
  // Comparisons with NaN are false.
  if (options.input_width() >= 0 && options.scale() >= 1.01 &&
      options.scale() <= 2 &&
      (options.stride() == 4 ||
       (options.stride() >= 8 && options.stride() <= 64 &&
        options.stride() % 8 == 0)) &&
      options.hit_threshold() >= -100 && options.hit_threshold() <= 100 &&
      options.min_neighbors() >= 0) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "PeopleDetectorCalculator needs input_width and min_neighbors of at "
      "least 0, scale from 1.01 to 2, stride 4 or a multiple of 8 up to 64, "
      "hit_threshold from -100 to 100, but has ",
      options.ShortDebugString()));
}

// The search window has a border around the person.
cv::Rect WithoutBorder(const cv::Rect& window) {
  const int across = window.width / 8;
  const int down = window.height / 16;
  return {window.x + across, window.y + down, window.width - 2 * across,
          window.height - 2 * down};
}

// A score between 0 and 1, in the same order as the weights.
double ScoreOf(double weight) { return 1.0 / (1.0 + std::exp(-weight)); }

}  // namespace

class PeopleDetectorCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Tag(kImage).SetOneOf<ImageFrame, Image>();
    cc->Outputs().Tag(kDetections).Set<std::vector<Detection>>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return CheckOptions(cc->Options<PeopleDetectorCalculatorOptions>());
  }

  absl::Status Open(CalculatorContext* cc) override {
    options_ = cc->Options<PeopleDetectorCalculatorOptions>();
    hog_.setSVMDetector(cv::HOGDescriptor::getDefaultPeopleDetector());
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const InputStream& input = cc->Inputs().Tag(kImage);
    if (input.IsEmpty()) return absl::OkStatus();
    SYNCLINE_ASSIGN_OR_RETURN(const ImageInput image,
                              ImageInput::Of(input.Value()));
    std::vector<Detection> people;
    const cv::Mat searched = ToSearch(image);
    // OpenCV throws for images that it cannot process; the engine turns an
    // exception into a status with the node's name.
    for (const FoundBox& found :
         GroupFoundBoxes(Search(searched), options_.min_neighbors())) {
      people.push_back(MakeDetection(WithoutBorder(found.box), searched.size(),
                                     ScoreOf(found.weight), options_.label(),
                                     cc->InputTimestamp()));
    }
    cc->Outputs()
        .Tag(kDetections)
        .AddPacket(MakePacket<std::vector<Detection>>(std::move(people))
                       .At(cc->InputTimestamp()));
    return absl::OkStatus();
  }

 private:
  cv::Mat ToSearch(const ImageInput& image) const {
    const cv::Mat gray = image.Gray();
    const int width = options_.input_width();
    if (width == 0 || width >= gray.cols) return gray;
    const double shrink = static_cast<double>(width) / gray.cols;
    cv::Mat small;
    cv::resize(gray, small, {width, std::max(1, cvRound(gray.rows * shrink))},
               0, 0, cv::INTER_AREA);
    return small;
  }

  std::vector<FoundBox> Search(const cv::Mat& gray) const {
    if (gray.cols < hog_.winSize.width || gray.rows < hog_.winSize.height) {
      return {};
    }
    std::vector<cv::Rect> boxes;
    std::vector<double> weights;
    const int stride = options_.stride();
    hog_.detectMultiScale(gray, boxes, weights, options_.hit_threshold(),
                          {stride, stride}, {8, 8}, options_.scale(),
                          /*groupThreshold=*/0);
    std::vector<FoundBox> found;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      found.push_back({boxes[i], weights[i]});
    }
    return found;
  }

  PeopleDetectorCalculatorOptions options_;
  cv::HOGDescriptor hog_;
};
REGISTER_CALCULATOR(PeopleDetectorCalculator);

}  // namespace syncline
