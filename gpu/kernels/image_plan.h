// Plans of launches of the kernels of image_kernels.h.
//
// A plan that is OK touches nothing outside of the buffers. All errors are
// INVALID_ARGUMENT, with the kernel, what is wrong, and what would be right.
//
// Thread rule: pure functions.
// Tested by image_plan_test and image_kernels_test.

#ifndef SYNCLINE_GPU_KERNELS_IMAGE_PLAN_H_
#define SYNCLINE_GPU_KERNELS_IMAGE_PLAN_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/statusor.h"
#include "gpu/kernels/image_kernels.h"
#include "gpu/kernels/image_layout.h"

namespace syncline::gpu {

enum class Interpolation { kNearest, kBilinear };

// Both images have the same number of channels, 1 to 4. The input has at least
// one pixel, if the output has.
absl::StatusOr<LaunchPlan<ResizeParameters>> PlanResize(
    const PlacedImage& from, const PlacedImage& to,
    Interpolation interpolation);

// Channels greater than `threshold` become `above`, others `not_above`.
absl::StatusOr<LaunchPlan<ThresholdParameters>> PlanThreshold(
    const PlacedImage& from, const PlacedImage& to, std::uint8_t threshold,
    std::uint8_t above = 255, std::uint8_t not_above = 0);

// Both images have one channel.
absl::StatusOr<LaunchPlan<EdgesParameters>> PlanEdges(
    const PlacedImage& from, const PlacedImage& to, bool sum_of_sides = false);

// `num_boxes` of OverlayBox lie at the beginning of a buffer of `boxes_bytes`.
absl::StatusOr<LaunchPlan<OverlayBoxesParameters>> PlanOverlayBoxes(
    const PlacedImage& image, std::int64_t num_boxes, std::size_t boxes_bytes);

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_KERNELS_IMAGE_PLAN_H_
