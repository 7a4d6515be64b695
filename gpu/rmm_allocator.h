// RMMAllocator: device memory and pinned host memory, each from a pool with a
// maximum. A request says which kind it wants.
//
// Idea: memory that comes back is kept as it is, and serves requests of about
// its size (half of it, or more) without the driver. So a graph that has run
// for a while takes nothing from the device any more. Where a pool has no room
// for new memory it lets go of what it keeps: first of memory that no work is
// pending on, else of the oldest, and whoever asks waits for the work on it.
// If the device is full, the pool gives back all that it keeps.
//
// What counts is the size of the pieces: all of a piece is in use as long as
// some of it is, and until the device has it again. So the device never gives a
// pool more than its maximum.
//
// Memory that comes back while work on it is pending serves work of devices at
// once, and the host when that work is over.
//
// MemoryAvailableCondition counts the device memory.
//
// Thread rule: as Allocator.
// Tested by device_allocators_test.

#ifndef SYNCLINE_GPU_RMM_ALLOCATOR_H_
#define SYNCLINE_GPU_RMM_ALLOCATOR_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "framework/base/listener_list.h"
#include "framework/config/syncline_options.pb.h"
#include "framework/memory/allocator.h"
#include "gpu/byte_budget.h"
#include "gpu/device.h"

namespace syncline::gpu {

class RMMAllocator : public Allocator {
 public:
  // By RMMAllocatorOptions. INVALID_ARGUMENT for sizes that are none,
  // RESOURCE_EXHAUSTED if the device has not the initial sizes; its errors.
  static absl::StatusOr<std::shared_ptr<Allocator>> Create(
      absl::string_view name, const SynclineOptions& options);
  // REQUIRES: both have a max > 0.
  static absl::StatusOr<std::shared_ptr<RMMAllocator>> Make(
      std::shared_ptr<Device> device, const PoolSizes& device_memory,
      const PoolSizes& host_memory, absl::string_view name);

  // INVALID_ARGUMENT for system and managed memory and for more than the
  // maximum, RESOURCE_EXHAUSTED, with the holders, when so much is not left.
  absl::StatusOr<MemoryBuffer> Allocate(std::size_t bytes,
                                        MemoryStorageType storage_type,
                                        absl::string_view label = "") override;
  absl::StatusOr<MemoryBuffer> AllocateFor(const MemoryUser& user,
                                           std::size_t bytes,
                                           MemoryStorageType storage_type,
                                           absl::string_view label) override;

  // Of device memory.
  bool IsAvailable(std::size_t bytes) const override;
  bool TryReserve(std::size_t bytes, MemoryReservation* reservation) override;
  absl::optional<std::size_t> capacity_bytes() const override;

  std::string UseText() const override;
  Listener AddReleaseListener(std::function<void()> released) override;

 private:
  class Pool;
  RMMAllocator(absl::string_view name, std::shared_ptr<Pool> device_memory,
               std::shared_ptr<Pool> host_memory);
  // Null is the host.
  absl::StatusOr<MemoryBuffer> Take(const MemoryUser* user, std::size_t bytes,
                                    MemoryStorageType kind,
                                    absl::string_view label);

  const std::shared_ptr<Pool> device_memory_;
  const std::shared_ptr<Pool> host_memory_;
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_RMM_ALLOCATOR_H_
