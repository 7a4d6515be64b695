// CallRuntime: the one way to the CUDA runtime, which counts the calls
// (gpu/runtime_calls.h) and leaves no error behind: the runtime notes for each
// thread what its calls returned, also "not ready", and the next check of
// somebody else, such as the cudaGetLastError() of a kernel's form, would find
// it.
//
//   cudaError_t error =
//       CallRuntime(RuntimeCall::kAllocate, cudaMalloc, &data, bytes);
//
// Questions before there is a driver (query_devices.cc) and the launches inside
// of kernels (element_kernel.h) do not go through it.
//
// Thread rule: any thread.
// Tested by cuda_device_test and cuda_driver_calls_test.

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
  const cudaError_t error = function(std::forward<Arguments>(arguments)...);
  if (error != cudaSuccess) cudaGetLastError();
  return error;
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

// While it exists, calls of this thread that ask, wait or allocate leave other
// threads alone that capture a CUDA graph: in the usual capture mode such a
// call of any thread is an error, and ends the capture. See
// cudaThreadExchangeStreamCaptureMode() in the documentation of CUDA.
class BesideCaptures {
 public:
  BesideCaptures() { Exchange(); }
  ~BesideCaptures() { Exchange(); }
  BesideCaptures(const BesideCaptures&) = delete;
  BesideCaptures& operator=(const BesideCaptures&) = delete;

 private:
  void Exchange() {
    CallRuntime(RuntimeCall::kOther, cudaThreadExchangeStreamCaptureMode,
                &mode_);
  }

  // Of the thread, before and after.
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

}  // namespace syncline::gpu::internal

#endif  // SYNCLINE_GPU_CUDA_RUNTIME_CALLS_H_
