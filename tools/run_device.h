// RunDevice: the device on which the nodes of a run work, as --device names it.
//
// Most graphs use no device, and a program for one of these is built without
// gpu/, which would be a sixth of what is compiled for it. So the flags of
// devices ask DeviceSupport, which tools/gpu_run_device.cc registers. That is
// //tools:run_graph_devices, and calculator_graph() adds it where one of the
// program's deps uses devices.
//
// Thread rule: free functions of one thread; a RunDevice is for one thread.
// Tested by device_flag_test, run_graph_device_test and graph_run_test.

#ifndef SYNCLINE_TOOLS_RUN_DEVICE_H_
#define SYNCLINE_TOOLS_RUN_DEVICE_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/base/typed_registry.h"
#include "framework/graph/calculator_graph.h"

namespace syncline {

// While it lives, allocators take their memory from the device. So it outlives
// the graphs that it is given to.
class RunDevice {
 public:
  virtual ~RunDevice() = default;
  // "stand_in:0".
  virtual std::string name() const = 0;
  // For the log: which device, and why.
  virtual std::string text() const = 0;
  // Before the run of a graph that is initialized.
  virtual absl::Status GiveTo(CalculatorGraph* graph) const = 0;
};

// What a program knows of devices.
class DeviceSupport {
 public:
  virtual ~DeviceSupport() = default;
  // A line for each device that can be used now, the first of which is the
  // default; "" if there are none.
  virtual std::string ListDevices() const = 0;
  // One line without a newline, for --version.
  virtual std::string DescribeDevices() const = 0;
  // Errors list the devices that there are.
  virtual absl::StatusOr<std::unique_ptr<RunDevice>> Open(
      absl::string_view name) const = 0;
};

using DeviceSupports = GlobalFactoryRegistry<std::unique_ptr<DeviceSupport>>;

// The name that it registers by.
inline constexpr char kDeviceSupport[] = "GpuDeviceSupport";

// FAILED_PRECONDITION: this program is built without devices; the error says
// how to have them.
absl::StatusOr<std::unique_ptr<DeviceSupport>> FindDeviceSupport();

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_RUN_DEVICE_H_
