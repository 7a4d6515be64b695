// Replaces gpu/cuda/ in a build without CUDA: there are no devices.

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gpu/device_list.h"

namespace syncline::gpu::internal {

bool BuiltWithCuda() { return false; }

absl::StatusOr<DeviceList> QueryDevices() {
  return absl::UnimplementedError(
      "built without CUDA; to have it, build where the CUDA toolkit is under "
      "$CUDA_HOME or /usr/local/cuda");
}

}  // namespace syncline::gpu::internal
