// Asks the CUDA runtime which devices there are.
//
// Thread rule: any thread.
// Tested by devices_test.

#ifndef SYNCLINE_GPU_CUDA_QUERY_DEVICES_H_
#define SYNCLINE_GPU_CUDA_QUERY_DEVICES_H_

#include "absl/status/statusor.h"
#include "gpu/device_list.h"

namespace syncline::gpu::internal {

// The devices, or the reason why there are none. Only properties are read: this
// makes no context on a device.
absl::StatusOr<DeviceList> QueryCudaDevices();

}  // namespace syncline::gpu::internal

#endif  // SYNCLINE_GPU_CUDA_QUERY_DEVICES_H_
