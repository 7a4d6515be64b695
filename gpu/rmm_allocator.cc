#include "gpu/rmm_allocator.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/cond_var.h"
#include "framework/base/mutex.h"
#include "framework/base/status_macros.h"
#include "framework/base/unread_options.h"
#include "framework/memory/allocator_registry.h"
#include "glog/logging.h"
#include "gpu/device_allocators.pb.h"
#include "gpu/device_memory.h"

namespace syncline::gpu {
namespace {

std::string RmmText(absl::string_view name) {
  return absl::StrCat("The RMMAllocator \"", name, "\"");
}

}  // namespace

// The pool of one kind of memory; lives as long as its memory.
class RMMAllocator::Pool : public MemoryStore {
 public:
  // As it was taken from the device.
  struct Piece {
    std::byte* data = nullptr;
    std::size_t size = 0;
    std::shared_ptr<PendingUse> pending;
  };

  Pool(std::shared_ptr<Device> device, MemoryStorageType kind, std::size_t max)
      : source_(std::move(device), kind), budget_(max) {}
  ~Pool() override {
    // Whoever drops the pool does not wait for work.
    for (Piece& piece : kept_) {
      source_.GiveBack(piece.data, piece.size, std::move(piece.pending));
    }
  }

  ByteBudget& budget() { return budget_; }

  // The device has so much; it is kept until it is used or in the way.
  absl::Status Begin(std::size_t bytes, absl::string_view name) {
    if (bytes == 0) return absl::OkStatus();
    SYNCLINE_ASSIGN_OR_RETURN(std::byte* const data, source_.Take(bytes, name));
    MutexLock lock(&mutex_);
    kept_.push_back({data, bytes, nullptr});
    total_ += bytes;
    return absl::OkStatus();
  }

  // A piece of `bytes` or more, which are taken from the budget already; for
  // more it takes the rest. `pending` is what its user comes after.
  absl::StatusOr<Piece> Take(const MemoryUser* user, std::size_t bytes,
                             absl::string_view label) {
    Piece piece = TakeKept(user, bytes);
    if (piece.data != nullptr) return piece;
    MakeRoomFor(bytes);
    absl::StatusOr<std::byte*> data = source_.Take(bytes, label);
    if (absl::IsResourceExhausted(data.status())) {
      // The device is full, perhaps of what nobody uses.
      LetGoWhile([] { return true; });
      data = source_.Take(bytes, label);
    }
    if (!data.ok()) {
      SubtractFromTotal(bytes);
      return data.status();
    }
    MutexLock lock(&mutex_);
    size_of_[*data] = bytes;
    return Piece{*data, bytes, nullptr};
  }

  void TakeBack(std::byte* data, std::size_t size) override {
    TakeBackPending(data, size, nullptr);
  }
  void TakeBackPending(std::byte* data, std::size_t,
                       std::shared_ptr<PendingUse> pending) override {
    // Before others can have it; and its bytes are free when it is kept, so
    // that what is kept makes room for them.
    const std::size_t bytes = budget_.Unhold(data);
    {
      MutexLock lock(&mutex_);
      const auto found = size_of_.find(data);
      kept_.push_back({data, found->second, std::move(pending)});
      size_of_.erase(found);
    }
    budget_.Untake(bytes);
    budget_.released().Notify();
  }
  void TakeBackReserved(std::size_t bytes) override {
    budget_.Unreserve(bytes);
    budget_.released().Notify();
  }
  MemorySource* source() const override { return &source_; }

 private:
  static bool FitsWell(const Piece& piece, std::size_t bytes) {
    return piece.size >= bytes && piece.size / 2 <= bytes;
  }

  // A kept piece for so many bytes. Null data if there is none. Prefers what
  // needs no wait; the host gets nothing else.
  Piece TakeKept(const MemoryUser* user, std::size_t bytes)
      ABSL_LOCKS_EXCLUDED(mutex_) {
    std::vector<Piece> fitting;
    {
      MutexLock lock(&mutex_);
      std::copy_if(
          kept_.begin(), kept_.end(), std::back_inserter(fitting),
          [bytes](const Piece& piece) { return FitsWell(piece, bytes); });
    }
    // The device is asked without the lock.
    const auto rest = std::stable_partition(
        fitting.begin(), fitting.end(), [user](const Piece& piece) {
          return piece.pending == nullptr || piece.pending->IsOver(user);
        });
    for (auto at = fitting.begin(); at != fitting.end(); ++at) {
      const bool is_over = at < rest;
      if (!is_over && user == nullptr) break;
      if (!TakeOut(*at, bytes)) continue;
      if (is_over && user == nullptr) at->pending = nullptr;
      return *at;
    }
    return {};
  }

