// BufferCache: memory of a device that is used again for the next buffers of
// about the same size.
//
//   const auto pixels = BufferCache::Make(device, MemoryStorageType::kDevice);
//   SYNCLINE_ASSIGN_OR_RETURN(DeviceBuffer image,
//                             pixels->TakeFor(stream, bytes, "image"));
//
// Memory straight from a device costs much more than most work on it. So who
// makes a buffer for each packet, one after another, has a cache. It is what
// the calculators of calculators/gpu/ use where a graph names no allocator.
//
// Memory comes back together with the work that is pending on it. Preferred is
// memory for which nobody has to wait; then new memory, up to kMaxWaiting
// pieces that wait for their work. If so many wait, a request takes the oldest
// of them and waits for its work: the device waits if the request is for a
// stream, the host if it is for the host.
//
// The host does not know by itself which work the device has finished. To find
// out it needs an event, and waits a moment for the answer. So when
// kMaxWaiting / 2 pieces wait, the device is asked about those that will be
// wanted some requests later.
//
// Thread rule: any thread. The device is asked without the lock.
// Tested by buffer_cache_test.

#ifndef SYNCLINE_GPU_BUFFER_CACHE_H_
#define SYNCLINE_GPU_BUFFER_CACHE_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "framework/base/mutex.h"
#include "framework/memory/allocator.h"
#include "gpu/device.h"
#include "gpu/device_buffer.h"
#include "gpu/driver.h"
#include "gpu/stream.h"

namespace syncline::gpu {

class BufferCache : public DeviceMemoryStore,
                    public std::enable_shared_from_this<BufferCache> {
 public:
  // Unused pieces that are kept, waiting for their work or not.
  static constexpr std::size_t kMaxWaiting = 8;

  // `kind` is not system memory.
  static std::shared_ptr<BufferCache> Make(std::shared_ptr<Device> device,
                                           MemoryStorageType kind);
  // Buffers may outlive it: they keep it.
  ~BufferCache() override;

  // For work of `stream` from now on, of the device or of one of its group.
  // RESOURCE_EXHAUSTED when the device has no more, INVALID_ARGUMENT for 0
  // bytes. `name` stands for the buffer in messages.
  absl::StatusOr<DeviceBuffer> TakeFor(const Stream& stream, std::size_t bytes,
                                       absl::string_view name);
  // For the host, which may have a view of it at once. Host and managed memory
  // only.
  absl::StatusOr<DeviceBuffer> TakeForHost(std::size_t bytes,
                                           absl::string_view name);

  const std::shared_ptr<Device>& device() const { return device_; }

  void TakeBack(Device& device, const DriverMemory& memory,
                std::vector<PendingWork> pending) override;

 private:
  struct Piece {
    DriverMemory memory;
    std::vector<PendingWork> pending;
    // Which one came back: the memory may come back again with other work.
    std::uint64_t number = 0;
  };

  BufferCache(std::shared_ptr<Device> device, MemoryStorageType kind)
      : device_(std::move(device)), kind_(kind) {}
  // `user` is null for the host.
  absl::StatusOr<DeviceBuffer> Take(const Stream* user, std::size_t bytes,
                                    absl::string_view name);
  absl::optional<Piece> FindUnused(const Stream* user, std::size_t bytes)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // The first of these whose work is over; takes it out. Asks the device, about
  // all of them or only about those that are likely.
  absl::optional<Piece> FindOver(const std::vector<Piece>& pieces, bool all)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Takes this piece out; nothing if somebody else has done so.
  absl::optional<Piece> Remove(const Piece& piece) ABSL_LOCKS_EXCLUDED(mutex_);
  absl::StatusOr<DriverMemory> TakeNew(std::size_t bytes,
                                       absl::string_view name);
  void DropUnused();

  const std::shared_ptr<Device> device_;
  const MemoryStorageType kind_;

  Mutex mutex_;
  // The one that came back first is the first.
  std::deque<Piece> unused_ ABSL_GUARDED_BY(mutex_);
  std::uint64_t num_came_back_ ABSL_GUARDED_BY(mutex_) = 0;
};

// The caches of a node: one for each device and kind, made when it is asked
// for.
class BufferCaches {
 public:
  std::shared_ptr<BufferCache> For(const std::shared_ptr<Device>& device,
                                   MemoryStorageType kind);

 private:
  struct Entry {
    MemoryStorageType kind;
    std::shared_ptr<BufferCache> cache;
  };

  Mutex mutex_;
  std::vector<Entry> entries_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_BUFFER_CACHE_H_
