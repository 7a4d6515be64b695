// Plans of launches of the kernels of color_kernels.h.
//
// A plan that is OK touches nothing outside of the buffers. All errors are
// INVALID_ARGUMENT, with the kernel, what is wrong, and what would be right.
//
// Thread rule: pure functions.
// Tested by color_kernels_test.

#ifndef SYNCLINE_GPU_KERNELS_COLOR_PLAN_H_
#define SYNCLINE_GPU_KERNELS_COLOR_PLAN_H_

#include <cstddef>

#include "absl/status/statusor.h"
#include "gpu/kernels/color_kernels.h"
#include "gpu/kernels/image_layout.h"

namespace syncline::gpu {

// How the bytes of a pixel are to be read.
enum class PixelOrder { kGray, kRgb, kBgr, kRgba, kBgra };

// 1, 3 or 4.
int NumChannels(PixelOrder order);

// Between any two orders, of images of the same size. The buffers may be the
// same if the layouts are.
absl::StatusOr<LaunchPlan<ConvertColorParameters>> PlanConvertColor(
    const PlacedImage& from, PixelOrder from_order, const PlacedImage& to,
    PixelOrder to_order);

enum class YuvMatrix {
  kBt601,  // standard definition, JPEG
  kBt709,  // high definition
};
enum class YuvRange {
  kLimited,  // video: black is 16, white is 235
  kFull,     // JPEG: 0 to 255
};

YuvCoefficients MakeYuvCoefficients(YuvMatrix matrix, YuvRange range);

// Layouts of buffers that hold planes right behind one another, without gaps.
// The planes of u and v are of half the size, rounded up.
YuvLayout I420Layout(int width, int height);
YuvLayout Nv12Layout(int width, int height);  // u and v alternate in one plane
std::size_t Yuv420Bytes(int width, int height);

absl::StatusOr<LaunchPlan<YuvToColorParameters>> PlanYuvToColor(
    const YuvLayout& from, std::size_t from_bytes,
    const YuvCoefficients& coefficients, const PlacedImage& to,
    PixelOrder to_order);

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_KERNELS_COLOR_PLAN_H_
