#include "gpu/kernels/image_plan.h"

#include <cstddef>
#include <cstdint>
#include <limits>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gpu/kernels/image_kernels.h"
#include "gpu/kernels/image_layout.h"
#include "gpu/kernels/layout_check.h"

namespace syncline::gpu {
namespace {

// Of a kernel from an image to one of as many channels.
absl::Status CheckImages(const char* kernel, const PlacedImage& from,
                         const PlacedImage& to) {
  absl::Status status = CheckImage(kernel, "input", from);
  if (!status.ok()) return status;
  return CheckImage(kernel, "output", to, {from.layout.channels});
}

// Pixels per pixel, times 2^41, rounded up. `to` may be 0: then nobody uses it.
std::int64_t Step(std::int32_t from, std::int32_t to) {
  return to == 0 ? 0 : ((std::int64_t{from} << 41) + to - 1) / to;
}

}  // namespace

absl::StatusOr<LaunchPlan<ResizeParameters>> PlanResize(
    const PlacedImage& from, const PlacedImage& to,
    Interpolation interpolation) {
  const Kernel& kernel = interpolation == Interpolation::kNearest
                             ? kResizeNearest
                             : kResizeBilinear;
  absl::Status status = CheckImages(kernel.name, from, to);
  if (!status.ok()) return status;
  const std::int64_t count = NumPixels(to.layout);
  if (count > 0 && NumPixels(from.layout) == 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        kernel.name, ": an image of ", from.layout.width, " x ",
        from.layout.height, " pixels cannot become one of ", to.layout.width,
        " x ", to.layout.height, "; give one that is not empty"));
  }
  return LaunchPlan<ResizeParameters>{
      &kernel,
      count,
      {from.layout, to.layout, Step(from.layout.width, to.layout.width),
       Step(from.layout.height, to.layout.height)}};
}

absl::StatusOr<LaunchPlan<ThresholdParameters>> PlanThreshold(
    const PlacedImage& from, const PlacedImage& to, std::uint8_t threshold,
    std::uint8_t above, std::uint8_t not_above) {
  absl::Status status = CheckImages(kThreshold.name, from, to);
  if (status.ok()) {
    status = CheckSameSize(kThreshold.name, from.layout, to.layout);
  }
  if (!status.ok()) return status;
  return LaunchPlan<ThresholdParameters>{
      &kThreshold,
      NumPixels(to.layout),
      {from.layout, to.layout, threshold, above, not_above}};
}

absl::StatusOr<LaunchPlan<EdgesParameters>> PlanEdges(const PlacedImage& from,
                                                      const PlacedImage& to,
                                                      bool sum_of_sides) {
  absl::Status status = CheckImage(kEdges.name, "input", from, {1});
  if (status.ok()) status = CheckImage(kEdges.name, "output", to, {1});
  if (status.ok()) status = CheckSameSize(kEdges.name, from.layout, to.layout);
  if (!status.ok()) return status;
  return LaunchPlan<EdgesParameters>{
      &kEdges, NumPixels(to.layout), {from.layout, to.layout, sum_of_sides}};
}

absl::StatusOr<LaunchPlan<OverlayBoxesParameters>> PlanOverlayBoxes(
    const PlacedImage& image, std::int64_t num_boxes, std::size_t boxes_bytes) {
  absl::Status status = CheckImage(kOverlayBoxes.name, "image", image);
  if (!status.ok()) return status;
  if (num_boxes < 0 || num_boxes > std::numeric_limits<std::int32_t>::max() ||
      static_cast<std::size_t>(num_boxes) > boxes_bytes / sizeof(OverlayBox)) {
    return absl::InvalidArgumentError(absl::StrCat(
        kOverlayBoxes.name, ": a buffer of ", boxes_bytes, " bytes for ",
        num_boxes, " boxes; each takes ", sizeof(OverlayBox), " bytes"));
  }
  return LaunchPlan<OverlayBoxesParameters>{
      &kOverlayBoxes,
      NumPixels(image.layout),
      {image.layout, static_cast<std::int32_t>(num_boxes)}};
}

}  // namespace syncline::gpu
