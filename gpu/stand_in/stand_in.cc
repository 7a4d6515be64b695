#include "gpu/stand_in/stand_in.h"

#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gpu/stand_in/stand_in_driver.h"

namespace syncline::gpu {

StandIn::StandIn(StandInOptions options)
    : options_(std::move(options)),
      accounts_(std::make_shared<StandInAccounts>(options_.num_devices,
                                                  options_.memory_bytes)),
      queues_({.has_threads = options_.has_threads,
               .delay_seed = options_.delay_seed,
               .units_per_device = options_.units_per_device,
               .choose = options_.choose,
               .step_seed = options_.step_seed,
               .choose_in_calls = options_.choose_in_calls},
              options_.num_devices) {}

std::shared_ptr<StandIn> StandIn::Make(StandInOptions options) {
  return std::shared_ptr<StandIn>(new StandIn(std::move(options)));
}

std::vector<std::unique_ptr<DeviceDriver>> StandIn::MakeDrivers() {
  std::vector<std::unique_ptr<DeviceDriver>> drivers;
  for (int device = 0; device < options_.num_devices; ++device) {
    drivers.push_back(
        std::make_unique<StandInDriver>(shared_from_this(), device));
  }
  return drivers;
}

void StandIn::RunAll() {
  while (queues_.StepBySeed()) {
  }
}

void StandIn::RemoveDevice(int device) {
  queues_.Fail(device, absl::UnavailableError(absl::StrCat(
                           "stand_in:", device, " is gone: it was removed")));
}

}  // namespace syncline::gpu
