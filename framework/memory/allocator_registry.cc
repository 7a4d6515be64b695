#include "framework/memory/allocator_registry.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "framework/base/nearest_names.h"
#include "framework/base/status_macros.h"
#include "framework/base/unread_options.h"
#include "framework/config/block_memory_pool.pb.h"
#include "framework/config/syncline_options.pb.h"
#include "framework/memory/allocator.h"
#include "framework/memory/block_memory_pool.h"
#include "framework/memory/memory_size_text.h"
#include "framework/memory/unbounded_allocator.h"

namespace syncline {
namespace {

absl::StatusOr<std::shared_ptr<Allocator>> MakeBlockMemoryPool(
    absl::string_view name, const SynclineOptions& options) {
  SYNCLINE_RETURN_IF_ERROR(CheckOptionsAreRead(
      options, {BlockMemoryPoolOptions::ext.number()}, "allocator"));
  const BlockMemoryPoolOptions& given =
      options.GetExtension(BlockMemoryPoolOptions::ext);
  BlockMemoryPool::Options pool;
  pool.name = std::string(name);
  pool.storage_type = static_cast<MemoryStorageType>(given.storage_type());
  if (given.has_dev_id()) pool.dev_id = given.dev_id();
  pool.block_size = given.block_size();
  if (given.has_block_size_text()) {
    if (given.has_block_size()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "The BlockMemoryPool \"", name,
          "\" has block_size and block_size_text; give one of them."));
    }
    SYNCLINE_ASSIGN_OR_RETURN(
        pool.block_size,
        ParseMemorySize("block_size_text", given.block_size_text()),
        _.SetPrepend() << "The BlockMemoryPool \"" << name << "\": ");
  }
  pool.num_blocks = given.num_blocks();
  return BlockMemoryPool::Create(pool);
}

absl::StatusOr<std::shared_ptr<Allocator>> MakeUnboundedAllocator(
    absl::string_view name, const SynclineOptions& options) {
  SYNCLINE_RETURN_IF_ERROR(CheckOptionsAreRead(options, {}, "allocator"));
  return std::make_shared<UnboundedAllocator>(name);
}

// By functions here: the classes know nothing of configs.
REGISTER_FACTORY_FUNCTION_QUALIFIED(AllocatorRegistry, allocator_registration,
                                    BlockMemoryPool, MakeBlockMemoryPool);
REGISTER_FACTORY_FUNCTION_QUALIFIED(AllocatorRegistry, allocator_registration,
                                    UnboundedAllocator, MakeUnboundedAllocator);

}  // namespace

absl::StatusOr<std::shared_ptr<Allocator>> MakeAllocator(
    absl::string_view ns, absl::string_view name, absl::string_view type,
    const SynclineOptions& options) {
  absl::string_view plain = type;
  if (!absl::ConsumePrefix(&plain, "nvidia::gxf::")) {
    absl::ConsumePrefix(&plain, "holoscan::");
  }
  if (AllocatorRegistry::IsRegistered(ns, plain)) {
    return AllocatorRegistry::CreateByNameInNamespace(ns, plain, name, options);
  }
  return absl::NotFoundError(
      absl::StrCat("The allocator \"", name, "\" has the type \"", type,
                   "\", which is not registered.",
                   DidYouMeanOrKnownText(plain, AllocatorRegistry::Names())));
}

}  // namespace syncline
