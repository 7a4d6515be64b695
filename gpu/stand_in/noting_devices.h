// Devices of a stand-in whose drivers note what they are told that a stand-in
// does not care for: names of streams, which device is current, copies between
// devices, and how much pools keep. For tests.
//
//   NotingDevices devices(2);
//   ...
//   EXPECT_THAT(devices.TakeNotes(), ElementsAre("0: current", ...));
//
// Thread rule: any thread.

#ifndef SYNCLINE_GPU_STAND_IN_NOTING_DEVICES_H_
#define SYNCLINE_GPU_STAND_IN_NOTING_DEVICES_H_

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/mutex.h"
#include "gpu/device.h"
#include "gpu/stand_in/stand_in.h"
#include "gpu/stand_in/stand_in_driver.h"

namespace syncline::gpu {

class NotingDevices {
 public:
  explicit NotingDevices(int num_devices) : notes_(std::make_shared<Notes>()) {
    const std::shared_ptr<StandIn> stand_in =
        StandIn::Make({.num_devices = num_devices});
    std::vector<std::unique_ptr<DeviceDriver>> drivers;
    for (int i = 0; i < num_devices; ++i) {
      drivers.push_back(std::make_unique<Driver>(stand_in, i, notes_));
    }
    devices_ = DeviceGroup::Make(std::move(drivers), /*check_access=*/true);
  }

  const std::shared_ptr<Device>& operator[](std::size_t number) const {
    return devices_[number];
  }
  const std::vector<std::shared_ptr<Device>>& devices() const {
    return devices_;
  }
  // "0: stream a", "1: current", "0: put back 1", "0: peer 1", "0: pool 4096".
  std::vector<std::string> TakeNotes() {
    MutexLock lock(&notes_->mutex);
    return std::exchange(notes_->lines, {});
  }

 private:
  struct Notes {
    Mutex mutex;
    std::vector<std::string> lines ABSL_GUARDED_BY(mutex);
    // As on CUDA, of each thread; of one thread is enough here.
    int current ABSL_GUARDED_BY(mutex) = 0;
  };

  class Driver : public StandInDriver {
   public:
    Driver(std::shared_ptr<StandIn> stand_in, int device,
           std::shared_ptr<Notes> notes)
        : StandInDriver(std::move(stand_in), device),
          device_(device),
          notes_(std::move(notes)) {}

    void NameStream(StreamHandle, const char* name) override {
      MutexLock lock(&notes_->mutex);
      notes_->lines.push_back(absl::StrCat(device_, ": stream ", name));
    }
    void UsePeer(int device) override {
      MutexLock lock(&notes_->mutex);
      notes_->lines.push_back(absl::StrCat(device_, ": peer ", device));
    }
    absl::StatusOr<PoolHandle> MakePool(std::size_t kept_bytes) override {
      MutexLock lock(&notes_->mutex);
      notes_->lines.push_back(absl::StrCat(device_, ": pool ", kept_bytes));
      return nullptr;
    }
    int MakeCurrent() override {
      MutexLock lock(&notes_->mutex);
      if (notes_->current == device_) return kNoDevice;
      notes_->lines.push_back(absl::StrCat(device_, ": current"));
      return std::exchange(notes_->current, device_);
    }
    void PutBackCurrent(int before) override {
      MutexLock lock(&notes_->mutex);
      notes_->lines.push_back(absl::StrCat(device_, ": put back ", before));
      notes_->current = before;
    }

   private:
    const int device_;
    const std::shared_ptr<Notes> notes_;
  };

  std::shared_ptr<Notes> notes_;
  std::vector<std::shared_ptr<Device>> devices_;
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_STAND_IN_NOTING_DEVICES_H_
