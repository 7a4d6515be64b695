#include "calculators/image/image_transformation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "calculators/image/opencv_calls.h"
#include "calculators/image/opencv_frames.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/image_frame_opencv.h"
#include "opencv2/core.hpp"
#include "opencv2/imgproc.hpp"

namespace syncline {
namespace {

using Options = ImageTransformationCalculatorOptions;

// A quarter turn is a transposition and a flip. So any turn with flips is a
// transposition, or none, and then flips.
struct Moves {
  bool transposes = false;
  bool flips_rows = false;     // flips top and bottom
  bool flips_columns = false;  // flips left and right
  bool flips() const { return flips_rows || flips_columns; }
};

Moves MovesOf(const Transformation& transformation) {
  const int quarters = ((transformation.degrees / 90) % 4 + 4) % 4;
  const bool is_odd = quarters % 2 == 1;
  return {
      .transposes = is_odd,
      .flips_rows =
          (quarters == 1 || quarters == 2) != transformation.flips_vertically,
      .flips_columns = (quarters >= 2) != transformation.flips_horizontally};
}

// Clamped to at least one pixel, and at most `most`.
int Scaled(double pixels, int most) {
  return static_cast<int>(
      std::clamp(std::round(pixels), 1.0, static_cast<double>(most)));
}

cv::Rect Centered(cv::Size inner, cv::Size outer) {
  return cv::Rect(cv::Point((outer.width - inner.width) / 2,
                            (outer.height - inner.height) / 2),
                  inner);
}

float Proportions(cv::Size size) {
  return static_cast<float>(size.width) / static_cast<float>(size.height);
}

// Whether a frame becomes smaller: with STRETCH only if both sides do, in the
// other modes if the scale, which is one for both sides, is below 1.
bool Shrinks(ScaleMode::Mode mode, cv::Size from, cv::Size to) {
  if (mode == ScaleMode::FIT || mode == ScaleMode::FILL_AND_CROP) {
    return to.width < from.width || to.height < from.height;
  }
  return to.width < from.width && to.height < from.height;
}

int Interpolation(const Transformation& transformation, cv::Size from,
                  cv::Size to) {
  if (transformation.interpolation == Options::NEAREST) {
    return cv::INTER_NEAREST;
  }
  return transformation.interpolation == Options::DEFAULT &&
                 Shrinks(transformation.scale_mode, from, to)
             ? cv::INTER_AREA
             : cv::INTER_LINEAR;
}

// Transposes, flips and scales `input` into `target`, which has the right size.
// The last step writes into `target`, so that no copy is needed.
void Render(const cv::Mat& input, const Moves& moves,
            const Transformation& transformation, cv::Mat target) {
  const cv::Size size =
      moves.transposes ? cv::Size(target.rows, target.cols) : target.size();
  cv::Mat current = input;
  if (input.size() != size) {
    cv::Mat scaled =
        moves.transposes || moves.flips() ? cv::Mat() : cv::Mat(target);
    cv::resize(current, scaled, size, 0, 0,
               Interpolation(transformation, input.size(), size));
    current = scaled;
  }
  if (moves.transposes) {
    cv::Mat transposed = moves.flips() ? cv::Mat() : cv::Mat(target);
    cv::transpose(current, transposed);
    current = transposed;
  }
  if (moves.flips()) {
    const int both = -1, rows = 0, columns = 1;
    cv::flip(current, target,
             !moves.flips_rows      ? columns
             : !moves.flips_columns ? rows
                                    : both);
  } else if (current.data != target.data) {
    current.copyTo(target);
  }
}

// The part of the input that corresponds to `source`, a part of the turned
// input.
cv::Rect InInput(const cv::Rect& source, cv::Size turned, const Moves& moves) {
  cv::Rect rect = source;
  if (moves.flips_columns) rect.x = turned.width - rect.x - rect.width;
  if (moves.flips_rows) rect.y = turned.height - rect.y - rect.height;
  if (!moves.transposes) return rect;
  return cv::Rect(rect.y, rect.x, rect.height, rect.width);
}

// The padding colour in the order and range of the frame's channels.
cv::Scalar PaddingFor(const ImageFrame& frame, cv::Scalar padding) {
  if (frame.NumberOfChannels() == 1) {
    padding = cv::Scalar::all(0.299 * padding[0] + 0.587 * padding[1] +
                              0.114 * padding[2]);
  } else if (frame.Format() == ImageFormat::SBGRA) {
    std::swap(padding[0], padding[2]);
  }
  const double scale = frame.ByteDepth() == 1   ? 1
                       : frame.ByteDepth() == 2 ? 257
                                                : 1.0 / 255;
  return padding * scale;
}

}  // namespace

absl::Status CheckTransformation(const Transformation& transformation) {
  if (transformation.degrees % 90 != 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "Frames are turned by multiples of 90 degrees, but not by ",
        transformation.degrees));
  }
  if ((transformation.width == 0) != (transformation.height == 0) ||
      transformation.width < 0 || transformation.height < 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "Width and height of the output are both above 0, or both 0, but are ",
        transformation.width, " and ", transformation.height));
  }
  return absl::OkStatus();
}

