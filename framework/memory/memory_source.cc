#include "framework/memory/memory_source.h"

#include <cstddef>
#include <memory>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "framework/base/aligned_memory.h"
#include "framework/base/mutex.h"
#include "framework/base/no_destructor.h"
#include "framework/base/status_macros.h"

namespace syncline {
namespace {

class Machine : public MemorySource {
 public:
  absl::string_view name() const override { return "this machine"; }
  MemoryStorageType storage_type() const override {
    return MemoryStorageType::kSystem;
  }

  absl::StatusOr<std::byte*> Take(std::size_t bytes,
                                  absl::string_view) override {
    constexpr std::size_t kAlignment = 64;
    void* const data = bytes > PhysicalMemoryBytes()
                           ? nullptr
                           : AllocateAligned(bytes, kAlignment);
    if (data != nullptr) return static_cast<std::byte*>(data);
    return absl::ResourceExhaustedError("more than this machine can give");
  }

  void GiveBack(std::byte* data, std::size_t,
                std::shared_ptr<PendingUse> pending) override {
    // Only a device of a foreign kind could be at work here.
    if (pending != nullptr) pending->HostWait();
    FreeAligned(data);
  }
};

struct Registered {
  Mutex mutex;
  DeviceMemorySources sources ABSL_GUARDED_BY(mutex);
};

Registered& TheRegistered() {
  static NoDestructor<Registered> registered;
  return *registered;
}

absl::StatusOr<std::shared_ptr<MemorySource>> FindDeviceMemory(
    absl::string_view who, MemoryStorageType type, absl::optional<int> dev_id) {
  DeviceMemorySources sources;
  {
    MutexLock lock(&TheRegistered().mutex);
    sources = TheRegistered().sources;
  }
  if (sources == nullptr) {
    return absl::UnimplementedError(absl::StrCat(
        who, " is asked for ", MemoryStorageTypeName(type),
        " memory, which comes with the GPU build. Ask for system memory, or "
        "link //gpu:device_memory into the program."));
  }
  SYNCLINE_ASSIGN_OR_RETURN(
      std::shared_ptr<MemorySource> source, sources(type, dev_id),
      _.SetPrepend() << who << " is asked for " << MemoryStorageTypeName(type)
                     << " memory: ");
  return source;
}

}  // namespace

DeviceMemorySourcesRegistration::DeviceMemorySourcesRegistration(
    DeviceMemorySources sources) {
  MutexLock lock(&TheRegistered().mutex);
  TheRegistered().sources = std::move(sources);
}

DeviceMemorySourcesRegistration::~DeviceMemorySourcesRegistration() {
  MutexLock lock(&TheRegistered().mutex);
  TheRegistered().sources = nullptr;
}

absl::StatusOr<std::shared_ptr<MemorySource>> FindMemorySource(
    absl::string_view who, MemoryStorageType type, absl::optional<int> dev_id) {
  switch (type) {
    case MemoryStorageType::kSystem:
      return std::make_shared<Machine>();
    case MemoryStorageType::kHost:
    case MemoryStorageType::kDevice:
    case MemoryStorageType::kManaged:
      return FindDeviceMemory(who, type, dev_id);
  }
  return absl::InvalidArgumentError(absl::StrCat(
      who, " is asked for memory of ", MemoryStorageTypeName(type),
      ", which does not exist. Ask for host (0), device (1), system (2) or "
      "managed (3) memory."));
}

}  // namespace syncline
