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
#include "framework/base/listener_list.h"
#include "framework/base/mutex.h"
#include "framework/base/status_macros.h"
#include "framework/memory/memory_source.h"
#include "framework/memory/pending_use.h"

namespace syncline {

class UnboundedAllocator::Heap : public MemoryStore {
 public:
  Heap(std::shared_ptr<MemorySource> source,
       std::shared_ptr<ListenerList> released)
      : source_(std::move(source)), released_(std::move(released)) {}

  absl::StatusOr<std::byte*> Take(std::size_t bytes, absl::string_view label) {
    SYNCLINE_ASSIGN_OR_RETURN(std::byte* const data,
                              source_->Take(bytes, label));
    bytes_held_ += bytes;
    return data;
  }

  void TakeBack(std::byte* data, std::size_t size) override {
    TakeBackPending(data, size, nullptr);
  }
  void TakeBackPending(std::byte* data, std::size_t size,
                       std::shared_ptr<PendingUse> pending) override {
    source_->GiveBack(data, size, std::move(pending));
    bytes_held_ -= size;
    released_->Notify();
  }
  MemorySource* source() const override {
    return source_->storage_type() == MemoryStorageType::kSystem
               ? nullptr
               : source_.get();
  }

  // Reservations have no units.
  void TakeBackReserved(std::size_t) override {}

  std::size_t bytes_held() const { return bytes_held_; }

 private:
  const std::shared_ptr<MemorySource> source_;
  const std::shared_ptr<ListenerList> released_;
  std::atomic<std::size_t> bytes_held_{0};
};

UnboundedAllocator::UnboundedAllocator(absl::string_view name)
    : Allocator(name), released_(std::make_shared<ListenerList>()) {}

absl::StatusOr<std::shared_ptr<UnboundedAllocator::Heap>>
UnboundedAllocator::HeapOf(absl::string_view who, MemoryStorageType kind) {
  {
    MutexLock lock(&mutex_);
    const auto found = heaps_.find(kind);
    if (found != heaps_.end()) return found->second;
  }
  SYNCLINE_ASSIGN_OR_RETURN(std::shared_ptr<MemorySource> source,
                            FindMemorySource(who, kind, absl::nullopt));
  auto heap = std::make_shared<Heap>(std::move(source), released_);
  MutexLock lock(&mutex_);
  return heaps_.try_emplace(kind, std::move(heap)).first->second;
}

absl::StatusOr<MemoryBuffer> UnboundedAllocator::Allocate(
    std::size_t bytes, MemoryStorageType storage_type,
    absl::string_view label) {
  const auto who = [&] {
    std::string text = "The UnboundedAllocator";
    if (!name().empty()) absl::StrAppend(&text, " \"", name(), "\"");
    if (!label.empty()) absl::StrAppend(&text, ", used by \"", label, "\",");
    return text;
  };
  if (bytes == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(who(), " is asked for 0 bytes. Ask for at least 1."));
  }
  SYNCLINE_ASSIGN_OR_RETURN(const std::shared_ptr<Heap> heap,
                            HeapOf(who(), storage_type));
  SYNCLINE_ASSIGN_OR_RETURN(std::byte* const data, heap->Take(bytes, label),
                            _.SetPrepend() << who() << " is asked for " << bytes
                                           << " bytes while it has given "
                                           << bytes_held() << ": ");
  return MemoryBuffer(heap, data, bytes, storage_type);
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
  return released_->Add(std::move(released));
}

std::size_t UnboundedAllocator::bytes_held() const {
  MutexLock lock(&mutex_);
  std::size_t bytes = 0;
  for (const auto& [kind, heap] : heaps_) bytes += heap->bytes_held();
  return bytes;
}

}  // namespace syncline
