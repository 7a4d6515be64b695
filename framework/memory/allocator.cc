#include "framework/memory/allocator.h"

#include <unistd.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace syncline {
namespace {

thread_local ReservationScope* innermost_scope = nullptr;

}  // namespace

std::string MemoryStorageTypeName(MemoryStorageType type) {
  switch (type) {
    case MemoryStorageType::kHost:
      return "host";
    case MemoryStorageType::kDevice:
      return "device";
    case MemoryStorageType::kSystem:
      return "system";
    case MemoryStorageType::kManaged:
      return "managed";
  }
  return absl::StrCat("kind ", static_cast<int>(type));
}

absl::Status CheckSystemMemory(absl::string_view who, MemoryStorageType type) {
  switch (type) {
    case MemoryStorageType::kSystem:
      return absl::OkStatus();
    case MemoryStorageType::kHost:
    case MemoryStorageType::kDevice:
    case MemoryStorageType::kManaged:
      return absl::UnimplementedError(absl::StrCat(
          who, " is asked for ", MemoryStorageTypeName(type),
          " memory, which comes with the GPU build. Ask for system memory."));
  }
  return absl::InvalidArgumentError(absl::StrCat(
      who, " is asked for memory of ", MemoryStorageTypeName(type),
      ", which does not exist. Ask for host (0), device (1), system (2) or "
      "managed (3) memory."));
}

std::size_t PhysicalMemoryBytes() {
  static const std::size_t bytes = [] {
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page_size = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || page_size <= 0) return std::size_t{1} << 46;
    return static_cast<std::size_t>(pages) * page_size;
  }();
  return bytes;
}

// --- MemoryBuffer

MemoryBuffer& MemoryBuffer::operator=(MemoryBuffer&& other) noexcept {
  if (this == &other) return *this;
  Release();
  store_ = std::move(other.store_);
  data_ = std::exchange(other.data_, nullptr);
  size_ = std::exchange(other.size_, 0);
  storage_type_ = other.storage_type_;
  return *this;
}

void MemoryBuffer::Release() {
  if (data_ == nullptr) return;
  const std::shared_ptr<MemoryStore> store = std::move(store_);
  store->TakeBack(std::exchange(data_, nullptr), std::exchange(size_, 0));
}

// --- MemoryReservation

MemoryReservation& MemoryReservation::operator=(
    MemoryReservation&& other) noexcept {
  if (this == &other) return *this;
  Release();
  store_ = std::move(other.store_);
  units_ = std::exchange(other.units_, 0);
  return *this;
}

void MemoryReservation::Release() {
  const std::shared_ptr<MemoryStore> store = std::move(store_);
  const std::size_t units = std::exchange(units_, 0);
  if (store != nullptr && units > 0) store->TakeBackReserved(units);
}

ReservationScope::ReservationScope(MemoryReservation* reservation)
    : reservation_(reservation), outer_(innermost_scope) {
  innermost_scope = this;
}

// Of several conditions of a node, each has a scope around the same call; the
// first to begin may be the first to end.
ReservationScope::~ReservationScope() {
  ReservationScope** link = &innermost_scope;
  while (*link != this) link = &(*link)->outer_;
  *link = outer_;
}

bool ReservationScope::TakeUnit(const MemoryStore* store) {
  for (ReservationScope* scope = innermost_scope; scope != nullptr;
       scope = scope->outer_) {
    MemoryReservation* const reservation = scope->reservation_;
    if (reservation->store_.get() == store && reservation->units_ > 0) {
      --reservation->units_;
      return true;
    }
  }
  return false;
}

}  // namespace syncline
