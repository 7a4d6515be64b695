// DeviceBuffer: a piece of memory that knows who used it last.
//
//   SYNCLINE_ASSIGN_OR_RETURN(
//       DeviceBuffer image, DeviceBuffer::Allocate(
//           device, MemoryStorageType::kDevice, 640 * 480 * 3, "image"));
//   stream.Launch(kBlur, 640 * 480, params, {Reads(image), Writes(blurred)});
//
// It is a handle; copies share the memory, which goes back where it came from
// with the last of them. Nobody waits for that: the memory goes back together
// with the work that is pending on it (DeviceMemoryStore), and whoever gets it
// next waits, on the device.
//
// Each piece of work declares its accesses. So a buffer knows its last write
// and the reads since, and work that is not ordered after them is an error
// (access_check.h). What the host does with pinned or managed memory it does
// through views, which are checked, too.
//
// Thread rule: a handle, one thread at a time; copies, any thread.
// Tested by device_buffer_test.

#ifndef SYNCLINE_GPU_DEVICE_BUFFER_H_
#define SYNCLINE_GPU_DEVICE_BUFFER_H_

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "gpu/access_history.h"
#include "gpu/buffer_versions.h"
#include "gpu/device.h"
#include "gpu/driver.h"
#include "gpu/work_owner.h"

namespace syncline::gpu {

// Where the memory of buffers goes back to: the device, or a pool.
class DeviceMemoryStore {
 public:
  virtual ~DeviceMemoryStore() = default;
  // `pending` may still use `memory`, which is `device`'s. Called without a
  // lock, on the thread that released the buffer; must not wait.
  virtual void TakeBack(Device& device, const DriverMemory& memory,
                        std::vector<PendingWork> pending) = 0;
  // Whether it hands memory out again: then the checker remembers who used it.
  virtual bool HandsOutAgain() const { return false; }
};

// What all handles of a buffer share. For gpu/.
struct BufferState {
  BufferState(std::shared_ptr<Device> of_device,
              std::shared_ptr<DeviceMemoryStore> of_store, DriverMemory taken,
              std::size_t used, absl::string_view label)
      : device(std::move(of_device)),
        store(std::move(of_store)),
        memory(taken),
        size(used),
        name(label) {}
  ~BufferState();
  BufferState(const BufferState&) = delete;
  BufferState& operator=(const BufferState&) = delete;

  // `buffer "image" (12 bytes)`
  std::string ToText() const;
  // Gives the memory back unless that was done.
  void Release();
  // Whether the host has an address of the memory.
  bool IsSeenByHost() const {
    return memory.storage_type != MemoryStorageType::kDevice;
  }

  // Destroyed last: streams in the history are of this device or of its group.
  const std::shared_ptr<Device> device;
  const std::shared_ptr<DeviceMemoryStore> store;
  const DriverMemory memory;
  const std::size_t size;
  const std::string name;

  // What follows is guarded by the lock of the device's group.
  AccessHistory history;
  BufferVersions versions;
  bool is_released = false;
  WorkOwner released_by;
  int host_readers = 0;
  int host_writers = 0;
};

// What the host sees of pinned or managed memory. As long as it exists, work
// that would change what is seen, or see what the host writes, is an error.
class HostView {
 public:
  HostView() = default;
  // For DeviceBuffer.
  HostView(std::shared_ptr<BufferState> buffer, bool may_write)
      : buffer_(std::move(buffer)), may_write_(may_write) {}
  ~HostView() { Close(); }
  HostView(HostView&& other) noexcept { *this = std::move(other); }
  HostView& operator=(HostView&& other) noexcept;

  absl::Span<const std::byte> bytes() const;
  // REQUIRES: it is a view for writing.
  absl::Span<std::byte> mutable_bytes() const;
  // What the destructor does.
  void Close();

 private:
  std::shared_ptr<BufferState> buffer_;
  bool may_write_ = false;
};

class DeviceBuffer {
 public:
  // No memory.
  DeviceBuffer() = default;
  // Memory straight from the device, of contents that are not defined. On a
  // real device this may wait for all its work: take memory before the work, or
  // from a pool. INVALID_ARGUMENT for 0 bytes and system memory,
  // RESOURCE_EXHAUSTED when there is no more.
  static absl::StatusOr<DeviceBuffer> Allocate(std::shared_ptr<Device> device,
                                               MemoryStorageType kind,
                                               std::size_t bytes,
                                               absl::string_view name);
  // For pools: `bytes` of `memory`, which goes back to `store`. With a stream
  // it is for work of that stream, which is told to wait for `pending`; without
  // one it is for the host, and all of `pending` must have ended. What the pool
  // forgets to say is pending, the checker finds. On an error the caller keeps
  // the memory.
  static absl::StatusOr<DeviceBuffer> HandOut(
      std::shared_ptr<Device> device, std::shared_ptr<DeviceMemoryStore> store,
      const DriverMemory& memory, std::size_t bytes, absl::string_view name,
      StreamCore* stream, absl::Span<const PendingWork> pending);

  bool is_null() const { return state_ == nullptr; }
  // The others: REQUIRES: !is_null().
  std::size_t size() const { return state_->size; }
  MemoryStorageType kind() const { return state_->memory.storage_type; }
  const std::string& name() const { return state_->name; }
  const std::shared_ptr<Device>& device() const { return state_->device; }
  // The address by which the device knows the memory. The host must not touch
  // device memory.
  std::byte* address() const { return state_->memory.data; }

  // What the host may see or change now: FAILED_PRECONDITION for device memory,
  // for work that is pending on it (HostWait() first), and for what was changed
  // since it was sent.
  absl::StatusOr<HostView> ViewForReading() const;
  absl::StatusOr<HostView> ViewForWriting() const;
  // Blocks until all work on it has ended.
  absl::Status HostWait() const;

  // Gives the memory back now, for all handles: what uses it after is an error.
  // FAILED_PRECONDITION as long as the host has a view.
  absl::Status Release();

  // For packets, before they are sent: what is in the buffer now is what its
  // readers are to see by this handle and its copies. If another node changes
  // it in place meanwhile, their accesses are errors. Where the device is not
  // checked, none are.
  void MarkAsSent() const;
  // The same for a handle that was sent before, if the node of the calling
  // thread has changed the buffer last.
  void MarkAsSentOn() const;

  // --- For gpu/
  const std::shared_ptr<BufferState>& state() const { return state_; }
  SentVersion sent_version() const { return sent_version_; }

 private:
  explicit DeviceBuffer(std::shared_ptr<BufferState> state);
  absl::StatusOr<HostView> View(bool writes) const;

  std::shared_ptr<BufferState> state_;
  mutable SentVersion sent_version_;
};

// How a piece of work uses a buffer.
struct Access {
  std::shared_ptr<BufferState> buffer;
  bool writes = false;
  // Of the handle by which it is used; none for work that does not depend on
  // what was in the buffer.
  SentVersion sent_version;
  // The host does nothing until this work has ended, so its views do not
  // matter.
  bool host_waits = false;
};
inline Access Reads(const DeviceBuffer& buffer) {
  return {buffer.state(), false, buffer.sent_version()};
}
// Also for work that reads and writes.
inline Access Writes(const DeviceBuffer& buffer) {
  return {buffer.state(), true, buffer.sent_version()};
}

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_DEVICE_BUFFER_H_
