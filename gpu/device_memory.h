// The memory of devices for the allocators of framework/memory: pinned memory
// of the host, device memory and managed memory.
//
//   allocator {
//     name: "frames"
//     type: "BlockMemoryPool"
//     options {
//       [syncline.BlockMemoryPoolOptions.ext] {
//         storage_type: DEVICE block_size_text: "8MB" num_blocks: 4
//       }
//     }
//   }
//
// Linking this in makes these kinds known. They come from the device that the
// program has chosen (MemoryDevicesScope), else from the first that there is.
// Calculators take memory by allocate_buffer.h.
//
// Thread rule: any thread.
// Tested by device_memory_test.

#ifndef SYNCLINE_GPU_DEVICE_MEMORY_H_
#define SYNCLINE_GPU_DEVICE_MEMORY_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "framework/memory/memory_source.h"
#include "framework/memory/pending_use.h"
#include "gpu/device.h"
#include "gpu/notices.h"
#include "gpu/stream.h"

namespace syncline::gpu {

// The device of a number among those of the program; without one, the device
// that the program uses.
using FindMemoryDevice = std::function<absl::StatusOr<std::shared_ptr<Device>>(
    absl::optional<int> dev_id)>;

// While it exists, allocators that are made take memory from these devices. The
// innermost counts. For programs that choose their device, and for tests.
class MemoryDevicesScope {
 public:
  explicit MemoryDevicesScope(FindMemoryDevice find);
  // The devices by their places here; the first is the one that is used.
  // REQUIRES: there is one.
  explicit MemoryDevicesScope(std::vector<std::shared_ptr<Device>> devices);
  ~MemoryDevicesScope();
  MemoryDevicesScope(const MemoryDevicesScope&) = delete;
  MemoryDevicesScope& operator=(const MemoryDevicesScope&) = delete;
};

// As that scope says; without one by FindDevice().
absl::StatusOr<std::shared_ptr<Device>> MemoryDevice(
    absl::optional<int> dev_id);

// Work of a stream that takes memory.
class StreamUser : public MemoryUser {
 public:
  explicit StreamUser(Stream stream) : stream_(std::move(stream)) {}
  const Stream& stream() const { return stream_; }

 private:
  const Stream stream_;
};

// Memory of a device.
class DeviceMemorySource : public MemorySource {
 public:
  DeviceMemorySource(std::shared_ptr<Device> device, MemoryStorageType type)
      : device_(std::move(device)), type_(type) {}

  const std::shared_ptr<Device>& device() const { return device_; }
  absl::string_view name() const override { return device_->name(); }
  MemoryStorageType storage_type() const override { return type_; }
  absl::StatusOr<std::byte*> Take(std::size_t bytes,
                                  absl::string_view name) override;
  void GiveBack(std::byte* data, std::size_t bytes,
                std::shared_ptr<PendingUse> pending) override;

  // What is pending on memory of this source; null for nothing.
  std::shared_ptr<PendingUse> MakePending(
      std::vector<PendingWork> pending) const;

 private:
  const std::shared_ptr<Device> device_;
  const MemoryStorageType type_;
  const std::shared_ptr<Notices> notices_ = Notices::Make();
};

// The work in it; none for null. REQUIRES: a DeviceMemorySource has made it.
std::vector<PendingWork> WorkOf(const PendingUse* pending);

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_DEVICE_MEMORY_H_
