#include "gpu/call_timer.h"

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/status_macros.h"
#include "gpu/device.h"
#include "gpu/device_clock.h"

namespace syncline::gpu {

CallTimer::CallTimer(NodeTimes* node, DeviceTimes* wanted_by, int node_id,
                     Timestamp timestamp)
    : node_(node),
      wanted_by_(wanted_by != nullptr && wanted_by->wants_times() ? wanted_by
                                                                  : nullptr),
      node_id_(node_id),
      timestamp_(timestamp) {}

CallTimer::~CallTimer() {
  if (wanted_by_ == nullptr) return;
  for (Begun& begun : begun_) {
    if (!begun.is_measured) continue;
    // Work that the caller gave to the driver himself and did not note.
    if (!begun.has_end &&
        !begun.stream
             ->RecordTime([&] {
               return begun.measured.end.RecordOn(begun.stream->handle());
             })
             .ok()) {
      LeaveOut(&begun);
      continue;
    }
    begun.measured.device->clock().Compare();
    // The stream goes first, while its device is sure to exist.
    begun.stream = nullptr;
    node_->Add(std::move(begun.measured));
  }
  node_->Report(node_id_, wanted_by_);
}

CallTimer::Begun* CallTimer::Find(const StreamCore* stream) {
  for (Begun& begun : begun_) {
    if (begun.stream.get() == stream) return &begun;
  }
  return nullptr;
}

absl::Status CallTimer::RecordBegin(StreamCore* stream, Measurement* measured) {
  Device* const device = measured->device.get();
  SYNCLINE_ASSIGN_OR_RETURN(measured->begin, TimeEvent::Take(device));
  SYNCLINE_ASSIGN_OR_RETURN(measured->end, TimeEvent::Take(device));
  measured->told_ns = DeviceClock::HostNow();
  return measured->begin.RecordOn(stream->handle());
}

void CallTimer::LeaveOut(Begun* begun) {
  begun->is_measured = false;
  begun->measured.begin = TimeEvent();
  begun->measured.end = TimeEvent();
  node_->LeaveOut();
}

void CallTimer::BeforeWork(StreamCore* stream) {
  Begun* begun = Find(stream);
  if (begun != nullptr) {
    begun->has_end = false;
    return;
  }
  std::shared_ptr<Device> device = stream->device().Share();
  if (device == nullptr) return;
  begun = &begun_.emplace_back();
  begun->measured = {.device = std::move(device),
                     .stream = stream->number(),
                     .timestamp = timestamp_.Value()};
  begun->stream = stream->shared_from_this();
  begun->is_measured = node_->Begin();
  if (begun->is_measured && !RecordBegin(stream, &begun->measured).ok()) {
    LeaveOut(begun);
  }
}

void CallTimer::AfterWork(StreamCore* stream) {
  Begun* const begun = Find(stream);
  if (begun == nullptr || !begun->is_measured) return;
  begun->has_end = true;
  if (!begun->measured.end.RecordOn(stream->handle()).ok()) LeaveOut(begun);
}

}  // namespace syncline::gpu
