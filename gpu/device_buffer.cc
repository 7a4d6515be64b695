#include "gpu/device_buffer.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/misuse.h"
#include "framework/base/mutex.h"
#include "framework/base/no_destructor.h"
#include "framework/base/status_macros.h"
#include "gpu/access_check.h"
#include "gpu/pooled_uses.h"
#include "gpu/stream_core.h"

namespace syncline::gpu {
namespace {

// Memory that comes straight from the device.
class DeviceItself : public DeviceMemoryStore {
 public:
  void TakeBack(Device& device, const DriverMemory& memory,
                std::vector<PendingWork> pending) override {
    device.TakeMemoryBack(memory, std::move(pending));
  }
};

const std::shared_ptr<DeviceMemoryStore>& TheDeviceItself() {
  static const NoDestructor<std::shared_ptr<DeviceMemoryStore>> kStore(
      std::make_shared<DeviceItself>());
  return *kStore;
}

void AddTo(std::vector<PendingWork>* pending, AccessNote note) {
  for (PendingWork& work : *pending) {
    if (work.stream != note.stream) continue;
    work.number = std::max(work.number, note.at.number);
    return;
  }
  pending->push_back({std::move(note.stream), note.at.number});
}

absl::Status CheckEnded(absl::Span<const PendingWork> pending,
                        absl::string_view name) {
  for (const PendingWork& work : pending) {
    if (work.stream->IsOver(work.number)) continue;
    return absl::FailedPreconditionError(absl::StrCat(
        "Memory for \"", name, "\" is handed out to the host, and ",
        work.stream->ToText(), " has not done its work on it."));
  }
  return absl::OkStatus();
}

// The order of work on a pool's memory is right if the pool has passed on what
// is pending: `stream`, or the host, comes after all uses before.
absl::Status CheckHandOut(Device& device, const DriverMemory& memory,
                          absl::string_view name, const StreamCore* stream) {
  std::vector<AccessNote> notes;
  {
    MutexLock lock(&device.group().mutex);
    notes = device.group().pooled_uses.Take(memory.data, memory.size);
  }
  if (!device.check_access()) return absl::OkStatus();
  for (const AccessNote& note : notes) {
    const bool is_after =
        stream != nullptr && stream->IsAfter(*note.stream, note.at.number);
    if (is_after || note.stream->IsOver(note.at.number)) continue;
    {
      MutexLock lock(&device.group().mutex);
      device.group().pooled_uses.Add(memory.data, memory.size, notes);
    }
    return absl::FailedPreconditionError(absl::StrCat(
        WorkOwnerScope::Current().ToText(), " gets memory for \"", name,
        "\" from a pool, ",
        stream == nullptr ? "for the host"
                          : absl::StrCat("for ", stream->ToText()),
        ", and nothing orders this after ", note.owner.ToText(), ", which ",
        note.writes ? "writes" : "reads", " it by \"", note.work, "\" on ",
        note.stream->ToText(),
        ". The pool has to pass on the work that is pending on its memory: see "
        "MemoryBuffer::pending()."));
  }
  return absl::OkStatus();
}

}  // namespace

// --- BufferState

BufferState::~BufferState() { Release(); }

std::string BufferState::ToText() const {
  return absl::StrCat("buffer \"", name, "\" (", size, " bytes)");
}

void BufferState::Release() {
  std::vector<AccessNote> notes;
  std::vector<PendingWork> pending;
  {
    MutexLock lock(&device->group().mutex);
    if (is_released) return;
    is_released = true;
    released_by = WorkOwnerScope::Current();
    notes = history.TakeNotes();
    if (IsSeenByHost())
      device->group().host_addresses.Remove(memory.data, this);
    if (store->HandsOutAgain() && device->check_access()) {
      device->group().pooled_uses.Add(memory.data, memory.size, notes);
    }
    for (AccessNote& note : notes) {
      if (device->group().order.HostKnows(note.at)) continue;
      AddTo(&pending, std::move(note));
    }
  }
  store->TakeBack(*device, memory, std::move(pending));
}

// --- HostView

HostView& HostView::operator=(HostView&& other) noexcept {
  if (this == &other) return *this;
  Close();
  buffer_ = std::move(other.buffer_);
  may_write_ = other.may_write_;
  return *this;
}

absl::Span<const std::byte> HostView::bytes() const {
  if (buffer_ == nullptr) return {};
  return {buffer_->memory.data, buffer_->size};
}

absl::Span<std::byte> HostView::mutable_bytes() const {
  if (buffer_ == nullptr) return {};
  if (!may_write_) {
    ReportMisuse(absl::FailedPreconditionError(
        absl::StrCat("The host writes ", buffer_->ToText(),
                     " through a view for reading: take ViewForWriting().")));
  }
  return {buffer_->memory.data, buffer_->size};
}

void HostView::Close() {
  if (buffer_ == nullptr) return;
  {
    MutexLock lock(&buffer_->device->group().mutex);
    --(may_write_ ? buffer_->host_writers : buffer_->host_readers);
  }
  buffer_ = nullptr;
}

// --- DeviceBuffer

DeviceBuffer::DeviceBuffer(std::shared_ptr<BufferState> state)
    : state_(std::move(state)) {
  if (!state_->IsSeenByHost() || !state_->device->check_access()) return;
  DeviceGroup& group = state_->device->group();
  MutexLock lock(&group.mutex);
  group.host_addresses.Add(state_->memory.data, state_->size, state_);
}

absl::StatusOr<DeviceBuffer> DeviceBuffer::Allocate(
    std::shared_ptr<Device> device, MemoryStorageType kind, std::size_t bytes,
    absl::string_view name) {
  SYNCLINE_ASSIGN_OR_RETURN(const DriverMemory memory,
                            device->TakeMemory(kind, bytes, name));
  return DeviceBuffer(std::make_shared<BufferState>(
      std::move(device), TheDeviceItself(), memory, bytes, name));
}

absl::StatusOr<DeviceBuffer> DeviceBuffer::HandOut(
    std::shared_ptr<Device> device, std::shared_ptr<DeviceMemoryStore> store,
    const DriverMemory& memory, std::size_t bytes, absl::string_view name,
    StreamCore* stream, absl::Span<const PendingWork> pending) {
  if (stream == nullptr) {
    SYNCLINE_RETURN_IF_ERROR(CheckEnded(pending, name));
  } else {
    for (const PendingWork& work : pending) {
      SYNCLINE_RETURN_IF_ERROR(stream->WaitFor(work.stream.get(), work.number));
    }
  }
  SYNCLINE_RETURN_IF_ERROR(CheckHandOut(*device, memory, name, stream));
  auto state = std::make_shared<BufferState>(
      std::move(device), std::move(store), memory, bytes, name);
  if (stream != nullptr) {
    DeviceGroup& group = state->device->group();
    MutexLock lock(&group.mutex);
    state->history.Add({.at = group.order.Now(stream->id()),
                        .writes = true,
                        .stream = stream->shared_from_this(),
                        .owner = WorkOwnerScope::Current(),
                        .work = "new memory"},
                       [](WorkPosition) { return true; });
  }
  return DeviceBuffer(std::move(state));
}

absl::StatusOr<HostView> DeviceBuffer::View(bool writes) const {
  SYNCLINE_RETURN_IF_ERROR(BeginHostAccess({state_, writes, sent_version_}));
  return HostView(state_, writes);
}

void DeviceBuffer::MarkAsSent() const {
  sent_version_ = SentVersion();
  if (is_null() || !state_->device->check_access()) return;
  MutexLock lock(&state_->device->group().mutex);
  sent_version_ = state_->versions.NoteSent(WorkOwnerScope::Current());
}

void DeviceBuffer::MarkAsSentOn() const {
  if (is_null()) return;
  MutexLock lock(&state_->device->group().mutex);
  const WorkOwner& sender = WorkOwnerScope::Current();
  if (!state_->versions.IsChangedBy(sender, sent_version_)) return;
  sent_version_ = state_->versions.NoteSent(sender);
}

absl::StatusOr<HostView> DeviceBuffer::ViewForReading() const {
  return View(/*writes=*/false);
}

absl::StatusOr<HostView> DeviceBuffer::ViewForWriting() const {
  return View(/*writes=*/true);
}

absl::Status DeviceBuffer::HostWait() const {
  if (is_null()) return absl::OkStatus();
  std::vector<PendingWork> pending;
  {
    MutexLock lock(&state_->device->group().mutex);
    for (const AccessNote& note : state_->history.notes()) {
      AddTo(&pending, note);
    }
  }
  for (const PendingWork& work : pending) {
    SYNCLINE_RETURN_IF_ERROR(work.stream->HostWait(work.number)).SetPrepend()
        << state_->ToText() << ": ";
  }
  return absl::OkStatus();
}

absl::Status DeviceBuffer::Release() {
  if (is_null()) return absl::OkStatus();
  {
    MutexLock lock(&state_->device->group().mutex);
    if (state_->host_readers + state_->host_writers > 0) {
      return absl::FailedPreconditionError(absl::StrCat(
          WorkOwnerScope::Current().ToText(), " releases ", state_->ToText(),
          ", of which the host has a view: close the view first."));
    }
  }
  state_->Release();
  state_ = nullptr;
  return absl::OkStatus();
}

}  // namespace syncline::gpu
