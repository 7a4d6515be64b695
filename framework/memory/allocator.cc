#include "framework/memory/allocator.h"

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/mutex.h"

namespace syncline {

// The scopes of one thread, the innermost last. Another thread may end one.
struct ReservationScope::Thread {
  Mutex mutex;
  std::vector<ReservationScope*> scopes ABSL_GUARDED_BY(mutex);

  // Null until the calling thread has had a scope.
  static std::shared_ptr<Thread>& This() {
    thread_local std::shared_ptr<Thread> thread;
    return thread;
  }
};

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

std::size_t PhysicalMemoryBytes() {
  static const std::size_t bytes = [] {
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page_size = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || page_size <= 0) return std::size_t{1} << 46;
    return static_cast<std::size_t>(pages) * page_size;
  }();
  return bytes;
}

// --- MemoryStore and Allocator

void MemoryStore::TakeBackPending(std::byte* data, std::size_t size,
                                  std::shared_ptr<PendingUse> pending) {
  pending->HostWait();
  TakeBack(data, size);
}

absl::StatusOr<MemoryBuffer> Allocator::AllocateFor(
    const MemoryUser&, std::size_t bytes, MemoryStorageType storage_type,
    absl::string_view label) {
  return Allocate(bytes, storage_type, label);
}

// --- MemoryBuffer

MemoryBuffer& MemoryBuffer::operator=(MemoryBuffer&& other) noexcept {
  if (this == &other) return *this;
  Release();
  store_ = std::move(other.store_);
  data_ = std::exchange(other.data_, nullptr);
  size_ = std::exchange(other.size_, 0);
  storage_type_ = other.storage_type_;
  pending_ = std::move(other.pending_);
  return *this;
}

void MemoryBuffer::Release() {
  if (data_ == nullptr) return;
  const std::shared_ptr<MemoryStore> store = std::move(store_);
  std::byte* const data = std::exchange(data_, nullptr);
  const std::size_t size = std::exchange(size_, 0);
  if (pending_ == nullptr) return store->TakeBack(data, size);
  store->TakeBackPending(data, size, std::move(pending_));
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
    : reservation_(reservation) {
  std::shared_ptr<Thread>& thread = Thread::This();
  if (thread == nullptr) thread = std::make_shared<Thread>();
  thread_ = thread;
  MutexLock lock(&thread_->mutex);
  thread_->scopes.push_back(this);
}

ReservationScope::~ReservationScope() {
  MutexLock lock(&thread_->mutex);
  auto& scopes = thread_->scopes;
  scopes.erase(std::find(scopes.begin(), scopes.end(), this));
}

std::size_t ReservationScope::TakeUnits(const MemoryStore* store,
                                        std::size_t units) {
  Thread* const thread = Thread::This().get();
  if (thread == nullptr) return 0;
  MutexLock lock(&thread->mutex);
  std::size_t taken = 0;
  for (auto scope = thread->scopes.rbegin();
       scope != thread->scopes.rend() && taken < units; ++scope) {
    MemoryReservation* const reservation = (*scope)->reservation_;
    if (reservation->store_.get() != store) continue;
    const std::size_t from_here = std::min(reservation->units_, units - taken);
    reservation->units_ -= from_here;
    taken += from_here;
  }
  return taken;
}

}  // namespace syncline
