// The flag of run_graph that chooses the device of a run: --device.
//
// Thread rule: one thread.
// Tested by run_graph_device_test and graph_run_test.

#ifndef SYNCLINE_TOOLS_DEVICE_FLAG_H_
#define SYNCLINE_TOOLS_DEVICE_FLAG_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "gpu/device_service.h"

namespace syncline {

// For CheckFlags; and the part of --help.
std::vector<std::string> DeviceFlagNames();
extern const char kDeviceFlagHelp[];

// --device=help: the text that lists the devices. Empty if it was not given.
std::string DeviceListAskedFor();

// The device that was named; null if none was. Errors list those that there
// are.
absl::StatusOr<std::shared_ptr<gpu::DeviceContext>> ReadDeviceFlag();

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_DEVICE_FLAG_H_
