#include "gpu/stream_core.h"

#include <atomic>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/mutex.h"
#include "framework/base/status_macros.h"
#include "gpu/access_check.h"
#include "gpu/device_buffer.h"
#include "gpu/notice_thread.h"
#include "gpu/submission.h"
#include "gpu/work_owner.h"

namespace syncline::gpu {
namespace {

StreamId AddStreamTo(DeviceGroup* group) {
  MutexLock lock(&group->mutex);
  return group->order.AddStream();
}

std::uint32_t NextNumber() {
  static std::atomic<std::uint32_t> last = 0;
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace

StreamCore::StreamCore(Device* device, StreamHandle handle, bool is_owned,
                       absl::string_view name)
    : device_(device),
      group_(&device->group()),
      handle_(handle),
      is_owned_(is_owned),
      name_(name),
      id_(AddStreamTo(group_)),
      number_(NextNumber()),
      log_entry_(device->work_log().AddStream(name)) {}

std::string StreamCore::ToText() const {
  return absl::StrCat("stream \"", name_, "\" of ", device_->name());
}

// --- Work

absl::Status StreamCore::CheckOpen(absl::string_view work) const {
  if (is_open()) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      WorkOwnerScope::Current().ToText(), " submits \"", work, "\" to ",
      ToText(),
      ", which was destroyed. Keep the stream, or the pool that it "
      "is from, as long as work is submitted to it."));
}

absl::Status StreamCore::CheckFree(absl::string_view work) const {
  if (Submission::Current() == nullptr) return absl::OkStatus();
  return Submission::Current()->Refuse(work, ToText());
}

absl::Status StreamCore::Submit(const char* work,
                                absl::Span<const Access> accesses,
                                WorkReach reach,
                                absl::FunctionRef<absl::Status()> tell_driver) {
  SYNCLINE_RETURN_IF_ERROR(CheckFree(work));
  MutexLock lock(&submit_mutex_);
  SYNCLINE_RETURN_IF_ERROR(CheckOpen(work));
  SYNCLINE_RETURN_IF_ERROR(CheckReachOfAll(work, accesses, reach));
  const Submission submission(work, name_);
  {
    // In one step: of two streams that race, the second one is told.
    MutexLock group_lock(&group_->mutex);
    SYNCLINE_RETURN_IF_ERROR(CheckOrderOfAll(work, accesses));
    NoteAll(work, accesses);
  }
  device_->Add(Device::Count::kWork);
  WorkWatcher* const watcher = WorkOwnerScope::CurrentWatcher();
  if (watcher != nullptr) watcher->BeforeWork(this);
  const absl::Status told = tell_driver();
  if (watcher != nullptr) watcher->AfterWork(this);
  SYNCLINE_RETURN_IF_ERROR(told).SetPrepend()
      << WorkOwnerScope::Current().ToText() << ", \"" << work << "\" on "
      << ToText() << ": ";
  return absl::OkStatus();
}

absl::Status StreamCore::Check(const char* work,
                               absl::Span<const Access> accesses,
                               WorkReach reach) {
  SYNCLINE_RETURN_IF_ERROR(CheckFree(work));
  MutexLock lock(&submit_mutex_);
  SYNCLINE_RETURN_IF_ERROR(CheckOpen(work));
  SYNCLINE_RETURN_IF_ERROR(CheckReachOfAll(work, accesses, reach));
  {
    MutexLock group_lock(&group_->mutex);
    SYNCLINE_RETURN_IF_ERROR(CheckOrderOfAll(work, accesses));
  }
  Lend();
  const Submission submission(work, name_);
  WorkWatcher* const watcher = WorkOwnerScope::CurrentWatcher();
  if (watcher != nullptr) watcher->BeforeWork(this);
  return absl::OkStatus();
}

void StreamCore::Note(const char* work, absl::Span<const Access> accesses) {
  {
    // The driver has the work, so whatever covers its number covers it.
    MutexLock lock(&group_->mutex);
    NoteAll(work, accesses);
  }
  WorkWatcher* const watcher = WorkOwnerScope::CurrentWatcher();
  if (watcher == nullptr || Submission::Current() != nullptr) return;
  MutexLock lock(&submit_mutex_);
  const Submission submission(work, name_);
  if (is_open()) watcher->AfterWork(this);
}

absl::Status StreamCore::RecordTime(absl::FunctionRef<absl::Status()> record) {
  SYNCLINE_RETURN_IF_ERROR(CheckFree("time"));
  MutexLock lock(&submit_mutex_);
  SYNCLINE_RETURN_IF_ERROR(CheckOpen("time"));
  const Submission submission("time", name_);
  return record();
}

absl::Status StreamCore::CheckReachOfAll(const char* work,
                                         absl::Span<const Access> accesses,
                                         WorkReach reach) const {
  for (const Access& access : accesses) {
    SYNCLINE_RETURN_IF_ERROR(CheckReach({this, work}, access, reach));
  }
  return absl::OkStatus();
}

absl::Status StreamCore::CheckOrderOfAll(
    const char* work, absl::Span<const Access> accesses) const {
  for (const Access& access : accesses) {
    SYNCLINE_RETURN_IF_ERROR(CheckOrder({this, work}, access, group_));
  }
  return absl::OkStatus();
}

WorkPosition StreamCore::AddWork() {
  if (last_number_.has_value()) return {id_, *last_number_};
  return group_->order.Add(id_);
}

bool StreamCore::IsKnownHere(WorkPosition position) const {
  return last_number_.has_value() ? group_->order.HostKnows(position)
                                  : group_->order.IsKnown(id_, position);
}

void StreamCore::NoteAll(const char* work, absl::Span<const Access> accesses) {
  const WorkPosition at = AddWork();
  device_->work_log().Note(log_entry_, work, WorkOwnerScope::Current());
  const auto is_ordered = [this](WorkPosition position) {
    group_->mutex.AssertHeld();
    return IsKnownHere(position);
  };
  for (const Access& access : accesses) {
    if (access.writes) {
      access.buffer->versions.NoteWrite(WorkOwnerScope::Current(), work);
    }
    access.buffer->history.Add({.at = at,
                                .writes = access.writes,
                                .stream = shared_from_this(),
                                .owner = WorkOwnerScope::Current(),
                                .work = work},
                               is_ordered);
  }
}

std::uint64_t StreamCore::Now() const {
  MutexLock lock(&group_->mutex);
  if (last_number_.has_value()) return *last_number_;
  return group_->order.Now(id_).number;
}

// --- Waits

absl::StatusOr<std::shared_ptr<const RecordedEvent>> StreamCore::EventForLocked(
    std::uint64_t number) {
  if (last_event_ != nullptr && last_event_->number >= number) {
    return last_event_;
  }
  WorkClock clock;
  {
    MutexLock lock(&group_->mutex);
    if (group_->order.HostKnows({id_, number})) return nullptr;
    clock = group_->order.ClockOf(id_);
  }
  if (!has_handle_) {
    // The last event covers all work of the stream, so its device is in error.
    SYNCLINE_RETURN_IF_ERROR(device_->Health());
    return absl::InternalError(absl::StrCat(
        "the stream has ended, and its last event does not cover work ",
        number));
  }
  const std::uint64_t covered = clock.Of(id_);
  SYNCLINE_ASSIGN_OR_RETURN(
      last_event_, device_->RecordEvent(handle_, covered, std::move(clock)));
  return last_event_;
}

absl::StatusOr<std::shared_ptr<const RecordedEvent>> StreamCore::EventFor(
    std::uint64_t number) {
  SYNCLINE_RETURN_IF_ERROR(CheckFree("event"));
  MutexLock lock(&submit_mutex_);
  const Submission submission("event", name_);
  absl::StatusOr<std::shared_ptr<const RecordedEvent>> event =
      EventForLocked(number);
  if (!is_open()) DropHandle();
  if (event.ok()) return event;
  return StatusBuilder(event.status(), SYNCLINE_LOC).SetPrepend()
         << "No event can be had on " << ToText() << ": ";
}

absl::Status StreamCore::WaitFor(StreamCore* other, std::uint64_t number) {
  if (other == this) return absl::OkStatus();
  if (other->group_ != group_) {
    return absl::InvalidArgumentError(absl::StrCat(
        ToText(), " cannot wait for ", other->ToText(),
        ", which is a device of another kind or of another run. Wait for it "
        "on the host."));
  }
  {
    MutexLock lock(&group_->mutex);
    if (IsKnownHere({other->id_, number})) return absl::OkStatus();
  }
  SYNCLINE_ASSIGN_OR_RETURN(const std::shared_ptr<const RecordedEvent> event,
                            other->EventFor(number));
  if (event == nullptr) return absl::OkStatus();
  MutexLock lock(&submit_mutex_);
  SYNCLINE_RETURN_IF_ERROR(CheckOpen("wait"));
  const Submission submission("wait", name_);
  SYNCLINE_RETURN_IF_ERROR(device_->driver().WaitFor(handle_, event->handle))
          .SetPrepend()
      << ToText() << " cannot wait for " << other->ToText() << ": ";
  device_->Add(Device::Count::kStreamWait);
  MutexLock group_lock(&group_->mutex);
  group_->order.StreamWaits(id_, event->clock);
  return absl::OkStatus();
}

bool StreamCore::IsAfter(const StreamCore& other, std::uint64_t number) const {
  if (other.group_ != group_) return false;
  MutexLock lock(&group_->mutex);
  return IsKnownHere({other.id_, number});
}

void StreamCore::NoteEnded(std::uint64_t number) {
  WorkClock clock;
  clock.Raise({id_, number});
  MutexLock lock(&group_->mutex);
  group_->order.HostWaited(clock);
}

bool StreamCore::HostKnows(std::uint64_t number) const {
  MutexLock lock(&group_->mutex);
  return group_->order.HostKnows({id_, number});
}

absl::Status StreamCore::HostWait(std::uint64_t number) {
  if (HostKnows(number)) return absl::OkStatus();
  absl::StatusOr<std::shared_ptr<const RecordedEvent>> event = EventFor(number);
  if (event.ok() && *event == nullptr) return absl::OkStatus();
  SYNCLINE_RETURN_IF_ERROR(event.ok() ? device_->HostWait(**event)
                                      : event.status())
          .SetPrepend()
      << "the host waits for " << ToText() << ": ";
  return absl::OkStatus();
}

absl::Status StreamCore::HostWaitForAll() {
  SYNCLINE_RETURN_IF_ERROR(CheckFree("wait"));
  WorkClock clock;
  {
    MutexLock lock(&submit_mutex_);
    // Its last event is there, or its device is in error.
    if (!has_handle_) return device_->Health();
    ++num_handle_waits_;
    MutexLock group_lock(&group_->mutex);
    clock = group_->order.ClockOf(id_);
  }
  device_->Add(Device::Count::kHostWait);
  const absl::Status ended = device_->driver().HostWaitForStream(handle_);
  if (ended.ok()) {
    MutexLock lock(&group_->mutex);
    group_->order.HostWaited(clock);
  }
  MutexLock lock(&submit_mutex_);
  --num_handle_waits_;
  const Submission submission("wait", name_);
  if (!is_open()) DropHandle();
  return ended;
}

absl::StatusOr<bool> StreamCore::HasEnded(std::uint64_t number) {
  if (HostKnows(number)) return true;
  SYNCLINE_ASSIGN_OR_RETURN(const std::shared_ptr<const RecordedEvent> event,
                            EventFor(number));
  if (event == nullptr) return true;
  return device_->HasEnded(*event);
}

void StreamCore::NoteOver(std::uint64_t number) {
  std::uint64_t before = over_up_to_.load(std::memory_order_relaxed);
  while (before < number && !over_up_to_.compare_exchange_weak(
                                before, number, std::memory_order_release,
                                std::memory_order_relaxed)) {
  }
}

bool StreamCore::IsOver(std::uint64_t number) {
  if (number <= over_up_to_.load(std::memory_order_acquire)) return true;
  if (HostKnows(number)) return true;
  const absl::StatusOr<std::shared_ptr<const RecordedEvent>> event =
      EventFor(number);
  if (event.ok() && *event == nullptr) return true;
  if (event.ok()) {
    const absl::StatusOr<bool> has_ended =
        device_->driver().HasEnded((*event)->handle);
    if (has_ended.ok() && *has_ended) NoteOver((*event)->number);
    if (has_ended.ok()) return *has_ended;
  }
  // An error of the device is the end of its work; one of this call is none.
  return !device_->Health().ok();
}

// --- The end

StreamCore::~StreamCore() {
  device_->work_log().EndStream(log_entry_);
  MutexLock lock(&submit_mutex_);
  if (has_handle_ && is_owned_) device_->driver().DropStream(handle_);
}

void StreamCore::Close() {
  if (Submission::Current() == nullptr) return CloseNow();
  // The device outlives the stream, also there.
  struct OwnersUntilThen {
    std::shared_ptr<Device> device;
    std::shared_ptr<StreamCore> stream;
  };
  NoticeThread::Post(
      [owners = OwnersUntilThen{device_->Share(), shared_from_this()}] {
        owners.stream->CloseNow();
      });
}

void StreamCore::CloseNow() {
  MutexLock lock(&submit_mutex_);
  if (!is_open()) return;
  const Submission submission("end", name_);
  is_open_.store(false);
  {
    MutexLock group_lock(&group_->mutex);
    // What the handle was given, and is not noted yet, is work before this.
    if (is_lent_.load()) group_->order.Add(id_);
    last_number_ = group_->order.Now(id_).number;
    group_->order.DropStream(id_);
  }
  DropHandle();
}

void StreamCore::DropHandle() {
  if (!has_handle_ || num_handle_waits_ > 0) return;
  // The number of the last work; a closed stream gets no more.
  const absl::StatusOr<std::shared_ptr<const RecordedEvent>> event =
      EventForLocked(Now());
  // Whoever asks for the end of the work tries again.
  if (!event.ok() && device_->Health().ok()) return;
  if (event.ok() && *event != nullptr) device_->KeepLastEvent(id_, *event);
  has_handle_ = false;
  if (is_owned_) device_->driver().DropStream(handle_);
}

}  // namespace syncline::gpu
