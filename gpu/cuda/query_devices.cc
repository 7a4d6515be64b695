// Asks the CUDA runtime which devices there are.
//
// The runtime is linked statically and opens the driver (libcuda.so.1) when it
// is first called, so a program built with CUDA starts on machines without.
// Only properties are read: nothing here makes a context on a device.

#include <cuda_runtime_api.h>

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gpu/device_list.h"

namespace syncline::gpu::internal {
namespace {

// Reads the error away: the runtime also stores it as its last error, and the
// next unrelated check would find it.
void ForgetLastError() { cudaGetLastError(); }

// The runtime reports a missing driver as a driver that is too old.
bool HasDriver() {
  int version = 0;
  return cudaDriverGetVersion(&version) == cudaSuccess && version > 0;
}

absl::Status CudaStatus(cudaError_t error) {
  if (error == cudaSuccess) return absl::OkStatus();
  ForgetLastError();
  const std::string text = absl::StrCat(cudaGetErrorString(error), " (",
                                        cudaGetErrorName(error), ")");
  switch (error) {
    case cudaErrorNoDevice:
      return absl::NotFoundError(
          absl::StrCat(text,
                       "; nvidia-smi lists what the driver has, and "
                       "CUDA_VISIBLE_DEVICES may hide devices"));
    case cudaErrorInsufficientDriver:
      if (!HasDriver()) {
        return absl::FailedPreconditionError(
            "this machine has no NVIDIA driver (libcuda.so.1)");
      }
      [[fallthrough]];
    case cudaErrorStubLibrary:
    case cudaErrorSystemDriverMismatch:
    case cudaErrorSystemNotReady:
    case cudaErrorCompatNotSupportedOnDevice:
      return absl::FailedPreconditionError(absl::StrCat(
          text, "; install an NVIDIA driver that serves this CUDA runtime"));
    default:
      return absl::InternalError(text);
  }
}

absl::StatusOr<DeviceInfo> QueryDevice(int index) {
  DeviceInfo device;
  device.index = index;
  cudaDeviceProp properties;
  cudaError_t error = cudaGetDeviceProperties(&properties, index);
  if (error != cudaSuccess) return CudaStatus(error);
  device.name = properties.name;
  device.compute_major = properties.major;
  device.compute_minor = properties.minor;
  device.memory_bytes = static_cast<int64_t>(properties.totalGlobalMem);
  return device;
}

}  // namespace

bool BuiltWithCuda() { return true; }

absl::StatusOr<DeviceList> QueryDevices() {
  DeviceList list;
  int count = 0;
  cudaError_t error = cudaGetDeviceCount(&count);
  if (error == cudaSuccess && count == 0) error = cudaErrorNoDevice;
  if (error == cudaSuccess) error = cudaDriverGetVersion(&list.driver_version);
  if (error == cudaSuccess) {
    error = cudaRuntimeGetVersion(&list.runtime_version);
  }
  if (error != cudaSuccess) return CudaStatus(error);
  for (int i = 0; i < count; ++i) {
    absl::StatusOr<DeviceInfo> device = QueryDevice(i);
    if (!device.ok()) return device.status();
    list.devices.push_back(*std::move(device));
  }
  return list;
}

}  // namespace syncline::gpu::internal
