// Allocator: gives calculators large pieces of memory, so that the amount and
// the kind of memory are decided in one place and not in every calculator.
//
//   absl::StatusOr<MemoryBuffer> image =
//       pool->Allocate(640 * 480 * 3, MemoryStorageType::kSystem, "camera");
//   if (!image.ok()) return image.status();
//   std::memcpy(image->data(), frame, image->size());
//
//   BlockMemoryPool      a fixed number of blocks, all taken at the beginning
//   UnboundedAllocator   whatever the machine or the device has
//
// They give memory of the machine and of devices (memory_source.h). Memory of a
// device may be given back while work on it is pending (pending_use.h). Work of
// devices takes it by gpu/allocate_buffer.h.
//
// A buffer is a handle that gives its memory back when it is destroyed, on any
// thread, and may outlive its allocator. Since nothing else gives memory back,
// no pointer can be given back twice or to the wrong allocator.
//
// RESERVATIONS. A pool that had a free block a moment ago may have none when
// the next request comes. A reservation sets memory aside, and requests of a
// thread in the scope of a reservation take this memory first:
//
//   MemoryReservation reservation;
//   if (!pool->TryReserve(2 * pool->block_size(), &reservation)) return kWait;
//   ...
//   ReservationScope scope(&reservation);
//   pool->Allocate(...);                  // cannot find the pool empty
//
// Thread rule: an allocator, from any thread; a buffer or a reservation, by one
// thread at a time. No function is called under a lock.
// Tested by allocator_test.

#ifndef SYNCLINE_FRAMEWORK_MEMORY_ALLOCATOR_H_
#define SYNCLINE_FRAMEWORK_MEMORY_ALLOCATOR_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "framework/base/listener_list.h"
#include "framework/memory/pending_use.h"

namespace syncline {

// The numbers are those of GXF and Holoscan.
enum class MemoryStorageType {
  kHost = 0,     // the machine's, locked, for transfers to and from a device
  kDevice = 1,   // a device's
  kSystem = 2,   // the machine's
  kManaged = 3,  // moves between machine and device by itself
};

// "host", "device", "system", "managed"; for other numbers "kind 7".
std::string MemoryStorageTypeName(MemoryStorageType type);

// The memory of the machine, in bytes: no request can be greater. 2^46 where
// the machine does not say.
std::size_t PhysicalMemoryBytes();

class MemorySource;

// What an allocator and its buffers share: where memory goes back to.
class MemoryStore {
 public:
  virtual ~MemoryStore() = default;
  virtual void TakeBack(std::byte* data, std::size_t size) = 0;
  // The same for memory that `pending` may still use. Here: waits for it.
  virtual void TakeBackPending(std::byte* data, std::size_t size,
                               std::shared_ptr<PendingUse> pending);
  // Where the memory is from. Null: not from a device.
  virtual MemorySource* source() const { return nullptr; }
  // Ends the reservation of `units`: of blocks, each of which serves one
  // request, or of bytes where blocks have one byte.
  virtual void TakeBackReserved(std::size_t units) = 0;
};

// A piece of memory with one owner. An empty buffer has null data and size 0.
class MemoryBuffer {
 public:
  MemoryBuffer() = default;
  // For allocators: the buffer gives `data` back to `store`.
  MemoryBuffer(std::shared_ptr<MemoryStore> store, std::byte* data,
               std::size_t size, MemoryStorageType storage_type)
      : store_(std::move(store)),
        data_(data),
        size_(size),
        storage_type_(storage_type) {}
  ~MemoryBuffer() { Release(); }
  MemoryBuffer(MemoryBuffer&& other) noexcept { *this = std::move(other); }
  MemoryBuffer& operator=(MemoryBuffer&& other) noexcept;

  // Aligned to 64, contents undefined at first.
  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }
  // The number of bytes that was asked for.
  std::size_t size() const { return size_; }
  MemoryStorageType storage_type() const { return storage_type_; }
  bool empty() const { return data_ == nullptr; }

  // Where it is from. Null: not from a device, or empty.
  MemorySource* source() const {
    return store_ == nullptr ? nullptr : store_->source();
  }
  // Work that may still use the memory, null for none: for whoever got the
  // buffer by AllocateFor(), and for whoever gets the memory next.
  const std::shared_ptr<PendingUse>& pending() const { return pending_; }
  void set_pending(std::shared_ptr<PendingUse> pending) {
    pending_ = std::move(pending);
  }

