#include "calculators/gpu/overlay_boxes.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

namespace syncline {
namespace {

// Far outside of any image, and far from overflow.
constexpr double kFarthest = 1 << 24;

std::int32_t Rounded(double place) {
  return static_cast<std::int32_t>(
      std::lround(std::clamp(place, -kFarthest, kFarthest)));
}

// From `left`, `top` to `right`, `bottom`, in pixels.
absl::Status AddPlaced(double left, double top, double right, double bottom,
                       const gpu::OverlayBox& style,
                       std::vector<gpu::OverlayBox>* boxes) {
  if (std::isnan(left) || std::isnan(top) || std::isnan(right) ||
      std::isnan(bottom)) {
    return absl::InvalidArgumentError(
        absl::StrCat("the box from ", left, ", ", top, " to ", right, ", ",
                     bottom, " is not at a place"));
  }
  gpu::OverlayBox box = style;
  box.left = Rounded(left);
  box.top = Rounded(top);
  box.right = Rounded(right);
  box.bottom = Rounded(bottom);
  boxes->push_back(box);
  return absl::OkStatus();
}

absl::Status AddCentered(double x, double y, double width, double height,
                         const gpu::OverlayBox& style,
                         std::vector<gpu::OverlayBox>* boxes) {
  return AddPlaced(x - width / 2, y - height / 2, x + width / 2, y + height / 2,
                   style, boxes);
}

std::uint8_t Gray(const Color& color) {
  return static_cast<std::uint8_t>(
      (9798 * color.r() + 19235 * color.g() + 3735 * color.b() + (1 << 14)) >>
      15);
}

}  // namespace

absl::StatusOr<gpu::OverlayBox> BoxStyle(
    const GpuOverlayBoxesCalculatorOptions& options,
    ImageFormat::Format format) {
  Color color = options.color();
  if (!options.has_color()) color.set_g(255);
  for (const int value : {color.r(), color.g(), color.b()}) {
    if (value < 0 || value > 255) {
      return absl::InvalidArgumentError(
          absl::StrCat("color: ", value, "; give numbers from 0 to 255"));
    }
  }
  // Written so that NaN fails.
  if (options.thickness() < 0 ||
      !(options.opacity() >= 0 && options.opacity() <= 1)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "thickness ", options.thickness(), " and opacity ", options.opacity(),
        "; give a thickness of 0 or more and an opacity from 0 to 1"));
  }
  const auto red = static_cast<std::uint8_t>(color.r());
  const auto green = static_cast<std::uint8_t>(color.g());
  const auto blue = static_cast<std::uint8_t>(color.b());
  const bool is_gray = format == ImageFormat::GRAY8;
  const bool is_bgr = format == ImageFormat::SBGRA;
  return gpu::OverlayBox{.thickness = options.thickness(),
                         .color = {is_gray  ? Gray(color)
                                   : is_bgr ? blue
                                            : red,
                                   green, is_bgr ? red : blue, 255},
                         .opacity = static_cast<std::uint8_t>(
                             std::lround(options.opacity() * 255))};
}

absl::Status AddBox(const Detection& detection, const gpu::OverlayBox& style,
                    int width, int height,
                    std::vector<gpu::OverlayBox>* boxes) {
  const LocationData& location = detection.location_data();
  switch (location.format()) {
    case LocationData::BOUNDING_BOX: {
      const auto& box = location.bounding_box();
      return AddPlaced(box.xmin(), box.ymin(),
                       double{1} * box.xmin() + box.width(),
                       double{1} * box.ymin() + box.height(), style, boxes);
    }
    case LocationData::RELATIVE_BOUNDING_BOX: {
      const auto& box = location.relative_bounding_box();
      return AddPlaced(double{box.xmin()} * width, double{box.ymin()} * height,
                       (double{box.xmin()} + box.width()) * width,
                       (double{box.ymin()} + box.height()) * height, style,
                       boxes);
    }
    default:
      return absl::InvalidArgumentError(
          absl::StrCat("the location of a detection is ",
                       LocationData::Format_Name(location.format()),
                       "; it can be BOUNDING_BOX or RELATIVE_BOUNDING_BOX"));
  }
}

absl::Status AddBox(const Rect& rect, const gpu::OverlayBox& style,
                    int /*width*/, int /*height*/,
                    std::vector<gpu::OverlayBox>* boxes) {
  return AddCentered(rect.x_center(), rect.y_center(), rect.width(),
                     rect.height(), style, boxes);
}

absl::Status AddBox(const NormalizedRect& rect, const gpu::OverlayBox& style,
                    int width, int height,
                    std::vector<gpu::OverlayBox>* boxes) {
  return AddCentered(double{rect.x_center()} * width,
                     double{rect.y_center()} * height,
                     double{rect.width()} * width,
                     double{rect.height()} * height, style, boxes);
}

}  // namespace syncline
