// NVTX for CudaSupport. It is headers only: a profiler puts its functions in at
// run time.
//
// Thread rule: a pure function.
// Tested by nvtx_profiler_test.

#ifndef SYNCLINE_GPU_CUDA_NVTX_H_
#define SYNCLINE_GPU_CUDA_NVTX_H_

#include "gpu/cuda_support.h"

namespace syncline::gpu::internal {

// Leaves the functions null where the toolkit has no nvtx3 headers.
void AddNvtx(CudaSupport* support);

}  // namespace syncline::gpu::internal

#endif  // SYNCLINE_GPU_CUDA_NVTX_H_
