// DeviceEvent: a named point of a stream that travels in packets, as GXF's
// CudaEvent does.
//
//   SYNCLINE_ASSIGN_OR_RETURN(DeviceEvent event,
//                             DeviceEvent::Record(stream, "resized"));
//   cc->Outputs().Index(0).AddPacket(MakeDevicePacket(event).At(...));
//
// For graphs that were written with it, and for CudaEventCondition. Values that
// know their work, such as DeviceBuffer, need none.
//
// A DeviceEvent is a handle. Whoever destroys the event before those who wait
// for it have seen its end makes their waits errors.
//
// Thread rule: any thread.
// Tested by device_event_test.

#ifndef SYNCLINE_GPU_DEVICE_EVENT_H_
#define SYNCLINE_GPU_DEVICE_EVENT_H_

#include <atomic>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/packet/packet.h"
#include "gpu/device_work.h"
#include "gpu/stream.h"
#include "gpu/work_point.h"

namespace syncline::gpu {

class DeviceEvent {
 public:
  // No event.
  DeviceEvent() = default;
  // After all work that `stream` has now. INVALID_ARGUMENT for no stream,
  // FAILED_PRECONDITION for one that was destroyed.
  static absl::StatusOr<DeviceEvent> Record(const Stream& stream,
                                            absl::string_view name);

  bool is_null() const { return state_ == nullptr; }
  // "" for no event.
  absl::string_view name() const {
    return is_null() ? absl::string_view() : state_->name;
  }

  // What to wait for. FAILED_PRECONDITION for an event that was destroyed, and
  // for no event.
  absl::StatusOr<WorkPoint> Point() const;

  // Ends the event for all handles.
  void Destroy() const {
    if (!is_null()) state_->is_destroyed = true;
  }

 private:
  struct State {
    std::string name;
    WorkPoint point;
    std::atomic<bool> is_destroyed{false};
  };
  std::shared_ptr<State> state_;
};

// A destroyed event adds nothing: only those who ask for it by name hear of
// that.
template <>
struct DeviceWorkOf<DeviceEvent> {
  static void Add(const DeviceEvent& event, DeviceWork* work);
};

// The event of this name in a packet of a DeviceEvent, or of a vector or map of
// them; "" is the only one. INVALID_ARGUMENT if there is none, or with "" more
// than one; it lists those that there are.
absl::StatusOr<DeviceEvent> FindEvent(const Packet& packet,
                                      absl::string_view name);

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_DEVICE_EVENT_H_
