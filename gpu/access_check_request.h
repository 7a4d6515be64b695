// AccessCheckRequest: a graph's word on whether accesses to a device are
// checked (check_device_access of its config), for as long as it runs.
//
//   AccessCheckRequest request(device, true);
//
// A device is used by all graphs of a process, so they are counted: one that
// wants the check has it, whatever others say; and without one, a graph that
// wants none turns it off. Without any, what the device was told before holds
// (Device::set_check_access).
//
// Thread rule: one thread at a time; requests for one device, any threads.
// Tested by access_check_request_test.

#ifndef SYNCLINE_GPU_ACCESS_CHECK_REQUEST_H_
#define SYNCLINE_GPU_ACCESS_CHECK_REQUEST_H_

#include <memory>
#include <utility>

#include "gpu/device.h"

namespace syncline::gpu {

class AccessCheckRequest {
 public:
  // No request.
  AccessCheckRequest() = default;
  AccessCheckRequest(std::shared_ptr<Device> device, bool check)
      : device_(std::move(device)), check_(check) {
    device_->AddCheckRequests(check_, 1);
  }
  ~AccessCheckRequest() { Withdraw(); }
  AccessCheckRequest(AccessCheckRequest&& other) noexcept {
    *this = std::move(other);
  }
  AccessCheckRequest& operator=(AccessCheckRequest&& other) noexcept {
    if (this == &other) return *this;
    Withdraw();
    device_ = std::exchange(other.device_, nullptr);
    check_ = other.check_;
    return *this;
  }

 private:
  void Withdraw() {
    if (device_ != nullptr) device_->AddCheckRequests(check_, -1);
  }

  std::shared_ptr<Device> device_;
  bool check_ = false;
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_ACCESS_CHECK_REQUEST_H_
