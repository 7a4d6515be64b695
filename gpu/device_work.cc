#include "gpu/device_work.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/mutex.h"
#include "framework/base/no_destructor.h"
#include "framework/base/status_macros.h"
#include "framework/base/type_id.h"
#include "framework/packet/packet.h"
#include "gpu/access_history.h"
#include "gpu/device.h"
#include "gpu/stream_core.h"

SYNCLINE_REGISTER_DEVICE_WORK(syncline::gpu::DeviceBuffer);
SYNCLINE_REGISTER_DEVICE_WORK(std::vector<syncline::gpu::DeviceBuffer>);
SYNCLINE_REGISTER_DEVICE_WORK(
    std::map<std::string, syncline::gpu::DeviceBuffer>);

namespace syncline::gpu {
namespace {

// Keeps the later of two points of one stream.
void AddPoint(WorkPoint point, std::vector<WorkPoint>* points) {
  for (WorkPoint& other : *points) {
    if (other.work().stream != point.work().stream) continue;
    if (other.work().number < point.work().number) other = std::move(point);
    return;
  }
  points->push_back(std::move(point));
}

void AddPointsOf(const DeviceBuffer& buffer, bool before_writing,
                 std::vector<WorkPoint>* points) {
  const std::shared_ptr<BufferState>& state = buffer.state();
  MutexLock lock(&state->device->group().mutex);
  for (const AccessNote& note : state->history.notes()) {
    if (!before_writing && !note.writes) continue;
    // Any device of the group keeps all of them.
    std::shared_ptr<Device> device(state->device, &note.stream->device());
    AddPoint(WorkPoint(std::move(device), {note.stream, note.at.number}),
             points);
  }
}

class TypeTable {
 public:
  using AddFunction = DeviceWorkRegistration::AddFunction;

  void Insert(TypeId type, AddFunction add) {
    MutexLock lock(&mutex_);
    functions_[type].push_back(add);
  }
  void Erase(TypeId type, AddFunction add) {
    MutexLock lock(&mutex_);
    std::vector<AddFunction>& of_type = functions_[type];
    const auto at = std::find(of_type.begin(), of_type.end(), add);
    if (at != of_type.end()) of_type.erase(at);
    if (of_type.empty()) functions_.erase(type);
  }
  // Null for a type that is not registered.
  AddFunction Find(TypeId type) const {
    MutexLock lock(&mutex_);
    const auto found = functions_.find(type);
    return found == functions_.end() ? nullptr : found->second.front();
  }

 private:
  mutable Mutex mutex_;
  // Several libraries may register one type.
  absl::flat_hash_map<TypeId, std::vector<AddFunction>> functions_
      ABSL_GUARDED_BY(mutex_);
};

TypeTable& Types() {
  static NoDestructor<TypeTable> table;
  return *table;
}

void AddWorkOf(const Packet& packet, DeviceWork* work) {
  if (packet.IsEmpty()) return;
  const auto add = Types().Find(packet.GetTypeId());
  if (add != nullptr) add(packet, work);
}

}  // namespace

// --- DeviceWork

void DeviceWork::Add(const DeviceBuffer& buffer) {
  if (mark_ != nullptr) return (buffer.*mark_)();
  if (!buffer.is_null()) buffers_.push_back(buffer);
}

void DeviceWork::Add(const WorkPoint& point) {
  if (mark_ != nullptr) return;
  if (point.work().stream != nullptr) points_.push_back(point);
}

std::vector<WorkPoint> DeviceWork::Points(bool before_writing) const {
  std::vector<WorkPoint> points;
  for (const WorkPoint& point : points_) AddPoint(point, &points);
  for (const DeviceBuffer& buffer : buffers_) {
    AddPointsOf(buffer, before_writing, &points);
  }
  return points;
}

std::vector<WorkPoint> DeviceWork::PointsBeforeReading() const {
  return Points(/*before_writing=*/false);
}

std::vector<WorkPoint> DeviceWork::PointsBeforeWriting() const {
  return Points(/*before_writing=*/true);
}

absl::StatusOr<bool> DeviceWork::CanBeRead() const {
  for (const WorkPoint& point : PointsBeforeReading()) {
    SYNCLINE_ASSIGN_OR_RETURN(const bool has_ended, point.HasEnded());
    if (!has_ended) return false;
  }
  return true;
}

absl::Status DeviceWork::HostWait() const {
  for (const WorkPoint& point : PointsBeforeReading()) {
    SYNCLINE_RETURN_IF_ERROR(point.HostWait());
  }
  return absl::OkStatus();
}

// --- Packets

DeviceWork PendingWorkOf(const Packet& packet) {
  DeviceWork work;
  AddWorkOf(packet, &work);
  return work;
}

void MarkAsSentOn(const Packet& packet) {
  DeviceWork sent = DeviceWork::Marking(&DeviceBuffer::MarkAsSentOn);
  AddWorkOf(packet, &sent);
}

DeviceWorkRegistration::DeviceWorkRegistration(TypeId type, AddFunction add)
    : type_(type), add_(add) {
  Types().Insert(type, add);
}

DeviceWorkRegistration::~DeviceWorkRegistration() {
  Types().Erase(type_, add_);
}

}  // namespace syncline::gpu
