// Boxes for GpuOverlayBoxesCalculator: from detections and rectangles to pixels
// of an image.
//
// Thread rule: pure functions.
// Tested by overlay_boxes_test.

#ifndef SYNCLINE_CALCULATORS_GPU_OVERLAY_BOXES_H_
#define SYNCLINE_CALCULATORS_GPU_OVERLAY_BOXES_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "calculators/gpu/gpu_calculators.pb.h"
#include "framework/formats/detection.pb.h"
#include "framework/formats/image_format.pb.h"
#include "framework/formats/rect.pb.h"
#include "gpu/kernels/image_kernels.h"

namespace syncline {

// How boxes look: colour by the channels of the format, thickness and opacity,
// without a place. INVALID_ARGUMENT for numbers out of range.
absl::StatusOr<gpu::OverlayBox> BoxStyle(
    const GpuOverlayBoxesCalculatorOptions& options,
    ImageFormat::Format format);

// Add a box of this style, rounded to pixels, for an image of that size.
// INVALID_ARGUMENT for places that are no numbers, and for a detection whose
// location is no box.
absl::Status AddBox(const Detection& detection, const gpu::OverlayBox& style,
                    int width, int height, std::vector<gpu::OverlayBox>* boxes);
// Turned rectangles are drawn as the upright ones of their size.
absl::Status AddBox(const Rect& rect, const gpu::OverlayBox& style, int width,
                    int height, std::vector<gpu::OverlayBox>* boxes);
absl::Status AddBox(const NormalizedRect& rect, const gpu::OverlayBox& style,
                    int width, int height, std::vector<gpu::OverlayBox>* boxes);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_GPU_OVERLAY_BOXES_H_
