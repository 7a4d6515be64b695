// Kernels that behave badly, on CUDA only.
//
// Thread rule: constants.

#ifndef SYNCLINE_GPU_CUDA_KERNELS_FOR_DRIVER_TESTS_H_
#define SYNCLINE_GPU_CUDA_KERNELS_FOR_DRIVER_TESTS_H_

#include <cstdint>

#include "gpu/kernel.h"

namespace syncline::gpu::internal {

struct SpinParameters {
  std::int64_t nanoseconds = 0;
};

// Takes that long, and then sets each int32 to 1: writes.
extern const Kernel kSpinForTests;

// Ends with an error of the device. No buffers.
extern const Kernel kTrapForTests;

}  // namespace syncline::gpu::internal

#endif  // SYNCLINE_GPU_CUDA_KERNELS_FOR_DRIVER_TESTS_H_
