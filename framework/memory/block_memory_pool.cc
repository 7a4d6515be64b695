#include "framework/memory/block_memory_pool.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "framework/base/listener_list.h"
#include "framework/base/status_macros.h"
#include "framework/memory/memory_blocks.h"
#include "framework/memory/memory_source.h"
#include "glog/logging.h"

namespace syncline {
namespace {

std::string PoolText(absl::string_view name) {
  return name.empty() ? "The BlockMemoryPool"
                      : absl::StrCat("The BlockMemoryPool \"", name, "\"");
}

}  // namespace

absl::StatusOr<std::shared_ptr<BlockMemoryPool>> BlockMemoryPool::Create(
    const Options& options) {
  const std::string pool = PoolText(options.name);
  SYNCLINE_ASSIGN_OR_RETURN(
      std::shared_ptr<MemorySource> source,
      FindMemorySource(pool, options.storage_type, options.dev_id));
  if (options.block_size == 0 || options.num_blocks == 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        pool, " has ", options.num_blocks, " blocks of ", options.block_size,
        " bytes. Set block_size and num_blocks to at least 1."));
  }
  constexpr std::size_t kAlignment = 64;
  std::size_t stride, total;
  if (__builtin_add_overflow(options.block_size, kAlignment - 1, &stride) ||
      __builtin_mul_overflow(stride &= ~(kAlignment - 1), options.num_blocks,
                             &total)) {
    return absl::InvalidArgumentError(absl::StrCat(
        pool, " has ", options.num_blocks, " blocks of ", options.block_size,
        " bytes, which is more than a number of bytes can be."));
  }
  SYNCLINE_ASSIGN_OR_RETURN(
      std::shared_ptr<MemoryBlocks> blocks,
      MemoryBlocks::Make(std::move(source), options.block_size,
                         options.num_blocks, options.name),
      _.SetAppend() << ". " << pool << " needs " << total << " bytes for "
                    << options.num_blocks << " blocks of " << options.block_size
                    << " bytes. Reduce block_size or num_blocks.");
  return std::shared_ptr<BlockMemoryPool>(
      new BlockMemoryPool(options.name, std::move(blocks)));
}

BlockMemoryPool::BlockMemoryPool(absl::string_view name,
                                 std::shared_ptr<MemoryBlocks> blocks)
    : Allocator(name), blocks_(std::move(blocks)) {}

BlockMemoryPool::~BlockMemoryPool() {
  const std::size_t held = blocks_->num_held();
  if (held == 0) return;
  LOG(WARNING) << PoolText(name()) << " is destroyed while " << held << " of "
               << blocks_->num_blocks()
               << " blocks are held: " << blocks_->HoldersText()
               << ". Their memory stays until they are given back.";
}

absl::StatusOr<MemoryBuffer> BlockMemoryPool::Allocate(
    std::size_t bytes, MemoryStorageType storage_type,
    absl::string_view label) {
  return Take(nullptr, bytes, storage_type, label);
}

absl::StatusOr<MemoryBuffer> BlockMemoryPool::AllocateFor(
    const MemoryUser& user, std::size_t bytes, MemoryStorageType storage_type,
    absl::string_view label) {
  return Take(&user, bytes, storage_type, label);
}

absl::StatusOr<MemoryBuffer> BlockMemoryPool::Take(const MemoryUser* user,
                                                   std::size_t bytes,
                                                   MemoryStorageType kind,
                                                   absl::string_view label) {
  const std::string by =
      label.empty() ? "" : absl::StrCat(" by \"", label, "\"");
  if (kind != storage_type()) {
    const std::string own = MemoryStorageTypeName(storage_type());
    return absl::InvalidArgumentError(absl::StrCat(
        PoolText(name()), " of ", own, " memory is asked", by, " for ",
        MemoryStorageTypeName(kind), " memory. Ask it for ", own,
        " memory, or use another allocator."));
  }
  if (bytes == 0 || bytes > blocks_->block_size()) {
    return absl::InvalidArgumentError(absl::StrCat(
        PoolText(name()), " is asked", by, " for ", bytes,
        " bytes; it gives from 1 byte to one block of ", blocks_->block_size(),
        " bytes. Increase block_size, or ask for less."));
  }
  MemoryBlocks::Taken taken = blocks_->Take(user, bytes, label);
  if (taken.data == nullptr) {
    return absl::ResourceExhaustedError(
        absl::StrCat(PoolText(name()), " has no free block",
                     by.empty() ? "" : " for a request", by, ": of ",
                     blocks_->num_blocks(), " blocks of ",
                     blocks_->block_size(), " bytes, ", blocks_->HoldersText(),
                     ". Increase num_blocks, or let the node wait with a "
                     "MemoryAvailableCondition."));
  }
  MemoryBuffer buffer(blocks_, taken.data, bytes, kind);
  buffer.set_pending(std::move(taken.pending));
  return buffer;
}

bool BlockMemoryPool::IsAvailable(std::size_t bytes) const {
  return blocks_->IsAvailable(blocks_->BlocksFor(bytes));
}

bool BlockMemoryPool::TryReserve(std::size_t bytes,
                                 MemoryReservation* reservation) {
  const std::size_t units = blocks_->BlocksFor(bytes);
  if (!blocks_->Reserve(units)) return false;
  *reservation = MemoryReservation(blocks_, units);
  return true;
}

std::size_t BlockMemoryPool::block_size() const {
  return blocks_->block_size();
}

absl::optional<std::size_t> BlockMemoryPool::capacity_bytes() const {
  return blocks_->block_size() * blocks_->num_blocks();
}

std::string BlockMemoryPool::UseText() const {
  const std::string holders = HoldersText();
  return absl::StrCat("has ", num_available(), " of ", num_blocks(),
                      " blocks free", holders.empty() ? "" : ": ", holders);
}

Listener BlockMemoryPool::AddReleaseListener(std::function<void()> released) {
  return blocks_->AddReleaseListener(std::move(released));
}

MemoryStorageType BlockMemoryPool::storage_type() const {
  return blocks_->storage_type();
}

std::size_t BlockMemoryPool::num_blocks() const {
  return blocks_->num_blocks();
}

std::size_t BlockMemoryPool::num_available() const {
  return blocks_->num_available();
}

std::string BlockMemoryPool::HoldersText() const {
  return blocks_->HoldersText();
}

}  // namespace syncline
