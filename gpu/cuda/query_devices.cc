// The runtime is linked statically and opens the driver (libcuda.so.1) when it
// is first called, so a program with CUDA starts on machines without.

#include "gpu/cuda/query_devices.h"

#include <cuda_runtime_api.h>

#include <utility>

#include "absl/status/statusor.h"
#include "gpu/cuda/cuda_status.h"
#include "gpu/device_list.h"

namespace syncline::gpu::internal {
namespace {

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

absl::StatusOr<DeviceList> QueryCudaDevices() {
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
