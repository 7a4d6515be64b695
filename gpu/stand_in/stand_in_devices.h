// Devices of a stand-in of one's own, for tests.
//
//   const StandInDevices devices = MakeStandInDevices({.has_threads = false});
//   Stream stream = *Stream::Make(devices[0], {}, "a");
//   ...
//   devices.stand_in->RunAll();
//
// Thread rule: any thread.

#ifndef SYNCLINE_GPU_STAND_IN_STAND_IN_DEVICES_H_
#define SYNCLINE_GPU_STAND_IN_STAND_IN_DEVICES_H_

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "gpu/device.h"
#include "gpu/stand_in/stand_in.h"

namespace syncline::gpu {

struct StandInDevices {
  const std::shared_ptr<Device>& operator[](std::size_t number) const {
    return devices[number];
  }

  std::shared_ptr<StandIn> stand_in;
  std::vector<std::shared_ptr<Device>> devices;
};

inline StandInDevices MakeStandInDevices(StandInOptions options,
                                         bool check_access = true) {
  StandInDevices made;
  made.stand_in = StandIn::Make(std::move(options));
  made.devices = DeviceGroup::Make(made.stand_in->MakeDrivers(), check_access);
  return made;
}

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_STAND_IN_STAND_IN_DEVICES_H_
