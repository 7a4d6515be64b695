// Makes "stand_in:0" and "stand_in:1" devices of this program.
//
// They have threads, and memory of the machine. Work of theirs is checked by
// default.

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "gpu/find_device.h"
#include "gpu/stand_in/stand_in.h"

namespace syncline::gpu {
namespace {

constexpr int kNumDevices = 2;

const DeviceKindRegistration kStandIn({
    .name = "stand_in",
    .rank = 100,
    .check_access = true,
    .open = []() -> absl::StatusOr<std::vector<std::unique_ptr<DeviceDriver>>> {
      return StandIn::Make({.num_devices = kNumDevices})->MakeDrivers();
    },
});

}  // namespace
}  // namespace syncline::gpu
