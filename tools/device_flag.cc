#include "tools/device_flag.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "framework/base/status_macros.h"
#include "tools/run_device.h"

ABSL_FLAG(std::string, device, "",
          "the device of nodes that use one: cuda:0, stand_in, ...; help");

ABSL_FLAG(absl::optional<bool>, check_device_access, absl::nullopt,
          "true or false: whether accesses to devices are checked");

namespace syncline {

const char kDeviceFlagHelp[] =
    R"(  --device=NAME        the device of nodes that use one: cuda:1, cuda,
                       stand_in:0 or stand_in, a device in miniature that runs
                       on the host. Without it the first that there is, and
                       the log says which. --device=help lists them
  --check_device_access=BOOL
                       true: the use of a device's memory before the work that
                       it needs, by a wait that is missing, is an error; false:
                       it is not. Without it what the graph says; and if that
                       says nothing, the stand-in checks, and CUDA does not
)";

std::vector<std::string> DeviceFlagNames() {
  return {"device", "check_device_access"};
}

std::string DeviceListAskedFor() {
  if (absl::GetFlag(FLAGS_device) != "help") return "";
  const absl::StatusOr<std::unique_ptr<DeviceSupport>> support =
      FindDeviceSupport();
  const std::string devices = support.ok() ? (*support)->ListDevices() : "";
  if (!devices.empty()) {
    return absl::StrCat(
        "Devices that --device can name, the first is the default:\n", devices);
  }
  return absl::StrCat(
      "There are no devices for --device to name",
      support.ok() ? "" : absl::StrCat(": ", support.status().message()),
      ".\n");
}

absl::StatusOr<std::unique_ptr<RunDevice>> ReadDeviceFlag() {
  const std::string name = absl::GetFlag(FLAGS_device);
  if (name.empty()) return nullptr;
  SYNCLINE_ASSIGN_OR_RETURN(const std::unique_ptr<DeviceSupport> support,
                            FindDeviceSupport(),
                            _.SetPrepend() << "--device: ");
  SYNCLINE_ASSIGN_OR_RETURN(std::unique_ptr<RunDevice> device,
                            support->Open(name),
                            _.SetPrepend() << "--device: ");
  return device;
}

void SetCheckDeviceAccess(CalculatorGraphConfig* config) {
  const absl::optional<bool> check = absl::GetFlag(FLAGS_check_device_access);
  if (check.has_value()) config->set_check_device_access(*check);
}

}  // namespace syncline