  // Gives the memory back now.
  void Release();

 private:
  std::shared_ptr<MemoryStore> store_;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  MemoryStorageType storage_type_ = MemoryStorageType::kSystem;
  std::shared_ptr<PendingUse> pending_;
};

// Memory that an allocator keeps for the owner of this object. The destructor
// gives back what was not used.
class MemoryReservation {
 public:
  MemoryReservation() = default;
  // For allocators.
  MemoryReservation(std::shared_ptr<MemoryStore> store, std::size_t units)
      : store_(std::move(store)), units_(units) {}
  ~MemoryReservation() { Release(); }
  MemoryReservation(MemoryReservation&& other) noexcept {
    *this = std::move(other);
  }
  MemoryReservation& operator=(MemoryReservation&& other) noexcept;

  // Blocks that it still gives, or bytes.
  std::size_t units() const { return units_; }
  void Release();

 private:
  friend class ReservationScope;
  std::shared_ptr<MemoryStore> store_;
  std::size_t units_ = 0;
};

// While it exists, allocations of this thread are served from `reservation`,
// and, when that is used up, from the reservation of the scope before it.
// `reservation` must outlive it. A scope ends on the thread on which it began,
// before or after other scopes.
class ReservationScope {
 public:
  explicit ReservationScope(MemoryReservation* reservation);
  ~ReservationScope();
  ReservationScope(const ReservationScope&) = delete;
  ReservationScope& operator=(const ReservationScope&) = delete;

  // For allocators: takes one unit from a reservation of `store` that is in
  // scope on this thread, and gives it to the caller. False if there is none.
  static bool TakeUnit(const MemoryStore* store) {
    return TakeUnits(store, 1) == 1;
  }
  // The same for up to `units`; how many there were.
  static std::size_t TakeUnits(const MemoryStore* store, std::size_t units);

 private:
  struct Thread;

  MemoryReservation* const reservation_;
  // The thread that made the scope.
  std::shared_ptr<Thread> thread_;
};

class Allocator {
 public:
  // `name` is for messages; may be empty.
  explicit Allocator(absl::string_view name) : name_(name) {}
  virtual ~Allocator() = default;
  Allocator(const Allocator&) = delete;
  Allocator& operator=(const Allocator&) = delete;

  // INVALID_ARGUMENT for 0 bytes and for what this allocator can never give,
  // RESOURCE_EXHAUSTED for what it cannot give now. `label` says in messages
  // who holds the buffer.
  virtual absl::StatusOr<MemoryBuffer> Allocate(
      std::size_t bytes,
      MemoryStorageType storage_type = MemoryStorageType::kSystem,
      absl::string_view label = "") = 0;
  // The same for work of a device. It may get memory on which other work is
  // pending, and has to come after that. Here: as Allocate().
  virtual absl::StatusOr<MemoryBuffer> AllocateFor(
      const MemoryUser& user, std::size_t bytes, MemoryStorageType storage_type,
      absl::string_view label);

  // Whether so many bytes are neither held nor reserved. Memory that the host
  // can see counts once work on it is over; device memory counts at once, since
  // only other work uses it. Another thread may
  // take them the next moment: to rely on them, reserve them.
  virtual bool IsAvailable(std::size_t bytes) const = 0;
  // Reserves so many bytes, in whole blocks. False, and nothing happens, if
  // they are not available.
  virtual bool TryReserve(std::size_t bytes,
                          MemoryReservation* reservation) = 0;

  // The bytes that one request takes; 1 if it takes exactly what it asks for.
  virtual std::size_t block_size() const { return 1; }
  // The bytes that can be available at most; absent for no limit.
  virtual absl::optional<std::size_t> capacity_bytes() const = 0;
  // For reports: who holds the memory, as `has 0 of 2 blocks free: 2 by
  // "camera"`; empty where that is not known.
  virtual std::string UseText() const { return ""; }
  // Calls `released` whenever memory or a reservation has come back, on the
  // thread that gave it back, and after a refusal also when work on such memory
  // is over.
  virtual Listener AddReleaseListener(std::function<void()> released) = 0;

  const std::string& name() const { return name_; }

 private:
  const std::string name_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_MEMORY_ALLOCATOR_H_
