#include "framework/memory/allocator_registry.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "framework/base/nearest_names.h"
#include "framework/base/status_macros.h"
#include "framework/config/block_memory_pool.pb.h"
#include "framework/config/syncline_options.pb.h"
#include "framework/memory/allocator.h"
#include "framework/memory/block_memory_pool.h"
#include "framework/memory/unbounded_allocator.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/unknown_field_set.h"

namespace syncline {
namespace {

// Options of another allocator would be in vain. `own` 0: it has none.
absl::Status CheckOptionsAreOf(int own, const SynclineOptions& options) {
  std::vector<const google::protobuf::FieldDescriptor*> given;
  options.GetReflection()->ListFields(options, &given);
  for (const auto* const field : given) {
    if (field->number() == own) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "its options have [", field->full_name(),
        "], which this type of allocator does not read. Remove them, or set "
        "the type that they belong to."));
  }
  // Only a binary graph can have unknown fields: a text with them is not read.
  const google::protobuf::UnknownFieldSet& unknown = options.unknown_fields();
  if (!unknown.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "its options have the field ", unknown.field(0).number(),
        ", which no options type of this binary has. Add the target that "
        "defines it to the deps, or remove it."));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<Allocator>> MakeBlockMemoryPool(
    absl::string_view name, const SynclineOptions& options) {
  SYNCLINE_RETURN_IF_ERROR(
      CheckOptionsAreOf(BlockMemoryPoolOptions::ext.number(), options));
  const BlockMemoryPoolOptions& given =
      options.GetExtension(BlockMemoryPoolOptions::ext);
  BlockMemoryPool::Options pool;
  pool.name = std::string(name);
  pool.storage_type = static_cast<MemoryStorageType>(given.storage_type());
  pool.block_size = given.block_size();
  pool.num_blocks = given.num_blocks();
  return BlockMemoryPool::Create(pool);
}

absl::StatusOr<std::shared_ptr<Allocator>> MakeUnboundedAllocator(
    absl::string_view name, const SynclineOptions& options) {
  SYNCLINE_RETURN_IF_ERROR(CheckOptionsAreOf(0, options));
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
