// Device: one device with what is known about its work.
//
//   Device ──> DeviceDriver     does what it is told
//     │
//     └──────> DeviceGroup      devices of one kind, which can wait for each
//                               other: the order of all their work
//
// A device keeps the events that were used before, and the memory that was
// released while work on it was pending, until that work has ended. It is found
// by name (find_device.h); streams and buffers of it: stream.h,
// device_buffer.h. When it did its work: device_clock.h.
//
// Thread rule: any thread.
// Tested by device_test.

#ifndef SYNCLINE_GPU_DEVICE_H_
#define SYNCLINE_GPU_DEVICE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <typeindex>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/base/mutex.h"
#include "framework/memory/allocator.h"
#include "gpu/access_order.h"
#include "gpu/driver.h"
#include "gpu/host_addresses.h"
#include "gpu/pooled_uses.h"
#include "gpu/work_log.h"

namespace syncline::gpu {

class Device;
class DeviceClock;
class StreamCore;

// Counted since the device was made.
struct DeviceCounters {
  std::int64_t events_recorded = 0;
  // Those that measure time, which are not among the others.
  std::int64_t time_events_recorded = 0;
  // Waits of a stream for an event, of any device, by streams of this one.
  std::int64_t waits_submitted = 0;
  // Waits of the host.
  std::int64_t host_waits = 0;
  // Memory taken from the driver, and given back.
  std::int64_t allocations = 0;
  std::int64_t frees = 0;
  // Kernels, copies, fills and host functions.
  std::int64_t works_submitted = 0;
};

// The devices of one driver.
class DeviceGroup : public std::enable_shared_from_this<DeviceGroup> {
 public:
  // The devices, which together own the group. `check_access`: see Device.
  static std::vector<std::shared_ptr<Device>> Make(
      std::vector<std::unique_ptr<DeviceDriver>> drivers, bool check_access);
  ~DeviceGroup();

  // --- For gpu/
  std::size_t num_devices() const { return devices_.size(); }
  // Held for bookkeeping only; no driver is called under it.
  Mutex mutex;
  AccessOrder order ABSL_GUARDED_BY(mutex);
  // For the checker: memory that lies in pools.
  PooledUses pooled_uses ABSL_GUARDED_BY(mutex);
  // Also for the checker; buffers of checked devices only.
  HostAddresses host_addresses ABSL_GUARDED_BY(mutex);

 private:
  DeviceGroup() = default;

  std::vector<std::unique_ptr<Device>> devices_;
};

// An event that was recorded. It is used again when nobody has it any more.
struct RecordedEvent {
  RecordedEvent(Device* of_device, EventHandle event, std::uint64_t covered,
                WorkClock known)
      : device(of_device),
        handle(event),
        number(covered),
        clock(std::move(known)) {}
  ~RecordedEvent();

  Device* const device;
  const EventHandle handle;
  // The work of its stream up to this one has ended when the event has.
  const std::uint64_t number;
  const WorkClock clock;
};

// All work of a stream up to its `number`-th. Does not keep the device alive.
struct PendingWork {
  std::shared_ptr<StreamCore> stream;
  std::uint64_t number = 0;
};

class Device {
 public:
  // For DeviceGroup.
  Device(DeviceGroup* group, std::unique_ptr<DeviceDriver> driver,
         bool check_access);
  // The group has waited for released memory before.
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  // "stand_in:0"
  absl::string_view name() const { return driver_->name(); }
  const DeviceInfo& info() const { return driver_->info(); }
  // The sticky error, OK if there is none.
  absl::Status Health() { return driver_->Health(); }

  // Whether accesses that nothing orders are errors. Applies to work that is
  // submitted from then on. What is set holds where no graph asks for
  // something else (access_check_request.h).
  bool check_access() const { return checks_access_now_.load(); }
  void set_check_access(bool check) ABSL_LOCKS_EXCLUDED(mutex_);

  DeviceCounters counters() const;

  // Gives released memory back whose work has ended. Happens by itself when
  // memory is taken; for tests and before a report. What it sees is order for
  // nobody: the checker's verdict does not hang on when it looks.
  void GiveEndedMemoryBack();

  // --- For gpu/
  DeviceDriver& driver() { return *driver_; }
  DeviceGroup& group() { return *group_; }
  DeviceClock& clock() { return *clock_; }
  WorkLog& work_log() { return work_log_; }
  // Keeps the device alive. Null while the group is being destroyed.
  std::shared_ptr<Device> Share();
  // Whether its kind has others.
  bool has_siblings() const { return group_->num_devices() > 1; }

  // Counts those who ask for the check, or for none; see AccessCheckRequest.
  void AddCheckRequests(bool check, int number) ABSL_LOCKS_EXCLUDED(mutex_);

