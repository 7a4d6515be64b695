// Registers CUDA with the process (gpu/cuda_support.h): a driver for each
// device that the CUDA runtime has.

#include "gpu/cuda_support.h"

#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "framework/base/registration.h"
#include "gpu/cuda/cuda_driver.h"
#include "gpu/cuda/nvtx.h"
#include "gpu/cuda/query_devices.h"
#include "gpu/device_list.h"
#include "gpu/driver.h"

namespace syncline::gpu::internal {
namespace {

absl::StatusOr<std::vector<std::unique_ptr<DeviceDriver>>> MakeDrivers() {
  absl::StatusOr<DeviceList> list = QueryCudaDevices();
  if (!list.ok()) return list.status();
  std::vector<std::unique_ptr<DeviceDriver>> drivers;
  for (DeviceInfo& device : list->devices) {
    drivers.push_back(std::make_unique<CudaDriver>(std::move(device)));
  }
  return drivers;
}

const CudaSupport* Support() {
  static const CudaSupport support = [] {
    CudaSupport made = {.query_devices = QueryCudaDevices,
                        .make_drivers = MakeDrivers};
    AddNvtx(&made);
    return made;
  }();
  return &support;
}

const Unregister registration(RegisterCudaSupport(Support()));

}  // namespace
}  // namespace syncline::gpu::internal
