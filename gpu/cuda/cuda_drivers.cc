// A driver for each device that the CUDA runtime has.

#include "gpu/cuda_drivers.h"

#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "gpu/cuda/cuda_driver.h"
#include "gpu/device_list.h"
#include "gpu/driver.h"

namespace syncline::gpu::internal {

absl::StatusOr<std::vector<std::unique_ptr<DeviceDriver>>> MakeCudaDrivers() {
  absl::StatusOr<DeviceList> list = QueryDevices();
  if (!list.ok()) return list.status();
  std::vector<std::unique_ptr<DeviceDriver>> drivers;
  for (DeviceInfo& device : list->devices) {
    drivers.push_back(std::make_unique<CudaDriver>(std::move(device)));
  }
  return drivers;
}

}  // namespace syncline::gpu::internal
