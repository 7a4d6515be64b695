// StreamOrderedAllocator: device memory in the order of streams.
//
//   stream.  [ allocate ] [ work on it ] [ give back ] ──> for whoever is next
//
// Taking memory and giving it back are pieces of work of streams, so neither
// the host nor other streams wait, and the device may use memory again that it
// has just done with. It goes back on the stream that used it last, or on one
// of the allocator if that is of another device. For the host, Allocate() takes
// memory on a stream of the allocator and waits for it.
//
// What is free the device keeps for the next requests, up to the threshold:
// the rest goes back to the device when the host waits for it.
//
// Thread rule: as Allocator.
// Tested by device_allocators_test.

#ifndef SYNCLINE_GPU_STREAM_ORDERED_ALLOCATOR_H_
#define SYNCLINE_GPU_STREAM_ORDERED_ALLOCATOR_H_

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
#include "gpu/stream.h"

namespace syncline::gpu {

class StreamOrderedAllocator : public Allocator {
 public:
  // By StreamOrderedAllocatorOptions. INVALID_ARGUMENT for sizes that are none,
  // RESOURCE_EXHAUSTED if the device has not the initial size; its errors.
  static absl::StatusOr<std::shared_ptr<Allocator>> Create(
      absl::string_view name, const SynclineOptions& options);
  // REQUIRES: sizes.max > 0. `release_threshold` bytes may be kept free, and as
  // many as the allocator begins with.
  static absl::StatusOr<std::shared_ptr<StreamOrderedAllocator>> Make(
      std::shared_ptr<Device> device, const PoolSizes& sizes,
      absl::string_view name, std::size_t release_threshold = 0);

  // INVALID_ARGUMENT for other kinds of memory and for more than the maximum,
  // RESOURCE_EXHAUSTED, with the holders, when so much is not left.
  absl::StatusOr<MemoryBuffer> Allocate(std::size_t bytes,
                                        MemoryStorageType storage_type,
                                        absl::string_view label = "") override;
  // The same; also INVALID_ARGUMENT for streams of other devices.
  absl::StatusOr<MemoryBuffer> AllocateFor(const MemoryUser& user,
                                           std::size_t bytes,
                                           MemoryStorageType storage_type,
                                           absl::string_view label) override;

  bool IsAvailable(std::size_t bytes) const override;
  bool TryReserve(std::size_t bytes, MemoryReservation* reservation) override;
  absl::optional<std::size_t> capacity_bytes() const override;
  std::string UseText() const override;
  Listener AddReleaseListener(std::function<void()> released) override;

 private:
  class Store;
  StreamOrderedAllocator(absl::string_view name, std::shared_ptr<Store> store);
  absl::StatusOr<MemoryBuffer> Take(const Stream& stream, std::size_t bytes,
                                    MemoryStorageType kind,
                                    absl::string_view label);

  const std::shared_ptr<Store> store_;
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_STREAM_ORDERED_ALLOCATOR_H_