  // False if somebody else has taken it, or if the budget has not what it is
  // larger than `bytes`: then it is in the way, and a smaller one is taken.
  bool TakeOut(const Piece& piece, std::size_t bytes)
      ABSL_LOCKS_EXCLUDED(mutex_) {
    if (!budget_.TryTake(piece.size - bytes)) return false;
    {
      MutexLock lock(&mutex_);
      if (EraseKept(piece)) {
        size_of_[piece.data] = piece.size;
        return true;
      }
    }
    budget_.Untake(piece.size - bytes);
    return false;
  }

  // False if somebody else has taken it: the memory may be back with other
  // work.
  bool EraseKept(const Piece& piece) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    const auto found =
        std::find_if(kept_.begin(), kept_.end(), [&](const Piece& other) {
          return other.data == piece.data && other.pending == piece.pending;
        });
    if (found == kept_.end()) return false;
    kept_.erase(found);
    return true;
  }

  // Counts `bytes` that are within the budget, and lets go of kept pieces as
  // long as all together are above the maximum. What is out is within the
  // budget, so on return all together are within the maximum.
  void MakeRoomFor(std::size_t bytes) ABSL_LOCKS_EXCLUDED(mutex_) {
    {
      MutexLock lock(&mutex_);
      total_ += bytes;
    }
    LetGoWhile([this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      return total_ > budget_.max();
    });
  }

  // Lets go of kept pieces, one after the other, as long as the condition is
  // true, which it asks under the lock. Where all are on their way back already
  // it waits until they are.
  template <typename Condition>
  void LetGoWhile(const Condition& condition) ABSL_LOCKS_EXCLUDED(mutex_) {
    for (;;) {
      std::vector<Piece> kept;
      {
        MutexLock lock(&mutex_);
        while (condition() && kept_.empty() && num_let_go_ > 0) {
          changed_.Wait(&mutex_);
        }
        if (!condition() || kept_.empty()) return;
        kept = kept_;
      }
      // The device is asked without the lock. Without a wait, if one can be had
      // so.
      const auto over =
          std::find_if(kept.begin(), kept.end(), [](const Piece& piece) {
            return piece.pending == nullptr || piece.pending->IsOver(nullptr);
          });
      LetGo(over == kept.end() ? kept.front() : *over);
    }
  }

  // The device has its memory when this returns: work on it is waited for.
  void LetGo(const Piece& piece) ABSL_LOCKS_EXCLUDED(mutex_) {
    {
      MutexLock lock(&mutex_);
      if (!EraseKept(piece)) return;
      ++num_let_go_;
    }
    if (piece.pending != nullptr) piece.pending->HostWait();
    source_.GiveBack(piece.data, piece.size, nullptr);
    SubtractFromTotal(piece.size);
    MutexLock lock(&mutex_);
    --num_let_go_;
    changed_.SignalAll();
  }

  void SubtractFromTotal(std::size_t bytes) ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    total_ -= bytes;
    changed_.SignalAll();
  }

  mutable DeviceMemorySource source_;
  ByteBudget budget_;

  Mutex mutex_;
  // When memory is the device's again.
  CondVar changed_;
  // What came back, the oldest first.
  std::vector<Piece> kept_ ABSL_GUARDED_BY(mutex_);
  // Of what is out.
  std::map<const std::byte*, std::size_t> size_of_ ABSL_GUARDED_BY(mutex_);
  // Pieces that are on their way back to the device.
  int num_let_go_ ABSL_GUARDED_BY(mutex_) = 0;
  // The bytes of all three, and of what is being taken. Whoever takes memory
  // from the device has waited until this is at most the maximum.
  std::size_t total_ ABSL_GUARDED_BY(mutex_) = 0;
};

absl::StatusOr<std::shared_ptr<Allocator>> RMMAllocator::Create(
    absl::string_view name, const SynclineOptions& options) {
  SYNCLINE_RETURN_IF_ERROR(CheckOptionsAreRead(
      options, {RMMAllocatorOptions::ext.number()}, "allocator"));
  const RMMAllocatorOptions& given =
      options.GetExtension(RMMAllocatorOptions::ext);
  const auto in_context = [&](StatusBuilder status) {
    return status.SetPrepend() << RmmText(name) << ": ";
  };
  std::string max = given.device_memory_max_size();
  if (given.has_device_max_memory_pool_size()) {
    if (given.has_device_memory_max_size()) {
      return absl::InvalidArgumentError(absl::StrCat(
          RmmText(name),
          " has device_memory_max_size and device_max_memory_pool_size, which "
          "are the same. Leave the second one out."));
    }
    LOG(WARNING) << RmmText(name)
                 << ": device_max_memory_pool_size is called "
                    "device_memory_max_size; it is taken for that.";
    max = given.device_max_memory_pool_size();
  }
  SYNCLINE_ASSIGN_OR_RETURN(
      const PoolSizes device_memory,
      PoolSizes::Parse("device_memory", given.device_memory_initial_size(),
                       max),
      in_context(std::move(_)));
  SYNCLINE_ASSIGN_OR_RETURN(
      const PoolSizes host_memory,
      PoolSizes::Parse("host_memory", given.host_memory_initial_size(),
                       given.host_memory_max_size()),
      in_context(std::move(_)));
  const absl::optional<int> dev_id =
      given.has_dev_id() ? absl::optional<int>(given.dev_id()) : absl::nullopt;
  SYNCLINE_ASSIGN_OR_RETURN(std::shared_ptr<Device> device,
                            MemoryDevice(dev_id), in_context(std::move(_)));
  return Make(std::move(device), device_memory, host_memory, name);
}

