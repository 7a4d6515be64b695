#include "framework/memory/unbounded_allocator.h"

#include <atomic>
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
#include "framework/base/aligned_memory.h"
#include "framework/base/listener_list.h"

namespace syncline {

class UnboundedAllocator::Heap : public MemoryStore {
 public:
  // Null when the machine does not have so much.
  std::byte* Take(std::size_t bytes) {
    if (bytes > PhysicalMemoryBytes()) return nullptr;
    constexpr std::size_t kAlignment = 64;
    void* const data = AllocateAligned(bytes, kAlignment);
    if (data != nullptr) bytes_held_ += bytes;
    return static_cast<std::byte*>(data);
  }

  void TakeBack(std::byte* data, std::size_t size) override {
    FreeAligned(data);
    bytes_held_ -= size;
    released_.Notify();
  }

  // Reservations have no units.
  void TakeBackReserved(std::size_t) override {}

  std::size_t bytes_held() const { return bytes_held_; }
  Listener AddReleaseListener(std::function<void()> released) {
    return released_.Add(std::move(released));
  }

 private:
  std::atomic<std::size_t> bytes_held_{0};
  ListenerList released_;
};

UnboundedAllocator::UnboundedAllocator(absl::string_view name)
    : Allocator(name), heap_(std::make_shared<Heap>()) {}

absl::StatusOr<MemoryBuffer> UnboundedAllocator::Allocate(
    std::size_t bytes, MemoryStorageType storage_type,
    absl::string_view label) {
  const auto who = [&] {
    std::string text = "The UnboundedAllocator";
    if (!name().empty()) absl::StrAppend(&text, " \"", name(), "\"");
    if (!label.empty()) absl::StrAppend(&text, ", used by \"", label, "\",");
    return text;
  };
  if (storage_type != MemoryStorageType::kSystem) {
    return CheckSystemMemory(who(), storage_type);
  }
  if (bytes == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(who(), " is asked for 0 bytes. Ask for at least 1."));
  }
  std::byte* const data = heap_->Take(bytes);
  if (data == nullptr) {
    return absl::ResourceExhaustedError(absl::StrCat(
        who(), " is asked for ", bytes, " bytes while it has given ",
        heap_->bytes_held(), ": more than this machine can give."));
  }
  return MemoryBuffer(heap_, data, bytes, storage_type);
}

bool UnboundedAllocator::IsAvailable(std::size_t) const { return true; }

bool UnboundedAllocator::TryReserve(std::size_t,
                                    MemoryReservation* reservation) {
  reservation->Release();
  return true;
}

absl::optional<std::size_t> UnboundedAllocator::capacity_bytes() const {
  return absl::nullopt;
}

Listener UnboundedAllocator::AddReleaseListener(
    std::function<void()> released) {
  return heap_->AddReleaseListener(std::move(released));
}

std::size_t UnboundedAllocator::bytes_held() const {
  return heap_->bytes_held();
}

}  // namespace syncline
