// Finds a device by its name, at run time.
//
//   SYNCLINE_ASSIGN_OR_RETURN(const FoundDevice found, FindDevice("cuda:1"));
//   LOG(INFO) << found.text;      // Device cuda:1 "NVIDIA H200", as asked for.
//
//   name            means
//   "cuda:1"        device 1 of the kind "cuda"
//   "cuda"          device 0 of that kind
//   "" or "auto"    device 0 of the first kind that has one: CUDA where there
//                   is a device, else the stand-in
//
// Kinds of devices register here; which there are depends on what is linked in.
// The devices of a kind are made when somebody first asks for one, all
// together, and exist as long as one of them is used.
//
// Thread rule: any thread.
// Tested by find_device_test.

#ifndef SYNCLINE_GPU_FIND_DEVICE_H_
#define SYNCLINE_GPU_FIND_DEVICE_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "gpu/device.h"
#include "gpu/driver.h"

namespace syncline::gpu {

struct DeviceKind {
  // "cuda"
  std::string name;
  // Lower is preferred where no device is named.
  int rank = 0;
  // Whether accesses are checked by default.
  bool check_access = false;
  // Drivers for all devices there are, by their numbers; or why there are none.
  std::function<absl::StatusOr<std::vector<std::unique_ptr<DeviceDriver>>>()>
      open;
};

// Registers a kind while it exists: a static object of the kind's library.
class DeviceKindRegistration {
 public:
  explicit DeviceKindRegistration(DeviceKind kind);
  ~DeviceKindRegistration();
  DeviceKindRegistration(const DeviceKindRegistration&) = delete;
  DeviceKindRegistration& operator=(const DeviceKindRegistration&) = delete;

 private:
  const std::string name_;
};

struct FoundDevice {
  std::shared_ptr<Device> device;
  // For the log: which device, and why.
  std::string text;
};

// NOT_FOUND for a kind or a number that does not exist, INVALID_ARGUMENT for
// what is no name; the message lists the names that there are. The error of the
// kind if it cannot be used.
absl::StatusOr<FoundDevice> FindDevice(absl::string_view name);

// The names of all devices that can be used now, preferred ones first. Makes
// them for that if they do not exist.
std::vector<std::string> ListDeviceNames();

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_FIND_DEVICE_H_
