// Kernels between images and tensors, on tensors, and statistics of both.
// tensor_plan.h plans their launches.
//
// Floats are calculated without fused operations: results are the same to the
// bit on every device, but for the bits of a NaN.
//
// Thread rule: constants.
// Tested by tensor_kernels_test.

#ifndef SYNCLINE_GPU_KERNELS_TENSOR_KERNELS_H_
#define SYNCLINE_GPU_KERNELS_TENSOR_KERNELS_H_

#include <cstdint>

#include "gpu/kernel.h"
#include "gpu/kernels/image_layout.h"

namespace syncline::gpu {

struct NormalizeParameters {
  ImageLayout image;
  // Of the tensor, in floats.
  std::int64_t stride_y = 0;
  std::int64_t stride_x = 0;
  std::int64_t stride_channel = 0;
  // By channels. For kDenormalize, `scale` is of the way back.
  float mean[4] = {0, 0, 0, 0};
  float scale[4] = {1, 1, 1, 1};
};

// Reads the image, writes the tensor: (byte - mean) * scale, as floats. One
// element is a pixel.
extern const Kernel kNormalize;
// Reads the tensor, writes the image: float * scale + mean, to the nearest
// byte (halves upwards); a NaN is 0. One element is a pixel.
extern const Kernel kDenormalize;

// Dimensions beyond `rank` are not looked at.
inline constexpr int kMaxCopyRank = 8;
struct StridedCopyParameters {
  std::int32_t rank = 0;
  std::uint32_t shape[kMaxCopyRank] = {};
  // In elements; may be negative.
  std::int64_t from_offset = 0;
  std::int64_t to_offset = 0;
  std::int64_t from_strides[kMaxCopyRank] = {};
  std::int64_t to_strides[kMaxCopyRank] = {};
};

// Read one buffer, write the other; of elements of so many bytes. One element
// is one of the tensor's.
extern const Kernel kStridedCopy1;
extern const Kernel kStridedCopy2;
extern const Kernel kStridedCopy4;
extern const Kernel kStridedCopy8;

// Rows of elements: row y begins at element offset + y * pitch.
struct StatisticsParameters {
  std::uint32_t row_length = 0;
  std::int64_t pitch = 0;
  std::int64_t offset = 0;
};

// All are 0 if there is no element. A NaN makes the sum and the mean NaN; least
// and greatest are those of the numbers, infinite if there is none.
struct Statistics {
  double sum = 0;
  double mean = 0;
  double least = 0;
  double greatest = 0;
};

// What a part of a reduction holds; the scratch buffer has room for
// ReductionPartsBytes<StatisticsPart>().
struct StatisticsPart {
  double sum;
  float least;
  float greatest;
};

// Read elements, write scratch, write one Statistics. The sum is a double, of
// bytes exact. The order of the additions depends on the number of elements
// only (gpu/reduction_kernel.h).
extern const Kernel kStatisticsOfBytes;
extern const Kernel kStatisticsOfFloats;

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_KERNELS_TENSOR_KERNELS_H_
