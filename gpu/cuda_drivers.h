// MakeCudaDrivers: the CUDA devices of this machine as drivers.
//
// They come from gpu/cuda/, where it is there (cuda_support.h).
//
// Thread rule: any thread.
// Tested by cuda_driver_test.

#ifndef SYNCLINE_GPU_CUDA_DRIVERS_H_
#define SYNCLINE_GPU_CUDA_DRIVERS_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "gpu/driver.h"

namespace syncline::gpu::internal {

// "cuda:0", "cuda:1", ..., in CUDA's order; or the status of ListDevices()
// (devices.h). Makes no context on a device yet: the first work does.
absl::StatusOr<std::vector<std::unique_ptr<DeviceDriver>>> MakeCudaDrivers();

}  // namespace syncline::gpu::internal

#endif  // SYNCLINE_GPU_CUDA_DRIVERS_H_
