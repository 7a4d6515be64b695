#include "gpu/device.h"

#include <map>
#include <memory>
#include <typeindex>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/mutex.h"
#include "framework/base/status_macros.h"
#include "gpu/device_clock.h"
#include "gpu/stream_core.h"

namespace syncline::gpu {

// --- DeviceGroup

std::vector<std::shared_ptr<Device>> DeviceGroup::Make(
    std::vector<std::unique_ptr<DeviceDriver>> drivers, bool check_access) {
  const std::shared_ptr<DeviceGroup> group(new DeviceGroup);
  std::vector<std::shared_ptr<Device>> devices;
  for (std::unique_ptr<DeviceDriver>& driver : drivers) {
    group->devices_.push_back(
        std::make_unique<Device>(group.get(), std::move(driver), check_access));
    devices.emplace_back(group, group->devices_.back().get());
  }
  return devices;
}

// Memory that waits for work of one device may be that of another.
DeviceGroup::~DeviceGroup() {
  for (const std::unique_ptr<Device>& device : devices_) {
    device->DropAttachments();
  }
  PooledUses uses;  // have streams, and these have events
  {
    MutexLock lock(&mutex);
    std::swap(uses, pooled_uses);
  }
  for (const std::unique_ptr<Device>& device : devices_) {
    device->HostWaitForReleasedMemory();
  }
}

RecordedEvent::~RecordedEvent() { device->KeepEventForReuse(handle); }

// --- Device

Device::Device(DeviceGroup* group, std::unique_ptr<DeviceDriver> driver,
               bool check_access)
    : group_(group),
      driver_(std::move(driver)),
      checks_access_now_(check_access),
      clock_(std::make_unique<DeviceClock>(this)),
      check_access_(check_access) {
  driver_->DescribeWorkBy([this] { return work_log_.ToText(); });
}

Device::~Device() {
  std::vector<DroppedStream> dropped;
  std::vector<ReleasedMemory> released;
  {
    MutexLock lock(&mutex_);
    dropped.swap(dropped_streams_);
    released.swap(released_);
  }
  // No event could be had for it, and now nobody can wait.
  Calls calls;
  for (ReleasedMemory& one : released) GiveBackOrCall(std::move(one), &calls);
  for (const std::function<void()>& call : calls) call();
  released.clear();
  dropped.clear();  // their events come back
  clock_ = nullptr;
  MutexLock lock(&mutex_);
  for (const EventHandle event : unused_events_) driver_->DropEvent(event);
  for (const EventHandle event : unused_time_events_) {
    driver_->DropEvent(event);
  }
}

std::shared_ptr<Device> Device::Share() {
  const std::shared_ptr<DeviceGroup> group = group_->weak_from_this().lock();
  return group == nullptr ? nullptr : std::shared_ptr<Device>(group, this);
}

// --- The check

void Device::set_check_access(bool check) {
  MutexLock lock(&mutex_);
  check_access_ = check;
  DecideCheck();
}

void Device::AddCheckRequests(bool check, int number) {
  MutexLock lock(&mutex_);
  (check ? num_want_check_ : num_want_no_check_) += number;
  DecideCheck();
}

void Device::DecideCheck() {
  checks_access_now_.store(num_want_check_ > 0 ||
                           (num_want_no_check_ == 0 && check_access_));
}

DeviceCounters Device::counters() const {
  const auto count = [this](Count what) {
    return counts_[static_cast<std::size_t>(what)].load(
        std::memory_order_relaxed);
  };
  return {.events_recorded = count(Count::kEvent),
          .time_events_recorded = count(Count::kTimeEvent),
          .waits_submitted = count(Count::kStreamWait),
          .host_waits = count(Count::kHostWait),
          .allocations = count(Count::kAllocation),
          .frees = count(Count::kFree),
          .works_submitted = count(Count::kWork)};
}

void Device::DropAttachments() {
  std::map<std::type_index, std::shared_ptr<void>> dropped;
  MutexLock lock(&mutex_);
  dropped.swap(attachments_);
  MutexUnlock unlock(&mutex_);
  dropped.clear();
}

// --- Memory

absl::StatusOr<DriverMemory> Device::TakeMemory(MemoryStorageType kind,
                                                std::size_t bytes,
                                                absl::string_view name) {
  GiveEndedMemoryBack();
  absl::StatusOr<DriverMemory> memory = driver_->TakeMemory(kind, bytes, name);
  if (absl::IsResourceExhausted(memory.status())) {
    HostWaitForReleasedMemory();
    memory = driver_->TakeMemory(kind, bytes, name);
  }
  if (memory.ok()) Add(Count::kAllocation);
  return memory;
}

void Device::TakeMemoryBack(const DriverMemory& memory,
                            std::vector<PendingWork> pending) {
  {
    // It is in no pool any more.
    MutexLock lock(&group_->mutex);
    group_->pooled_uses.Take(memory.data, memory.size);
  }
  if (pending.empty()) return GiveBack(memory);
  MutexLock lock(&mutex_);
  released_.push_back({memory, std::move(pending), nullptr});
}

void Device::CallWhenSeenOver(std::vector<PendingWork> pending,
                              std::function<void()> over) {
  MutexLock lock(&mutex_);
  released_.push_back({{}, std::move(pending), std::move(over)});
}

void Device::GiveBack(const DriverMemory& memory) {
  Add(Count::kFree);
  driver_->GiveMemoryBack(memory);
}

void Device::GiveBackOrCall(ReleasedMemory one, Calls* calls) {
  if (one.over == nullptr) return GiveBack(one.memory);
  calls->push_back(std::move(one.over));
}

void Device::GiveEndedMemoryBack() {
  if (!sweep_mutex_.TryLock()) return;
  Calls calls;
  LookForEndedMemory(&calls);
  LookForEndedStreams();
  sweep_mutex_.Unlock();
  for (const std::function<void()>& call : calls) call();
}

void Device::LookForEndedMemory(Calls* calls) {
  std::vector<ReleasedMemory> released;
  {
    MutexLock lock(&mutex_);
    released.swap(released_);
  }
  std::erase_if(released, [&](ReleasedMemory& one) {
    std::erase_if(one.pending, [](const PendingWork& work) {
      return work.stream->IsOver(work.number);
    });
    if (!one.pending.empty()) return false;
    GiveBackOrCall(std::move(one), calls);
    return true;
  });
  MutexLock lock(&mutex_);
  for (ReleasedMemory& one : released) released_.push_back(std::move(one));
}

void Device::LookForEndedStreams() {
  std::vector<DroppedStream> dropped;
  {
    MutexLock lock(&mutex_);
    dropped.swap(dropped_streams_);
  }
  std::erase_if(dropped, [this](const DroppedStream& stream) {
    const absl::StatusOr<bool> has_ended =
        driver_->HasEnded(stream.last_event->handle);
    // An error of the device is the end of its work.
    if (has_ended.ok() ? !*has_ended : Health().ok()) return false;
    MutexLock lock(&group_->mutex);
    group_->order.DroppedStreamEnded(stream.id);
    return true;
  });
  MutexLock lock(&mutex_);
  for (DroppedStream& one : dropped) {
    dropped_streams_.push_back(std::move(one));
  }
}

void Device::HostWaitForReleasedMemory() {
  Calls calls;
  {
    MutexLock lock(&sweep_mutex_);
    WaitForReleasedMemory(&calls);
  }
  for (const std::function<void()>& call : calls) call();
}

void Device::WaitForReleasedMemory(Calls* calls) {
  std::vector<ReleasedMemory> released;
  {
    MutexLock lock(&mutex_);
    released.swap(released_);
  }
  for (ReleasedMemory& one : released) {
    std::erase_if(one.pending, [](const PendingWork& work) {
      return work.stream->HostWait(work.number).ok() ||
             work.stream->IsOver(work.number);
    });
    if (one.pending.empty()) {
      GiveBackOrCall(std::move(one), calls);
    } else {
      // The driver refused an event: later.
      MutexLock lock(&mutex_);
      released_.push_back(std::move(one));
    }
  }
}

// --- Events

absl::StatusOr<std::shared_ptr<const RecordedEvent>> Device::RecordEvent(
    StreamHandle stream, std::uint64_t number, WorkClock clock) {
  EventHandle handle = nullptr;
  {
    MutexLock lock(&mutex_);
    if (!unused_events_.empty()) {
      handle = unused_events_.back();
      unused_events_.pop_back();
    }
  }
  if (handle == nullptr) {
    SYNCLINE_ASSIGN_OR_RETURN(handle, driver_->MakeEvent(/*has_time=*/false));
  }
  auto event = std::make_shared<const RecordedEvent>(this, handle, number,
                                                     std::move(clock));
  SYNCLINE_RETURN_IF_ERROR(driver_->Record(handle, stream));
  Add(Count::kEvent);
  return event;
}

void Device::KeepEventForReuse(EventHandle event) {
  MutexLock lock(&mutex_);
  unused_events_.push_back(event);
}

absl::StatusOr<EventHandle> Device::TakeTimeEvent() {
  {
    MutexLock lock(&mutex_);
    if (!unused_time_events_.empty()) {
      const EventHandle handle = unused_time_events_.back();
      unused_time_events_.pop_back();
      return handle;
    }
  }
  return driver_->MakeEvent(/*has_time=*/true);
}

void Device::KeepTimeEvent(EventHandle event) {
  MutexLock lock(&mutex_);
  unused_time_events_.push_back(event);
}

absl::StatusOr<bool> Device::HasEnded(const RecordedEvent& event) {
  SYNCLINE_ASSIGN_OR_RETURN(const bool has_ended,
                            driver_->HasEnded(event.handle));
  if (has_ended) {
    MutexLock lock(&group_->mutex);
    group_->order.HostWaited(event.clock);
  }
  return has_ended;
}

absl::Status Device::HostWait(const RecordedEvent& event) {
  Add(Count::kHostWait);
  SYNCLINE_RETURN_IF_ERROR(driver_->HostWaitForEvent(event.handle));
  MutexLock lock(&group_->mutex);
  group_->order.HostWaited(event.clock);
  return absl::OkStatus();
}

void Device::KeepLastEvent(StreamId stream,
                           std::shared_ptr<const RecordedEvent> event) {
  MutexLock lock(&mutex_);
  dropped_streams_.push_back({stream, std::move(event)});
}

}  // namespace syncline::gpu
