#include "tools/device_flag.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/status_macros.h"
#include "gpu/device_service.h"
#include "gpu/find_device.h"

ABSL_FLAG(std::string, device, "",
          "the device of nodes that use one: cuda:0, stand_in, ...; help");

namespace syncline {

const char kDeviceFlagHelp[] =
    R"(  --device=NAME        the device of nodes that use one: cuda:1, cuda,
                       stand_in:0 or stand_in, a device in miniature that runs
                       on the host. Without it the first that there is, and
                       the log says which. --device=help lists them
)";

std::vector<std::string> DeviceFlagNames() { return {"device"}; }

std::string DeviceListAskedFor() {
  if (absl::GetFlag(FLAGS_device) != "help") return "";
  const std::vector<std::string> names = gpu::ListDeviceNames();
  std::string text = names.empty()
                         ? "There are no devices for --device to name.\n"
                         : "Devices that --device can name, the first is the "
                           "default:\n";
  for (const std::string& name : names) {
    const absl::StatusOr<gpu::FoundDevice> found = gpu::FindDevice(name);
    absl::StrAppend(
        &text, "  ", name, "  \"",
        found.ok() ? found->device->info().name : found.status().ToString(),
        "\"\n");
  }
  return text;
}

absl::StatusOr<std::shared_ptr<gpu::DeviceContext>> ReadDeviceFlag() {
  const std::string name = absl::GetFlag(FLAGS_device);
  if (name.empty()) return nullptr;
  SYNCLINE_ASSIGN_OR_RETURN(std::shared_ptr<gpu::DeviceContext> context,
                            gpu::DeviceContext::Create(name),
                            _.SetPrepend() << "--device: ");
  return context;
}

}  // namespace syncline
