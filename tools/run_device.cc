#include "tools/run_device.h"

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace syncline {

absl::StatusOr<std::unique_ptr<DeviceSupport>> FindDeviceSupport() {
  if (DeviceSupports::IsRegistered(kDeviceSupport)) {
    return DeviceSupports::CreateByName(kDeviceSupport);
  }
  return absl::FailedPreconditionError(
      "this program is built without devices, as no calculator among its deps "
      "uses one; to have them, add //tools:run_graph_devices to its deps");
}

}  // namespace syncline
