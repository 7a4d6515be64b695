// StandInDriver: one device of a StandIn, as a DeviceDriver.
//
// What a call can see to be wrong it refuses: addresses of memory that was
// given back, ranges that are too long, handles that are none of this device.
// So mistakes of the code above become statuses that name the work. CUDA finds
// fewer of them, and later.
//
// CUDA's default stream, a null handle, is a stream that waits for all streams
// with flags 0 and that these wait for.
//
// Thread rule: any thread.
// Tested by stand_in_test and stand_in_errors_test.

#ifndef SYNCLINE_GPU_STAND_IN_STAND_IN_DRIVER_H_
#define SYNCLINE_GPU_STAND_IN_STAND_IN_DRIVER_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/base/mutex.h"
#include "gpu/driver.h"
#include "gpu/stand_in/device_memory.h"
#include "gpu/stand_in/stand_in.h"

namespace syncline::gpu {

class StandInDriver : public DeviceDriver {
 public:
  StandInDriver(std::shared_ptr<StandIn> stand_in, int device);
  // Waits until the work of the streams that are left has ended.
  ~StandInDriver() override;

  absl::string_view name() const override { return name_; }
  const DeviceInfo& info() const override { return info_; }

  absl::StatusOr<DriverMemory> TakeMemory(MemoryStorageType kind,
                                          std::size_t bytes,
                                          absl::string_view name) override;
  void GiveMemoryBack(const DriverMemory& memory) override;
  absl::StatusOr<DriverMemory> TakeMemoryAsync(StreamHandle stream,
                                               std::size_t bytes,
                                               absl::string_view name) override;
  absl::Status GiveMemoryBackAsync(StreamHandle stream,
                                   const DriverMemory& memory) override;

  absl::StatusOr<StreamHandle> MakeStream(
      const StreamOptions& options) override;
  void DropStream(StreamHandle stream) override;

  absl::Status Copy(StreamHandle stream, void* to, const void* from,
                    std::size_t bytes, absl::string_view name) override;
  bool ReadsAtOnce(const void* from) override;
  absl::Status Fill(StreamHandle stream, void* to, std::uint8_t value,
                    std::size_t bytes, absl::string_view name) override;
  absl::Status Launch(StreamHandle stream, const Kernel& kernel,
                      const KernelLaunch& launch) override;
  absl::Status CallHost(StreamHandle stream,
                        std::function<void()> function) override;

  absl::StatusOr<EventHandle> MakeEvent(bool has_time) override;
  void DropEvent(EventHandle event) override;
  absl::Status Record(EventHandle event, StreamHandle stream) override;
  absl::Status WaitFor(StreamHandle stream, EventHandle event) override;
  absl::StatusOr<bool> HasEnded(EventHandle event) override;
  absl::StatusOr<std::int64_t> NanosecondsBetween(EventHandle begin,
                                                  EventHandle end) override;

  absl::Status HostWaitForEvent(EventHandle event) override;
  absl::Status HostWaitForStream(StreamHandle stream) override;

  absl::Status Health() override;

 private:
  struct Stream;
  struct MemoryEnd;

  // The memory that a call names.
  struct Place {
    std::shared_ptr<DeviceMemory> memory;  // null: memory of the host
    std::byte* address = nullptr;
    std::size_t offset() const {
      return static_cast<std::size_t>(address - memory->data());
    }
  };

  // `returning` bytes of the limit come back before the memory is used.
  absl::StatusOr<DriverMemory> MapMemory(MemoryStorageType kind,
                                         std::size_t bytes,
                                         absl::string_view name,
                                         std::size_t returning);
  // Marks it as given back. Null if this device has no memory at `data`.
  std::shared_ptr<DeviceMemory> RemoveMemory(std::byte* data);
  absl::StatusOr<Place> FindPlace(const void* address, std::size_t bytes,
                                  absl::string_view name) const;
  // An error for device memory of another device.
  absl::Status CheckNear(const Place& place, absl::string_view kernel) const;
  absl::StatusOr<std::shared_ptr<Stream>> FindStream(StreamHandle handle);
  absl::StatusOr<std::shared_ptr<Stream>> AddStream(
      const StreamOptions& options);
  absl::StatusOr<std::shared_ptr<Stream>> DefaultStream();
  absl::Status Submit(StreamHandle handle, Work work);
  // Makes `stream` and the default stream wait for one another.
  absl::Status FollowDefaultRule(const std::shared_ptr<Stream>& stream);
  absl::Status WaitForAllOf(Stream* waiter, Stream* other);
  int AccountOf(MemoryStorageType kind) const;

  const std::shared_ptr<StandIn> stand_in_;
  const int device_;
  const std::string name_;
  DeviceInfo info_;

  std::atomic<std::uint64_t> num_streams_{0};

  Mutex mutex_;
  std::map<StreamHandle, std::shared_ptr<Stream>> streams_
      ABSL_GUARDED_BY(mutex_);
  std::map<std::byte*, std::shared_ptr<DeviceMemory>> memory_
      ABSL_GUARDED_BY(mutex_);
  // Null until somebody uses it.
  std::shared_ptr<Stream> default_stream_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_STAND_IN_STAND_IN_DRIVER_H_
