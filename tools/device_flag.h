// The flags of run_graph for devices: --device chooses that of a run, and
// --check_device_access says whether the accesses to it are checked.
//
// Thread rule: one thread.
// Tested by device_flag_test, run_graph_device_test and graph_run_test.

#ifndef SYNCLINE_TOOLS_DEVICE_FLAG_H_
#define SYNCLINE_TOOLS_DEVICE_FLAG_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "framework/config/calculator.pb.h"
#include "tools/run_device.h"

namespace syncline {

// For CheckFlags; and the part of --help.
std::vector<std::string> DeviceFlagNames();
extern const char kDeviceFlagHelp[];

// --device=help: the text that lists the devices, or says that this program has
// none. Empty if it was not given.
std::string DeviceListAskedFor();

// The device that was named; null if none was. Errors list those that there
// are, or say how the program comes to have some.
absl::StatusOr<std::unique_ptr<RunDevice>> ReadDeviceFlag();

// --check_device_access, if it was given, takes the place of the graph's field
// of this name.
void SetCheckDeviceAccess(CalculatorGraphConfig* config);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_DEVICE_FLAG_H_
