// How much room a reduction needs beside its elements and its result, for who
// plans its launch (reduction_kernel.h).
//
// Thread rule: constants.
// Tested by reduction_kernel_test.

#ifndef SYNCLINE_GPU_REDUCTION_PARTS_H_
#define SYNCLINE_GPU_REDUCTION_PARTS_H_

#include <cstddef>
#include <cstdint>

namespace syncline::gpu {

// The most parts that the elements are cut into.
inline constexpr std::int64_t kMaxReductionParts = 1024;

// Enough for any number of elements.
template <typename Value>
constexpr std::size_t ReductionPartsBytes() {
  return static_cast<std::size_t>(kMaxReductionParts) * sizeof(Value);
}

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_REDUCTION_PARTS_H_
