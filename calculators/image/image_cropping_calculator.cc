// ImageCroppingCalculator: cuts a rectangle, which may be turned, out of
// frames.
//
//   node {
//     calculator: "ImageCroppingCalculator"
//     input_stream: "IMAGE:frames"          # ImageFrame
//     input_stream: "NORM_RECT:face"        # NormalizedRect; or RECT: Rect
//     output_stream: "IMAGE:face_frames"    # ImageFrame
//     options { [syncline.ImageCroppingCalculatorOptions.ext] {
//       border_mode: BORDER_REPLICATE output_max_width: 256
//       output_max_height: 256 } }
//   }
//
// The rectangle is in whole pixels:
//
//   size      that of RECT, in pixels, or of NORM_RECT, relative to the frame;
//             or the streams WIDTH and HEIGHT (int); or the options width and
//             height, or norm_width and norm_height; or the whole frame
//   middle    that of RECT or NORM_RECT; without these streams norm_center_x
//             and norm_center_y, if the options have both; or the middle of the
//             frame, width / 2 and height / 2 without a remainder
//   rotation  that of RECT or NORM_RECT; without these streams the option
//
// What is relative is multiplied by the size of the frame and rounded. A RECT
// or NORM_RECT whose width or height is not above 0 stands for the whole frame.
//
// The rectangle is turned upright. A pixel of the result is the pixel of the
// frame in which its middle lies, without interpolation; between two pixels it
// is the right or lower one. Parts that lie outside of the frame are black, or
// repeat the edge. The result has the size of the rectangle, or is scaled down
// to output_max_width and output_max_height with the same proportions, rounded
// down.
//
// Frames may have any format that OpenCV supports. Their sides, and those of
// the result, must be below 32767 pixels. A rectangle that is larger, or far
// outside of the frame, is an error.
//
// An empty IMAGE or rectangle sends nothing; the bound passes through
// (timestamp offset 0).
//
// Thread rule: no state of its own.
// Tested by opencv_image_calculators_test.
#include <algorithm>
#include <cmath>
#include <memory>

#include "calculators/image/image_cropping_calculator.pb.h"
#include "calculators/image/opencv_calls.h"
#include "calculators/image/opencv_frames.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/image_frame_memory.h"
#include "framework/formats/image_frame_opencv.h"
#include "framework/formats/rect.pb.h"
#include "opencv2/core.hpp"
#include "opencv2/imgproc.hpp"

namespace syncline {
namespace {

using Options = ImageCroppingCalculatorOptions;

constexpr char kImage[] = "IMAGE";
constexpr char kRect[] = "RECT";
constexpr char kNormRect[] = "NORM_RECT";
constexpr char kWidth[] = "WIDTH";
constexpr char kHeight[] = "HEIGHT";

// The limit of OpenCV's function for this.
constexpr double kMaxSide = 32766;
constexpr double kMaxDistance = 1e6;

// In whole pixels; the rotation is clockwise, in radians.
struct Cut {
  double center_x;
  double center_y;
  double width;
  double height;
  double rotation = 0;
};

// At least a pixel.
double SideOf(float norm, int pixels) {
  const double side = std::round(norm * static_cast<float>(pixels));
  return side < 1 ? 1 : side;
}

double PlaceOf(float norm, int pixels) {
  return std::round(norm * static_cast<float>(pixels));
}

Cut WholeFrame(const ImageFrame& frame) {
  return {.center_x = static_cast<double>(frame.Width() / 2),
          .center_y = static_cast<double>(frame.Height() / 2),
          .width = static_cast<double>(frame.Width()),
          .height = static_cast<double>(frame.Height())};
}

Cut CutBy(const Rect& rect, const ImageFrame& frame) {
  if (rect.width() <= 0 || rect.height() <= 0) return WholeFrame(frame);
  return {.center_x = static_cast<double>(rect.x_center()),
          .center_y = static_cast<double>(rect.y_center()),
          .width = static_cast<double>(rect.width()),
          .height = static_cast<double>(rect.height()),
          .rotation = rect.rotation()};
}

Cut CutBy(const NormalizedRect& rect, const ImageFrame& frame) {
  // False for NaN.
  const bool has_area = rect.width() > 0 && rect.height() > 0;
  if (!has_area) return WholeFrame(frame);
  return {.center_x = PlaceOf(rect.x_center(), frame.Width()),
          .center_y = PlaceOf(rect.y_center(), frame.Height()),
          .width = SideOf(rect.width(), frame.Width()),
          .height = SideOf(rect.height(), frame.Height()),
          .rotation = rect.rotation()};
}

Cut CutBy(const Options& options, const ImageFrame& frame) {
  Cut cut = WholeFrame(frame);
  if (options.has_width() && options.has_height()) {
    cut.width = options.width();
    cut.height = options.height();
  } else if (options.norm_width() > 0 && options.norm_height() > 0) {
    cut.width = SideOf(options.norm_width(), frame.Width());
    cut.height = SideOf(options.norm_height(), frame.Height());
  }
  if (options.has_norm_center_x() && options.has_norm_center_y()) {
    cut.center_x = PlaceOf(options.norm_center_x(), frame.Width());
    cut.center_y = PlaceOf(options.norm_center_y(), frame.Height());
  }
  cut.rotation = options.rotation();
  return cut;
}

absl::Status CheckCut(const Cut& cut) {
  // Written so that NaN fails, since every comparison with it is false.
  if (cut.width > 0 && cut.width <= kMaxSide && cut.height > 0 &&
      cut.height <= kMaxSide && std::abs(cut.center_x) <= kMaxDistance &&
      std::abs(cut.center_y) <= kMaxDistance && std::isfinite(cut.rotation)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "The rectangle to cut out is ", cut.width, "x", cut.height,
      " pixels around ", cut.center_x, ", ", cut.center_y, ", turned by ",
      cut.rotation, "; its sides are above 0 and at most ", kMaxSide,
      ", and its middle is less than ", kMaxDistance, " away"));
}

// The size of the result. The numbers are floats, and are rounded down.
cv::Size OutputSize(const Cut& cut, const Options& options) {
  const auto width = static_cast<float>(cut.width);
  const auto height = static_cast<float>(cut.height);
  float scale = 1;
  if (options.has_output_max_width()) {
    scale =
        std::min(scale, static_cast<float>(options.output_max_width()) / width);
  }
  if (options.has_output_max_height()) {
    scale = std::min(scale,
                     static_cast<float>(options.output_max_height()) / height);
  }
  return cv::Size(std::max(1, static_cast<int>(width * scale)),
                  std::max(1, static_cast<int>(height * scale)));
}

// Maps the middle of a pixel of the result to its place in the frame.
cv::Matx23d FromOutput(const Cut& cut, cv::Size output) {
  const double cos = std::cos(cut.rotation);
  const double sin = std::sin(cut.rotation);
  const double scale_x = cut.width / output.width;
  const double scale_y = cut.height / output.height;
  const double left = (1 - output.width) / 2.0 * scale_x;
  const double top = (1 - output.height) / 2.0 * scale_y;
  return {cos * scale_x,
          -sin * scale_y,
          cut.center_x - 0.5 + cos * left - sin * top,
          sin * scale_x,
          cos * scale_y,
          cut.center_y - 0.5 + sin * left + cos * top};
}

}  // namespace

class ImageCroppingCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Tag(kImage).Set<ImageFrame>();
    cc->Inputs().Tag(kRect).Set<Rect>().Optional();
    cc->Inputs().Tag(kNormRect).Set<NormalizedRect>().Optional();
    cc->Inputs().Tag(kWidth).Set<int>().Optional();
    cc->Inputs().Tag(kHeight).Set<int>().Optional();
    cc->Outputs().Tag(kImage).Set<ImageFrame>();
    cc->SetTimestampOffset(TimestampDiff(0));
    const bool has_size = cc->Inputs().HasTag(kWidth);
    const int rectangles = (cc->Inputs().HasTag(kRect) ? 1 : 0) +
                           (cc->Inputs().HasTag(kNormRect) ? 1 : 0) +
                           (has_size ? 1 : 0);
    if (has_size != cc->Inputs().HasTag(kHeight) || rectangles > 1) {
      return absl::InvalidArgumentError(
          "The rectangle of ImageCroppingCalculator is one of RECT, NORM_RECT, "
          "and WIDTH with HEIGHT, or that of the options");
    }
    const Options& options = cc->Options<Options>();
    if ((options.has_output_max_width() && options.output_max_width() < 1) ||
        (options.has_output_max_height() && options.output_max_height() < 1)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "output_max_width and output_max_height are above 0, but are ",
          options.output_max_width(), " and ", options.output_max_height()));
    }
    if (rectangles == 0 && options.has_width() && options.has_height() &&
        (options.width() < 1 || options.height() < 1)) {
      return absl::InvalidArgumentError(
          absl::StrCat("The width and height to cut out are above 0, but are ",
                       options.width(), " and ", options.height()));
    }
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    for (const char* const tag : {kImage, kRect, kNormRect, kWidth, kHeight}) {
      if (cc->Inputs().HasTag(tag) && cc->Inputs().Tag(tag).IsEmpty()) {
        return absl::OkStatus();
      }
    }
    const Options& options = cc->Options<Options>();
    const auto& frame = cc->Inputs().Tag(kImage).Get<ImageFrame>();
    SYNCLINE_RETURN_IF_ERROR(CheckAnyFrame(frame));
    const Cut cut = CutOf(frame, cc);
    SYNCLINE_RETURN_IF_ERROR(CheckCut(cut));
    const cv::Size size = OutputSize(cut, options);
    SYNCLINE_ASSIGN_OR_RETURN(
        std::unique_ptr<ImageFrame> result,
        NewFrame(frame.Format(), size.width, size.height, &memory_));
    SYNCLINE_RETURN_IF_ERROR(CallOpenCv("cropping a frame", [&] {
      cv::Mat output = formats::MatView(result.get());
      cv::warpAffine(formats::MatView(&frame), output, FromOutput(cut, size),
                     size, cv::INTER_NEAREST | cv::WARP_INVERSE_MAP,
                     options.border_mode() == Options::BORDER_REPLICATE
                         ? cv::BORDER_REPLICATE
                         : cv::BORDER_CONSTANT);
      return absl::OkStatus();
    }));
    cc->Outputs().Tag(kImage).Add(result.release(), cc->InputTimestamp());
    return absl::OkStatus();
  }

 private:
  // REQUIRES: no input is empty.
  static Cut CutOf(const ImageFrame& frame, CalculatorContext* cc) {
    if (cc->Inputs().HasTag(kRect)) {
      return CutBy(cc->Inputs().Tag(kRect).Get<Rect>(), frame);
    }
    if (cc->Inputs().HasTag(kNormRect)) {
      return CutBy(cc->Inputs().Tag(kNormRect).Get<NormalizedRect>(), frame);
    }
    Cut cut = CutBy(cc->Options<Options>(), frame);
    if (cc->Inputs().HasTag(kWidth)) {
      cut.width = cc->Inputs().Tag(kWidth).Get<int>();
      cut.height = cc->Inputs().Tag(kHeight).Get<int>();
    }
    return cut;
  }

  ImageFrameMemory memory_;
};
REGISTER_CALCULATOR(ImageCroppingCalculator);

}  // namespace syncline
