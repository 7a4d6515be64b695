// TimeEvent: an event that knows when its device came to it.
//
//   SYNCLINE_ASSIGN_OR_RETURN(TimeEvent event, TimeEvent::Take(&device));
//   SYNCLINE_RETURN_IF_ERROR(event.RecordOn(stream_handle));
//   ...
//   if (*event.HasEnded()) { ... event.NanosecondsUntil(later) ... }
//
// Events of a device are kept and used again: only the first ones are made. The
// checker knows nothing of them, so they put no work in order.
//
// Thread rule: one thread at a time.
// Tested by device_clock_test.

#ifndef SYNCLINE_GPU_TIME_EVENT_H_
#define SYNCLINE_GPU_TIME_EVENT_H_

#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/status_macros.h"
#include "gpu/device.h"
#include "gpu/driver.h"

namespace syncline::gpu {

class TimeEvent {
 public:
  // No event.
  TimeEvent() = default;
  // `device` outlives the event. The errors of the device.
  static absl::StatusOr<TimeEvent> Take(Device* device) {
    SYNCLINE_ASSIGN_OR_RETURN(const EventHandle handle,
                              device->TakeTimeEvent());
    TimeEvent event;
    event.device_ = device;
    event.handle_ = handle;
    return event;
  }
  ~TimeEvent() { GiveBack(); }
  TimeEvent(TimeEvent&& other) noexcept { *this = std::move(other); }
  TimeEvent& operator=(TimeEvent&& other) noexcept {
    if (this == &other) return *this;
    GiveBack();
    device_ = std::exchange(other.device_, nullptr);
    handle_ = std::exchange(other.handle_, nullptr);
    return *this;
  }

  bool is_null() const { return device_ == nullptr; }
  // The others: REQUIRES: !is_null().
  // After all that the stream has been told; what was recorded before is gone.
  absl::Status RecordOn(StreamHandle stream) {
    device_->Add(Device::Count::kTimeEvent);
    return device_->driver().Record(handle_, stream);
  }
  // REQUIRES of the following: it was recorded.
  absl::StatusOr<bool> HasEnded() const {
    return device_->driver().HasEnded(handle_);
  }
  absl::Status HostWait() const {
    return device_->driver().HostWaitForEvent(handle_);
  }
  // On the clock of the device; less than 0 if `later` was first.
  // FAILED_PRECONDITION unless both have ended.
  absl::StatusOr<std::int64_t> NanosecondsUntil(const TimeEvent& later) const {
    return device_->driver().NanosecondsBetween(handle_, later.handle_);
  }

 private:
  void GiveBack() {
    if (device_ != nullptr) device_->KeepTimeEvent(handle_);
  }

  Device* device_ = nullptr;
  EventHandle handle_ = nullptr;
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_TIME_EVENT_H_
