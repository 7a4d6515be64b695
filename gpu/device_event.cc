#include "gpu/device_event.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gpu/stream_core.h"
#include "gpu/work_owner.h"

SYNCLINE_REGISTER_DEVICE_WORK(syncline::gpu::DeviceEvent);
SYNCLINE_REGISTER_DEVICE_WORK(std::vector<syncline::gpu::DeviceEvent>);
SYNCLINE_REGISTER_DEVICE_WORK(
    std::map<std::string, syncline::gpu::DeviceEvent>);

namespace syncline::gpu {
namespace {

// The events in a packet; none in one of another type.
std::vector<DeviceEvent> EventsOf(const Packet& packet) {
  using Vector = std::vector<DeviceEvent>;
  using Map = std::map<std::string, DeviceEvent>;
  std::vector<DeviceEvent> events;
  if (packet.IsEmpty()) return events;
  if (packet.ValidateAsType<DeviceEvent>().ok()) {
    events.push_back(packet.Get<DeviceEvent>());
  } else if (packet.ValidateAsType<Vector>().ok()) {
    events = packet.Get<Vector>();
  } else if (packet.ValidateAsType<Map>().ok()) {
    for (const auto& [key, event] : packet.Get<Map>()) events.push_back(event);
  }
  std::erase_if(events, [](const DeviceEvent& one) { return one.is_null(); });
  return events;
}

}  // namespace

absl::StatusOr<DeviceEvent> DeviceEvent::Record(const Stream& stream,
                                                absl::string_view name) {
  const std::string who = absl::StrCat(WorkOwnerScope::Current().ToText(),
                                       " records event \"", name, "\" on ");
  if (stream.is_null()) {
    return absl::InvalidArgumentError(
        absl::StrCat(who, "no stream. Receive or allocate one first."));
  }
  if (!stream.core().is_open()) {
    return absl::FailedPreconditionError(
        absl::StrCat(who, stream.core().ToText(), ", which was destroyed."));
  }
  DeviceEvent event;
  event.state_ = std::make_shared<State>();
  event.state_->name = std::string(name);
  event.state_->point = stream.Now();
  return event;
}

absl::StatusOr<WorkPoint> DeviceEvent::Point() const {
  if (is_null()) {
    return absl::FailedPreconditionError(
        "A DeviceEvent that was never recorded is waited for. Record it, or "
        "leave it out of the packet.");
  }
  if (!state_->is_destroyed) return state_->point;
  const PendingWork& work = state_->point.work();
  return absl::FailedPreconditionError(absl::StrCat(
      "The event \"", name(), "\" of ", work.stream->ToText(),
      " was destroyed before those who wait for it have seen its end. Keep it "
      "until the last of them is called."));
}

void DeviceWorkOf<DeviceEvent>::Add(const DeviceEvent& event,
                                    DeviceWork* work) {
  const absl::StatusOr<WorkPoint> point = event.Point();
  if (point.ok()) work->Add(*point);
}

absl::StatusOr<DeviceEvent> FindEvent(const Packet& packet,
                                      absl::string_view name) {
  const std::vector<DeviceEvent> events = EventsOf(packet);
  if (name.empty() && events.size() == 1) return events.front();
  for (const DeviceEvent& event : events) {
    if (!name.empty() && event.name() == name) return event;
  }
  const std::string names = absl::StrJoin(
      events, "\", \"", [](std::string* text, const DeviceEvent& event) {
        absl::StrAppend(text, event.name());
      });
  return absl::InvalidArgumentError(absl::StrCat(
      name.empty() ? "no event_name is given"
                   : absl::StrCat("there is no event \"", name, "\""),
      " for the packet ", packet.DebugString(), ", which has ",
      events.empty() ? "no events. Send a DeviceEvent, or a vector or map of "
                       "them, or take the condition away."
                     : absl::StrCat("the events \"", names,
                                    "\". Set event_name to one of them.")));
}

}  // namespace syncline::gpu
