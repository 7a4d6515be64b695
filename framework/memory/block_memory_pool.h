// BlockMemoryPool: a fixed number of blocks of one size, taken from the machine
// or a device at the beginning and never again.
//
// One request takes one whole block, however little it asks for. The error of a
// pool without free blocks names those who hold its blocks. So a pool limits
// how many values are in the graph at a time: a source that waits for a block
// (MemoryAvailableCondition) runs as fast as the last users of the blocks give
// them back.
//
// A block may come back while a device still works on it. Work of a device may
// have it at once, and waits on the device; the host gets host and managed
// memory only when that work is over. See memory_blocks.h.
//
// Every page of system memory is touched at the beginning, so that no call
// waits until the machine has found a page. Under the address sanitizer such a
// block may only be touched while it is held, and only as far as was asked for.
//
// Thread rule: as Allocator.
// Tested by allocator_test and pending_blocks_test.

#ifndef SYNCLINE_FRAMEWORK_MEMORY_BLOCK_MEMORY_POOL_H_
#define SYNCLINE_FRAMEWORK_MEMORY_BLOCK_MEMORY_POOL_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "framework/base/listener_list.h"
#include "framework/memory/allocator.h"

namespace syncline {

class MemoryBlocks;

class BlockMemoryPool : public Allocator {
 public:
  struct Options {
    // For messages.
    std::string name;
    MemoryStorageType storage_type = MemoryStorageType::kSystem;
    // See DeviceMemorySources; not for system memory.
    absl::optional<int> dev_id = absl::nullopt;
    // In bytes; at least 1 of each. All blocks together must fit into the
    // memory of the machine or of the device.
    std::size_t block_size = 0;
    std::size_t num_blocks = 0;
  };

  // INVALID_ARGUMENT for options outside of their limits, UNIMPLEMENTED for a
  // kind of memory that needs a device where none is linked in,
  // RESOURCE_EXHAUSTED when there is not so much; errors of the device.
  static absl::StatusOr<std::shared_ptr<BlockMemoryPool>> Create(
      const Options& options);
  // Warns in the log of blocks that are held, and by whom. Their memory stays
  // until they are given back.
  ~BlockMemoryPool() override;

  // INVALID_ARGUMENT for more than a block and for another kind of memory,
  // RESOURCE_EXHAUSTED, with the holders, when no block is free. Allocate() of
  // device memory waits where all free blocks have work pending.
  absl::StatusOr<MemoryBuffer> Allocate(
      std::size_t bytes,
      MemoryStorageType storage_type = MemoryStorageType::kSystem,
      absl::string_view label = "") override;
  absl::StatusOr<MemoryBuffer> AllocateFor(const MemoryUser& user,
                                           std::size_t bytes,
                                           MemoryStorageType storage_type,
                                           absl::string_view label) override;
  bool IsAvailable(std::size_t bytes) const override;
  bool TryReserve(std::size_t bytes, MemoryReservation* reservation) override;
  std::size_t block_size() const override;
  absl::optional<std::size_t> capacity_bytes() const override;
  std::string UseText() const override;
  Listener AddReleaseListener(std::function<void()> released) override;

  MemoryStorageType storage_type() const;
  std::size_t num_blocks() const;
  // Blocks that are neither held nor reserved, as in IsAvailable().
  std::size_t num_available() const;
  // `2 by "camera", 1 without a label, 1 reserved`; "" when all are free.
  std::string HoldersText() const;

 private:
  BlockMemoryPool(absl::string_view name, std::shared_ptr<MemoryBlocks> blocks);
  // Null is the host.
  absl::StatusOr<MemoryBuffer> Take(const MemoryUser* user, std::size_t bytes,
                                    MemoryStorageType kind,
                                    absl::string_view label);

  const std::shared_ptr<MemoryBlocks> blocks_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_MEMORY_BLOCK_MEMORY_POOL_H_
