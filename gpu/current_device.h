// CurrentDevice: makes a device the one that code on this thread means when it
// calls the library of the device itself (on CUDA: cudaLaunchKernel, cuBLAS,
// ...), and puts the one before back at the end.
//
// The drivers do so themselves in each call, so only code of users needs it.
// Where there is one device of the kind nothing is done. Where there are
// several it costs one call of the runtime, which runtime_calls.h counts as
// "select device", and two more where the device has to be changed.
//
// Thread rule: for the thread that made it.
// Tested by current_device_test.

#ifndef SYNCLINE_GPU_CURRENT_DEVICE_H_
#define SYNCLINE_GPU_CURRENT_DEVICE_H_

#include <memory>

#include "gpu/device.h"
#include "gpu/driver.h"

namespace syncline::gpu {

class CurrentDevice {
 public:
  // Nothing so far.
  CurrentDevice() = default;
  ~CurrentDevice() { PutBack(); }
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;

  // In place of the one that this object made current before.
  void Make(const std::shared_ptr<Device>& device) {
    if (device == device_ || !device->has_siblings()) return;
    PutBack();
    device_ = device;
    before_ = device_->driver().MakeCurrent();
  }

 private:
  void PutBack() {
    if (before_ == DeviceDriver::kNoDevice) return;
    device_->driver().PutBackCurrent(before_);
    before_ = DeviceDriver::kNoDevice;
  }

  std::shared_ptr<Device> device_;
  int before_ = DeviceDriver::kNoDevice;
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_CURRENT_DEVICE_H_
