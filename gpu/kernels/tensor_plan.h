// Plans of launches of the kernels of tensor_kernels.h.
//
// A plan that is OK touches nothing outside of the buffers. All errors are
// INVALID_ARGUMENT, with the kernel, what is wrong, and what would be right.
//
// Thread rule: pure functions.
// Tested by tensor_plan_test and tensor_kernels_test.

#ifndef SYNCLINE_GPU_KERNELS_TENSOR_PLAN_H_
#define SYNCLINE_GPU_KERNELS_TENSOR_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "gpu/kernels/image_layout.h"
#include "gpu/kernels/tensor_kernels.h"

namespace syncline::gpu {

// Of a tensor of floats without gaps.
enum class TensorOrder {
  kHwc,  // height, width, channels
  kChw,
};

// `mean` and `scale` have one number for each channel, or one for all.
absl::StatusOr<LaunchPlan<NormalizeParameters>> PlanNormalize(
    const PlacedImage& from, TensorOrder to_order, std::size_t to_bytes,
    absl::Span<const float> mean, absl::Span<const float> scale);

// The way back: with the same numbers as PlanNormalize() it gives the image
// again. No scale may be 0.
absl::StatusOr<LaunchPlan<NormalizeParameters>> PlanDenormalize(
    TensorOrder from_order, std::size_t from_bytes, const PlacedImage& to,
    absl::Span<const float> mean, absl::Span<const float> scale);

// A tensor in a buffer: offset and strides are in elements, and strides may be
// negative.
struct StridedTensor {
  std::int64_t offset = 0;
  std::vector<std::int64_t> strides;
  std::size_t buffer_bytes = 0;
};

// Of tensors of the same shape, with any number of dimensions of which at most
// eight are left when those are joined that lie behind one another in both.
// Elements have 1, 2, 4 or 8 bytes, and there are less than 2^32. No two
// elements of `to` may share a place as far as strides of 0 show it.
absl::StatusOr<LaunchPlan<StridedCopyParameters>> PlanStridedCopy(
    int element_bytes, absl::Span<const std::int64_t> shape,
    const StridedTensor& from, const StridedTensor& to);

enum class StatisticsElement { kByte, kFloat };

// Of `rows` rows of `row_length` elements, less than 2^32 in all. `pitch` and
// `offset` are in elements. `parts_bytes` is of the scratch buffer, `to_bytes`
// of the one for the result.
absl::StatusOr<LaunchPlan<StatisticsParameters>> PlanStatistics(
    StatisticsElement element, std::int64_t rows, std::int64_t row_length,
    std::int64_t pitch, std::int64_t offset, std::size_t from_bytes,
    std::size_t parts_bytes, std::size_t to_bytes);

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_KERNELS_TENSOR_PLAN_H_
