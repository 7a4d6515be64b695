#include "gpu/cuda/cuda_status.h"

#include <cuda_runtime_api.h>

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace syncline::gpu::internal {
namespace {

void ForgetLastError() { cudaGetLastError(); }

// The runtime reports a missing driver as a driver that is too old.
bool HasDriver() {
  int version = 0;
  return cudaDriverGetVersion(&version) == cudaSuccess && version > 0;
}

}  // namespace

bool SaysThereIsNoDevice(cudaError_t error) {
  switch (error) {
    case cudaErrorNoDevice:
    case cudaErrorInsufficientDriver:
    case cudaErrorStubLibrary:
    case cudaErrorSystemDriverMismatch:
    case cudaErrorSystemNotReady:
    case cudaErrorCompatNotSupportedOnDevice:
      return true;
    default:
      return false;
  }
}

bool IsSticky(cudaError_t error) {
  switch (error) {
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorContained:
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorContextIsDestroyed:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
    case cudaErrorTensorMemoryLeak:
    case cudaErrorMpsConnectionFailed:
    case cudaErrorMpsRpcFailure:
    case cudaErrorMpsClientTerminated:
    case cudaErrorExternalDevice:
      return true;
    default:
      return false;
  }
}

std::string CudaErrorText(cudaError_t error) {
  return absl::StrCat(cudaGetErrorString(error), " (", cudaGetErrorName(error),
                      ")");
}

absl::Status CudaStatus(cudaError_t error) {
  if (error == cudaSuccess) return absl::OkStatus();
  ForgetLastError();
  const std::string text = CudaErrorText(error);
  if (error == cudaErrorNoDevice) {
    return absl::NotFoundError(
        absl::StrCat(text,
                     "; nvidia-smi lists what the driver has, and "
                     "CUDA_VISIBLE_DEVICES may hide devices"));
  }
  if (error == cudaErrorInsufficientDriver && !HasDriver()) {
    return absl::FailedPreconditionError(
        "this machine has no NVIDIA driver (libcuda.so.1)");
  }
  if (SaysThereIsNoDevice(error)) {
    return absl::FailedPreconditionError(absl::StrCat(
        text, "; install an NVIDIA driver that serves this CUDA runtime"));
  }
  return absl::InternalError(text);
}

absl::Status CudaCallStatus(cudaError_t error, absl::string_view device,
                            absl::string_view what) {
  if (error == cudaSuccess) return absl::OkStatus();
  if (SaysThereIsNoDevice(error)) return CudaStatus(error);
  ForgetLastError();
  const std::string text =
      absl::StrCat(device, ": ", what, ": ", CudaErrorText(error));
  if (IsSticky(error)) {
    return absl::InternalError(absl::StrCat(
        text,
        "; this or earlier work of the device failed, and it does no more for "
        "this process. Run with compute-sanitizer, or with "
        "CUDA_LAUNCH_BLOCKING=1, to see which kernel it was"));
  }
  switch (error) {
    case cudaErrorMemoryAllocation:
      return absl::ResourceExhaustedError(
          absl::StrCat(text, "; ask for less, or give memory back first"));
    case cudaErrorInvalidDevice:
      return absl::NotFoundError(absl::StrCat(
          text, "; there is no such device: nvidia-smi lists them"));
    case cudaErrorNotSupported:
      return absl::UnimplementedError(text);
    case cudaErrorInvalidValue:
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidResourceHandle:
      return absl::InvalidArgumentError(absl::StrCat(
          text,
          "; a stream, an event or memory is not of this device, or was given "
          "back before"));
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidDeviceFunction:
    case cudaErrorUnsupportedPtxVersion:
      return absl::UnimplementedError(absl::StrCat(
          text,
          "; the kernel was not built for this device's architecture: add it "
          "to the list in third_party/system/cuda_library.bzl"));
    case cudaErrorNotReady:
      return absl::FailedPreconditionError(
          absl::StrCat(text, "; wait for the event first"));
    default:
      return absl::InternalError(text);
  }
}

}  // namespace syncline::gpu::internal