absl::StatusOr<std::shared_ptr<RMMAllocator>> RMMAllocator::Make(
    std::shared_ptr<Device> device, const PoolSizes& device_memory,
    const PoolSizes& host_memory, absl::string_view name) {
  auto of_device = std::make_shared<Pool>(device, MemoryStorageType::kDevice,
                                          device_memory.max);
  auto of_host =
      std::make_shared<Pool>(device, MemoryStorageType::kHost, host_memory.max);
  SYNCLINE_RETURN_IF_ERROR(of_device->Begin(device_memory.initial, name))
          .SetPrepend()
      << RmmText(name) << " is to begin with " << device_memory.initial
      << " bytes of device memory: ";
  SYNCLINE_RETURN_IF_ERROR(of_host->Begin(host_memory.initial, name))
          .SetPrepend()
      << RmmText(name) << " is to begin with " << host_memory.initial
      << " bytes of host memory: ";
  return std::shared_ptr<RMMAllocator>(
      new RMMAllocator(name, std::move(of_device), std::move(of_host)));
}

RMMAllocator::RMMAllocator(absl::string_view name,
                           std::shared_ptr<Pool> device_memory,
                           std::shared_ptr<Pool> host_memory)
    : Allocator(name),
      device_memory_(std::move(device_memory)),
      host_memory_(std::move(host_memory)) {}

absl::StatusOr<MemoryBuffer> RMMAllocator::Allocate(
    std::size_t bytes, MemoryStorageType storage_type,
    absl::string_view label) {
  return Take(nullptr, bytes, storage_type, label);
}

absl::StatusOr<MemoryBuffer> RMMAllocator::AllocateFor(
    const MemoryUser& user, std::size_t bytes, MemoryStorageType storage_type,
    absl::string_view label) {
  return Take(&user, bytes, storage_type, label);
}

absl::StatusOr<MemoryBuffer> RMMAllocator::Take(const MemoryUser* user,
                                                std::size_t bytes,
                                                MemoryStorageType kind,
                                                absl::string_view label) {
  const std::string who =
      absl::StrCat("\"", label, "\" asks ", RmmText(name()), " for ", bytes,
                   " bytes of ", MemoryStorageTypeName(kind), " memory");
  const bool is_host = kind == MemoryStorageType::kHost;
  if ((!is_host && kind != MemoryStorageType::kDevice) || bytes == 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        who, ". It gives device and host memory, at least 1 byte."));
  }
  const std::shared_ptr<Pool>& pool = is_host ? host_memory_ : device_memory_;
  SYNCLINE_RETURN_IF_ERROR(pool->budget().Take(
      who, bytes, ReservationScope::TakeUnits(pool.get(), bytes)));
  absl::StatusOr<Pool::Piece> piece = pool->Take(user, bytes, label);
  if (!piece.ok()) {
    pool->budget().Untake(bytes);
    return StatusBuilder(piece.status(), SYNCLINE_LOC).SetPrepend()
           << who << ": ";
  }
  pool->budget().Hold(piece->data, piece->size, label);
  MemoryBuffer buffer(pool, piece->data, bytes, kind);
  buffer.set_pending(std::move(piece->pending));
  return buffer;
}

bool RMMAllocator::IsAvailable(std::size_t bytes) const {
  return device_memory_->budget().IsAvailable(bytes);
}

bool RMMAllocator::TryReserve(std::size_t bytes,
                              MemoryReservation* reservation) {
  if (!device_memory_->budget().Reserve(bytes)) return false;
  *reservation = MemoryReservation(device_memory_, bytes);
  return true;
}

absl::optional<std::size_t> RMMAllocator::capacity_bytes() const {
  return device_memory_->budget().max();
}

std::string RMMAllocator::UseText() const {
  return absl::StrCat(device_memory_->budget().UseText(),
                      "; of host memory it ", host_memory_->budget().UseText());
}

Listener RMMAllocator::AddReleaseListener(std::function<void()> released) {
  return device_memory_->budget().released().Add(std::move(released));
}

REGISTER_ALLOCATOR(RMMAllocator);

}  // namespace syncline::gpu