  // RESOURCE_EXHAUSTED when the device has no more, also after waiting for the
  // work on released memory.
  absl::StatusOr<DriverMemory> TakeMemory(MemoryStorageType kind,
                                          std::size_t bytes,
                                          absl::string_view name);
  // Takes memory back that may still be used by `pending`.
  void TakeMemoryBack(const DriverMemory& memory,
                      std::vector<PendingWork> pending);
  // Calls `over` without a lock when somebody looks through released memory,
  // at the latest at the end of the device, and the work has ended. For who
  // cannot be told earlier (notices.h).
  void CallWhenSeenOver(std::vector<PendingWork> pending,
                        std::function<void()> over);

  // Records an event on `stream`; `number` and `clock` are what it covers.
  absl::StatusOr<std::shared_ptr<const RecordedEvent>> RecordEvent(
      StreamHandle stream, std::uint64_t number, WorkClock clock);
  void KeepEventForReuse(EventHandle event);
  // An event that measures time, for TimeEvent.
  absl::StatusOr<EventHandle> TakeTimeEvent() ABSL_LOCKS_EXCLUDED(mutex_);
  void KeepTimeEvent(EventHandle event) ABSL_LOCKS_EXCLUDED(mutex_);
  // What the host learns from them is order for all work after.
  absl::StatusOr<bool> HasEnded(const RecordedEvent& event);
  absl::Status HostWait(const RecordedEvent& event);
  // Blocks until released memory has gone back.
  void HostWaitForReleasedMemory();
  // Looks later whether the work of a stream that was dropped has ended, so
  // that its id can be used again.
  void KeepLastEvent(StreamId stream,
                     std::shared_ptr<const RecordedEvent> event);

  // What code above makes for the device when it is first asked for, one object
  // of each type, as T(Device*). It is destroyed before the first device of the
  // group is, and must keep none of them.
  template <typename T>
  std::shared_ptr<T> Attachment() ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    std::shared_ptr<void>& object = attachments_[std::type_index(typeid(T))];
    if (object == nullptr) object = std::make_shared<T>(this);
    return std::static_pointer_cast<T>(object);
  }
  // For the group's end.
  void DropAttachments() ABSL_LOCKS_EXCLUDED(mutex_);

  // Each of them is counted by who does it.
  enum class Count {
    kEvent,
    kTimeEvent,
    kStreamWait,
    kHostWait,
    kAllocation,
    kFree,
    kWork,
    kNumCounts
  };
  void Add(Count what) {
    counts_[static_cast<std::size_t>(what)].fetch_add(
        1, std::memory_order_relaxed);
  }

 private:
  struct ReleasedMemory {
    DriverMemory memory;
    std::vector<PendingWork> pending;
    // Called in place of giving memory back; null for memory.
    std::function<void()> over;
  };
  using Calls = std::vector<std::function<void()>>;

  struct DroppedStream {
    StreamId id;
    std::shared_ptr<const RecordedEvent> last_event;
  };

  // Adds to `calls` what is to be called without a lock.
  void LookForEndedMemory(Calls* calls)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(sweep_mutex_);
  void WaitForReleasedMemory(Calls* calls)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(sweep_mutex_);
  void LookForEndedStreams() ABSL_EXCLUSIVE_LOCKS_REQUIRED(sweep_mutex_);
  void GiveBack(const DriverMemory& memory);
  void GiveBackOrCall(ReleasedMemory one, Calls* calls);
  void DecideCheck() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  DeviceGroup* const group_;
  // The driver asks it.
  WorkLog work_log_;
  const std::unique_ptr<DeviceDriver> driver_;
  std::atomic<bool> checks_access_now_;
  std::atomic<std::int64_t>
      counts_[static_cast<std::size_t>(Count::kNumCounts)] = {};
  std::unique_ptr<DeviceClock> clock_;

  // Held while released memory is looked through, so that no other thread finds
  // the device full while the memory that it could have is on its way back.
  Mutex sweep_mutex_;

  Mutex mutex_;
  bool check_access_ ABSL_GUARDED_BY(mutex_);
  int num_want_check_ ABSL_GUARDED_BY(mutex_) = 0;
  int num_want_no_check_ ABSL_GUARDED_BY(mutex_) = 0;
  std::vector<EventHandle> unused_events_ ABSL_GUARDED_BY(mutex_);
  std::vector<EventHandle> unused_time_events_ ABSL_GUARDED_BY(mutex_);
  std::vector<ReleasedMemory> released_ ABSL_GUARDED_BY(mutex_);
  std::vector<DroppedStream> dropped_streams_ ABSL_GUARDED_BY(mutex_);
  std::map<std::type_index, std::shared_ptr<void>> attachments_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_DEVICE_H_
