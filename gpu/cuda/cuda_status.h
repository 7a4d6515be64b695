// What an error of the CUDA runtime means here.
//
// Thread rule: any thread.
// Tested by cuda_status_test.

#ifndef SYNCLINE_GPU_CUDA_CUDA_STATUS_H_
#define SYNCLINE_GPU_CUDA_CUDA_STATUS_H_

#include <cuda_runtime_api.h>

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace syncline::gpu::internal {

// True for errors that say that there is nothing to work with: no driver, one
// that does not fit, or no device.
bool SaysThereIsNoDevice(cudaError_t error);

// True for errors of work on a device. After one, every later call for the
// device gives an error, until the process ends.
bool IsSticky(cudaError_t error);

// "out of memory (cudaErrorMemoryAllocation)"
std::string CudaErrorText(cudaError_t error);

// Of questions about devices. The runtime's note of its last error is cleared,
// which the next unrelated check would find.
absl::Status CudaStatus(cudaError_t error);

// Of a call for `device` ("cuda:0"). `what` says what it was to do, with the
// name of the work. Where there is no device, exactly the above.
absl::Status CudaCallStatus(cudaError_t error, absl::string_view device,
                            absl::string_view what);

}  // namespace syncline::gpu::internal

#endif  // SYNCLINE_GPU_CUDA_CUDA_STATUS_H_
