#include "calculators/image/frame_scaling.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/types/optional.h"

namespace syncline {
namespace {

using Options = ScaleImageCalculatorOptions;

// Larger than any frame, but small enough that products fit in 64 bits.
constexpr int kMaxSide = 1 << 20;

// The value of a quotient such as "16/9"; 0 for "" and "0/1", infinity for
// "1/0", nothing for any other text.
absl::optional<double> ReadQuotient(const std::string& text) {
  if (text.empty()) return 0;
  const std::pair<std::string, std::string> parts =
      absl::StrSplit(text, absl::MaxSplits('/', 1));
  double above = 0;
  double below = 0;
  if (!absl::SimpleAtod(parts.first, &above) ||
      !absl::SimpleAtod(parts.second, &below) || !(above >= 0) ||
      !(below >= 0) || !std::isfinite(above) || !std::isfinite(below)) {
    return absl::nullopt;
  }
  // Numbers that are too large or too small for a quotient are mistakes; what
  // is 0 was meant.
  const double quotient = above / below;
  if (std::isnan(quotient) || (quotient == 0) != (above == 0) ||
      std::isinf(quotient) != (below == 0)) {
    return absl::nullopt;
  }
  return quotient;
}

bool IsFormat(ImageFormat::Format format) {
  return format == ImageFormat::UNKNOWN || format == ImageFormat::SRGB ||
         format == ImageFormat::SRGBA || format == ImageFormat::GRAY8;
}

// Rounded down; a number that misses a whole one only by the rounding of
// doubles counts as that.
int RoundedDown(double value) {
  return static_cast<int>(
      std::floor(std::min(value + 1e-6, static_cast<double>(kMaxSide))));
}

// The side that goes with `side` if two sides are as `other` to `one`, rounded
// down.
int InProportion(int side, int other, int one) {
  return static_cast<int>(
      std::min(std::int64_t{side} * other / one, std::int64_t{kMaxSide}));
}

// Crops a frame that is too narrow or too wide around its middle.
void Crop(const Options& options, FrameScaling* scaling) {
  const double proportions =
      static_cast<double>(scaling->crop_width) / scaling->crop_height;
  const double min = *ReadQuotient(options.min_aspect_ratio());
  const double max = *ReadQuotient(options.max_aspect_ratio());
  const int width = scaling->crop_width;
  const int height = scaling->crop_height;
  if (min > 0 && proportions < min) {
    scaling->crop_height =
        std::max(1, std::min(height, RoundedDown(width / min)));
  } else if (max > 0 && proportions > max) {
    scaling->crop_width =
        std::max(1, std::min(width, RoundedDown(height * max)));
  }
  scaling->left = (width - scaling->crop_width) / 2;
  scaling->top = (height - scaling->crop_height) / 2;
}

// The size of the result before it is rounded to a multiple.
std::pair<int, int> TargetSize(const Options& options, int width, int height) {
  int target_width = options.target_width();
  int target_height = options.target_height();
  if (options.target_max_area() > 0) {
    const double area = static_cast<double>(width) * height;
    if (area <= options.target_max_area()) return {width, height};
    const double proportions = static_cast<double>(width) / height;
    target_width = 0;
    target_height =
        static_cast<int>(std::sqrt(options.target_max_area() / proportions));
    if (target_height == 0) return {0, 0};
  }
  if (target_width == 0 && target_height == 0) return {width, height};
  if (!options.preserve_aspect_ratio()) {
    return {target_width > 0 ? target_width : width,
            target_height > 0 ? target_height : height};
  }
  if (target_width > 0) {
    const int fitting = InProportion(target_width, height, width);
    if (target_height == 0 || fitting <= target_height) {
      return {target_width, fitting};
    }
  }
  return {InProportion(target_height, width, height), target_height};
}

}  // namespace

absl::Status CheckScaling(const Options& options) {
  const auto error = [&options](absl::string_view what) {
    return absl::InvalidArgumentError(
        absl::StrCat("ScaleImageCalculator needs ", what, ", but has ",
                     options.ShortDebugString()));
  };
  for (const int size : {options.target_width(), options.target_height()}) {
    if (size < 0 || size > kMaxSide) {
      return error("a target_width and target_height from 0 to 1048576");
    }
  }
  if (options.target_max_area() < 0 ||
      (options.target_max_area() > 0 && !options.preserve_aspect_ratio())) {
    return error("preserve_aspect_ratio with a target_max_area, from 0 up");
  }
  const int boundary = options.alignment_boundary();
  if (boundary < 1 || boundary > 4096 || (boundary & (boundary - 1)) != 0) {
    return error("a power of two from 1 to 4096 as alignment_boundary");
  }
  if (options.scale_to_multiple_of() < 1 ||
      options.scale_to_multiple_of() > 4096) {
    return error("a scale_to_multiple_of from 1 to 4096");
  }
  if (!(std::abs(options.post_sharpening_coefficient()) <= 100)) {
    return error("a post_sharpening_coefficient from -100 to 100");
  }
  if (!IsFormat(options.output_format()) || !IsFormat(options.input_format())) {
    return error("SRGB, SRGBA or GRAY8 as input_format and output_format");
  }
  const absl::optional<double> min = ReadQuotient(options.min_aspect_ratio());
  const absl::optional<double> max = ReadQuotient(options.max_aspect_ratio());
  if (!min || !max || std::isinf(*min) || (*max > 0 && *min > *max)) {
    return error(
        "a min_aspect_ratio and a max_aspect_ratio such as \"9/16\", the first "
        "at most the second; \"0/1\" means no limit");
  }
  return absl::OkStatus();
}

absl::StatusOr<FrameScaling> PlanScaling(const Options& options, int width,
                                         int height) {
  if (width < 1 || height < 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("A frame of ", width, "x", height, " cannot be scaled"));
  }
  FrameScaling scaling{.crop_width = width, .crop_height = height};
  Crop(options, &scaling);
  std::tie(scaling.width, scaling.height) =
      TargetSize(options, scaling.crop_width, scaling.crop_height);
  if (options.algorithm() == Options::DEFAULT_WITHOUT_UPSCALE &&
      scaling.width >= scaling.crop_width &&
      scaling.height >= scaling.crop_height) {
    scaling.width = scaling.crop_width;
    scaling.height = scaling.crop_height;
  }
  const int multiple = options.scale_to_multiple_of();
  scaling.width = scaling.width / multiple * multiple;
  scaling.height = scaling.height / multiple * multiple;
  if (scaling.width > 0 && scaling.height > 0) return scaling;
  return absl::InvalidArgumentError(absl::StrCat(
      "Of a frame of ", width, "x", height,
      " nothing would be left by the options ", options.ShortDebugString()));
}

}  // namespace syncline
