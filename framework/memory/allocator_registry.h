// Allocator types by name, for graphs that say which allocators they have.
//
//   allocator {
//     name: "frames"
//     type: "BlockMemoryPool"
//     options {
//       [syncline.BlockMemoryPoolOptions.ext] {
//         block_size: 4096 num_blocks: 8
//       }
//     }
//   }
//
// There are "BlockMemoryPool" and "UnboundedAllocator", and in programs with
// //gpu:device_memory "StreamOrderedAllocator" and "RMMAllocator". One more is
// a class with
//
//   static absl::StatusOr<std::shared_ptr<Allocator>> Create(
//       absl::string_view name, const SynclineOptions& options);
//
// and REGISTER_ALLOCATOR(MyAllocator); below it.
//
// Thread rule: free functions, any thread.
// Tested by allocator_test.

#ifndef SYNCLINE_FRAMEWORK_MEMORY_ALLOCATOR_REGISTRY_H_
#define SYNCLINE_FRAMEWORK_MEMORY_ALLOCATOR_REGISTRY_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/base/typed_registry.h"
#include "framework/config/syncline_options.pb.h"
#include "framework/memory/allocator.h"

namespace syncline {

using AllocatorRegistry =
    GlobalFactoryRegistry<absl::StatusOr<std::shared_ptr<Allocator>>,
                          absl::string_view, const SynclineOptions&>;

// The allocator that `type` means inside the package `ns`; "nvidia::gxf::" and
// "holoscan::" may stand before it. NOT_FOUND with the nearest names for an
// unknown type; or what the type says of its options.
absl::StatusOr<std::shared_ptr<Allocator>> MakeAllocator(
    absl::string_view ns, absl::string_view name, absl::string_view type,
    const SynclineOptions& options);

}  // namespace syncline

#define REGISTER_ALLOCATOR(type)                                             \
  REGISTER_FACTORY_FUNCTION_QUALIFIED(                                       \
      ::syncline::AllocatorRegistry, allocator_registration, type,           \
      [](absl::string_view name, const ::syncline::SynclineOptions& options) \
          -> absl::StatusOr<std::shared_ptr<::syncline::Allocator>> {        \
        return type::Create(name, options);                                  \
      })

#endif  // SYNCLINE_FRAMEWORK_MEMORY_ALLOCATOR_REGISTRY_H_
