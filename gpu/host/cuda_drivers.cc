// Replaces gpu/cuda/ in a build without CUDA: there are no devices.

#include "gpu/cuda_drivers.h"

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "gpu/device_list.h"
#include "gpu/driver.h"

namespace syncline::gpu::internal {

absl::StatusOr<std::vector<std::unique_ptr<DeviceDriver>>> MakeCudaDrivers() {
  return QueryDevices().status();
}

}  // namespace syncline::gpu::internal
