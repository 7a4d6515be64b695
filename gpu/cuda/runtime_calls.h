// CallRuntime: the one way to the CUDA runtime, which counts the calls
// (gpu/runtime_calls.h).
//
//   cudaError_t error =
//       CallRuntime(RuntimeCall::kAllocate, cudaMalloc, &data, bytes);
//
// Questions before there is a driver (query_devices.cc) and the launches inside
// of kernels (element_kernel.h) do not go through it.
//
// Thread rule: any thread.
// Tested by cuda_device_test.

#ifndef SYNCLINE_GPU_CUDA_RUNTIME_CALLS_H_
#define SYNCLINE_GPU_CUDA_RUNTIME_CALLS_H_

#include <cuda_runtime_api.h>

#include <utility>

#include "gpu/runtime_calls.h"

namespace syncline::gpu::internal {

template <typename... Parameters, typename... Arguments>
cudaError_t CallRuntime(RuntimeCall call,
                        cudaError_t (*function)(Parameters...),
                        Arguments&&... arguments) {
  CountRuntimeCall(call);
  return function(std::forward<Arguments>(arguments)...);
}

// Makes a device the calling thread's current one, and puts the one before back
// at the end. (That one then has a context, which takes some of its memory, if
// it had none.)
class CurrentDevice {
 public:
  explicit CurrentDevice(int device) {
    error_ = CallRuntime(RuntimeCall::kSelectDevice, cudaGetDevice, &before_);
    if (error_ != cudaSuccess || before_ == device) return;
    error_ = CallRuntime(RuntimeCall::kSelectDevice, cudaSetDevice, device);
    is_changed_ = error_ == cudaSuccess;
  }
  ~CurrentDevice() {
    if (is_changed_) {
      CallRuntime(RuntimeCall::kSelectDevice, cudaSetDevice, before_);
    }
  }
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;

  // Why the device is not the current one.
  cudaError_t error() const { return error_; }

 private:
  cudaError_t error_;
  int before_ = 0;
  bool is_changed_ = false;
};

}  // namespace syncline::gpu::internal

#endif  // SYNCLINE_GPU_CUDA_RUNTIME_CALLS_H_