Placement Place(int width, int height, const Transformation& transformation) {
  Placement result;
  result.turned = cv::Size(width, height);
  if (MovesOf(transformation).transposes) {
    std::swap(result.turned.width, result.turned.height);
  }
  result.source = cv::Rect(cv::Point(), result.turned);
  result.output = transformation.width == 0
                      ? result.turned
                      : cv::Size(transformation.width, transformation.height);
  result.target = cv::Rect(cv::Point(), result.output);
  const double scale_x = double{1} * result.output.width / result.turned.width;
  const double scale_y =
      double{1} * result.output.height / result.turned.height;
  if (transformation.scale_mode == ScaleMode::FIT) {
    const double scale = std::min(scale_x, scale_y);
    result.target =
        Centered({Scaled(result.turned.width * scale, result.output.width),
                  Scaled(result.turned.height * scale, result.output.height)},
                 result.output);
  } else if (transformation.scale_mode == ScaleMode::FILL_AND_CROP) {
    const double scale = std::max(scale_x, scale_y);
    result.source =
        Centered({Scaled(result.output.width / scale, result.turned.width),
                  Scaled(result.output.height / scale, result.turned.height)},
                 result.turned);
  }
  return result;
}

std::array<float, 4> LetterboxPadding(const Placement& placement,
                                      ScaleMode::Mode mode) {
  if (mode != ScaleMode::FIT) return {0, 0, 0, 0};
  const float input = Proportions(placement.turned);
  const float output = Proportions(placement.output);
  if (input < output) {
    const float side = (1 - input / output) / 2;
    return {side, 0, side, 0};
  }
  const float side = (1 - output / input) / 2;
  return {0, side, 0, side};
}

std::array<float, 16> TransformationMatrix(
    const Placement& placement, const Transformation& transformation) {
  const Moves moves = MovesOf(transformation);
  // From the turned input to the output: a scale and a shift, both relative to
  // the sizes.
  const double scale_x =
      double{1} * placement.target.width / placement.source.width;
  const double scale_y =
      double{1} * placement.target.height / placement.source.height;
  const double x = (placement.target.x - placement.source.x * scale_x) /
                   placement.output.width;
  const double y = (placement.target.y - placement.source.y * scale_y) /
                   placement.output.height;
  const double width =
      placement.turned.width * scale_x / placement.output.width;
  const double height =
      placement.turned.height * scale_y / placement.output.height;
  // Applied before that: u becomes 1 - u if flipped, and u and v are exchanged
  // if transposed.
  const float u = static_cast<float>(moves.flips_columns ? -width : width);
  const float v = static_cast<float>(moves.flips_rows ? -height : height);
  const float from_x = static_cast<float>(moves.flips_columns ? x + width : x);
  const float from_y = static_cast<float>(moves.flips_rows ? y + height : y);
  if (moves.transposes) {
    return {0, u, 0, from_x, v, 0, 0, from_y, 0, 0, 1, 0, 0, 0, 0, 1};
  }
  return {u, 0, 0, from_x, 0, v, 0, from_y, 0, 0, 1, 0, 0, 0, 0, 1};
}

bool ChangesNothing(int width, int height,
                    const Transformation& transformation) {
  const Moves moves = MovesOf(transformation);
  const bool has_size =
      transformation.width == 0 ||
      (transformation.width == width && transformation.height == height);
  return has_size && !moves.transposes && !moves.flips();
}

absl::StatusOr<std::unique_ptr<ImageFrame>> Transform(
    const ImageFrame& frame, const Transformation& transformation,
    ImageFrameMemory* memory) {
  SYNCLINE_RETURN_IF_ERROR(CheckTransformation(transformation));
  SYNCLINE_RETURN_IF_ERROR(CheckAnyFrame(frame));
  const Placement placement =
      Place(frame.Width(), frame.Height(), transformation);
  SYNCLINE_ASSIGN_OR_RETURN(std::unique_ptr<ImageFrame> result,
                            NewFrame(frame.Format(), placement.output.width,
                                     placement.output.height, memory));
  const Moves moves = MovesOf(transformation);
  SYNCLINE_RETURN_IF_ERROR(CallOpenCv("transforming a frame", [&] {
    const cv::Mat input = formats::MatView(&frame);
    cv::Mat output = formats::MatView(result.get());
    cv::Mat target = output(placement.target);
    const bool is_padded = placement.target.size() != placement.output;
    if (is_padded && !transformation.pads_with_edge) {
      output.setTo(PaddingFor(frame, transformation.padding));
    }
    Render(input(InInput(placement.source, placement.turned, moves)), moves,
           transformation, target);
    if (is_padded && transformation.pads_with_edge) {
      const cv::Point end = placement.target.br();
      cv::copyMakeBorder(target, output, placement.target.y,
                         placement.output.height - end.y, placement.target.x,
                         placement.output.width - end.x,
                         cv::BORDER_REPLICATE | cv::BORDER_ISOLATED);
    }
    return absl::OkStatus();
  }));
  return result;
}

}  // namespace syncline
