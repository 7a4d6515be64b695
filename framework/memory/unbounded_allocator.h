// UnboundedAllocator: takes memory of any kind from the machine, or from the
// device that the program uses, for each request, as long as there is some. It
// serves the first version of an application, and memory that is rarely needed;
// a BlockMemoryPool has a limit and takes nothing during a call. (On a real
// device, taking and giving back may wait for all work of the device.)
//
// Thread rule: as Allocator.
// Tested by allocator_test and pending_blocks_test.

#ifndef SYNCLINE_FRAMEWORK_MEMORY_UNBOUNDED_ALLOCATOR_H_
#define SYNCLINE_FRAMEWORK_MEMORY_UNBOUNDED_ALLOCATOR_H_

#include <cstddef>
#include <functional>
#include <map>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "framework/base/listener_list.h"
#include "framework/base/mutex.h"
#include "framework/memory/allocator.h"

namespace syncline {

class UnboundedAllocator : public Allocator {
 public:
  explicit UnboundedAllocator(absl::string_view name = "");

  // RESOURCE_EXHAUSTED for what there is not, UNIMPLEMENTED for a kind of
  // memory that needs a device where none is linked in; errors of the device.
  absl::StatusOr<MemoryBuffer> Allocate(
      std::size_t bytes,
      MemoryStorageType storage_type = MemoryStorageType::kSystem,
      absl::string_view label = "") override;
  // Always, so a reservation keeps nothing and never fails.
  bool IsAvailable(std::size_t bytes) const override;
  bool TryReserve(std::size_t bytes, MemoryReservation* reservation) override;
  absl::optional<std::size_t> capacity_bytes() const override;
  Listener AddReleaseListener(std::function<void()> released) override;

  // The bytes of all buffers that have not come back.
  std::size_t bytes_held() const;

 private:
  class Heap;
  // The heap of a kind of memory, made when first used.
  absl::StatusOr<std::shared_ptr<Heap>> HeapOf(absl::string_view who,
                                               MemoryStorageType kind);

  const std::shared_ptr<ListenerList> released_;
  mutable Mutex mutex_;
  std::map<MemoryStorageType, std::shared_ptr<Heap>> heaps_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_MEMORY_UNBOUNDED_ALLOCATOR_H_
