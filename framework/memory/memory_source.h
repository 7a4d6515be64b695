// MemorySource: where allocators take their memory from, in large pieces: the
// machine, or a device.
//
//   SYNCLINE_ASSIGN_OR_RETURN(
//       const std::shared_ptr<MemorySource> source,
//       FindMemorySource("The pool", MemoryStorageType::kDevice, dev_id));
//   SYNCLINE_ASSIGN_OR_RETURN(std::byte* const data,
//                             source->Take(4096, "frames"));
//   ...
//   source->GiveBack(data, 4096, pending);
//
// System memory is always there. The other kinds are a device's: gpu/ registers
// them where it is linked in, and the allocators stay the same.
//
// Thread rule: any thread.
// Tested by pending_blocks_test.

#ifndef SYNCLINE_FRAMEWORK_MEMORY_MEMORY_SOURCE_H_
#define SYNCLINE_FRAMEWORK_MEMORY_MEMORY_SOURCE_H_

#include <cstddef>
#include <functional>
#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "framework/memory/allocator.h"
#include "framework/memory/pending_use.h"

namespace syncline {

class MemorySource {
 public:
  virtual ~MemorySource() = default;

  // For messages: "stand_in:0"; of system memory, "this machine".
  virtual absl::string_view name() const = 0;
  virtual MemoryStorageType storage_type() const = 0;

  // Aligned to 64, of contents that are not defined. `name` stands for the
  // memory in messages. RESOURCE_EXHAUSTED when there is not so much.
  virtual absl::StatusOr<std::byte*> Take(std::size_t bytes,
                                          absl::string_view name) = 0;
  // `pending` may use the memory until it is over; null: nothing does. Does not
  // wait.
  virtual void GiveBack(std::byte* data, std::size_t bytes,
                        std::shared_ptr<PendingUse> pending) = 0;
};

// Makes sources of host, device and managed memory. Without a `dev_id`, that of
// the device which the program has chosen; else of this device, of the same
// kind.
using DeviceMemorySources =
    std::function<absl::StatusOr<std::shared_ptr<MemorySource>>(
        MemoryStorageType type, absl::optional<int> dev_id)>;

// Registers them while it exists: one static object, in gpu/.
class DeviceMemorySourcesRegistration {
 public:
  explicit DeviceMemorySourcesRegistration(DeviceMemorySources sources);
  ~DeviceMemorySourcesRegistration();
  DeviceMemorySourcesRegistration(const DeviceMemorySourcesRegistration&) =
      delete;
  DeviceMemorySourcesRegistration& operator=(
      const DeviceMemorySourcesRegistration&) = delete;
};

// UNIMPLEMENTED for memory of devices where no device is linked in,
// INVALID_ARGUMENT for numbers that are no kind, else what the device says.
// `who` begins the message.
absl::StatusOr<std::shared_ptr<MemorySource>> FindMemorySource(
    absl::string_view who, MemoryStorageType type, absl::optional<int> dev_id);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_MEMORY_MEMORY_SOURCE_H_
