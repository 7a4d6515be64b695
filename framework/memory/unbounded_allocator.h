// UnboundedAllocator: takes memory from the machine for each request, as long
// as the machine has some. It serves the first version of an application, and
// memory that is rarely needed; a BlockMemoryPool has a limit and takes nothing
// from the machine during a call.
//
// Thread rule: as Allocator.
// Tested by allocator_test.

#ifndef SYNCLINE_FRAMEWORK_MEMORY_UNBOUNDED_ALLOCATOR_H_
#define SYNCLINE_FRAMEWORK_MEMORY_UNBOUNDED_ALLOCATOR_H_

#include <cstddef>
#include <functional>
#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "framework/base/listener_list.h"
#include "framework/memory/allocator.h"

namespace syncline {

class UnboundedAllocator : public Allocator {
 public:
  explicit UnboundedAllocator(absl::string_view name = "");

  // RESOURCE_EXHAUSTED for what the machine cannot give, UNIMPLEMENTED for a
  // kind of memory that needs a device.
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
  const std::shared_ptr<Heap> heap_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_MEMORY_UNBOUNDED_ALLOCATOR_H_
