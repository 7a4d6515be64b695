#include "gpu/buffer_cache.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/mutex.h"
#include "framework/base/status_macros.h"
#include "gpu/stream_core.h"

namespace syncline::gpu {
namespace {

// Requests are rounded up to this, so that rows of one more pixel find memory,
// too.
constexpr std::size_t kStep = 4096;

std::size_t RoundedUp(std::size_t bytes) {
  return (bytes + kStep - 1) / kStep * kStep;
}

// Less than twice as large: a cache for large images keeps few of them for
// small ones.
bool FitsWell(const DriverMemory& memory, std::size_t bytes) {
  return memory.size >= bytes && memory.size / 2 < RoundedUp(bytes);
}

// Whether `user` may use the memory without a wait.
bool IsFree(const std::vector<PendingWork>& pending, const Stream* user) {
  return std::all_of(
      pending.begin(), pending.end(), [user](const PendingWork& work) {
        return (user != nullptr && work.stream.get() == &user->core()) ||
               work.stream->HostKnows(work.number);
      });
}

bool IsOver(const std::vector<PendingWork>& pending) {
  return std::all_of(
      pending.begin(), pending.end(),
      [](const PendingWork& work) { return work.stream->IsOver(work.number); });
}

}  // namespace

std::shared_ptr<BufferCache> BufferCache::Make(std::shared_ptr<Device> device,
                                               MemoryStorageType kind) {
  return std::shared_ptr<BufferCache>(new BufferCache(std::move(device), kind));
}

BufferCache::~BufferCache() { DropUnused(); }

absl::StatusOr<DeviceBuffer> BufferCache::TakeFor(const Stream& stream,
                                                  std::size_t bytes,
                                                  absl::string_view name) {
  return Take(&stream, bytes, name);
}

absl::StatusOr<DeviceBuffer> BufferCache::TakeForHost(std::size_t bytes,
                                                      absl::string_view name) {
  return Take(nullptr, bytes, name);
}

absl::StatusOr<DeviceBuffer> BufferCache::Take(const Stream* user,
                                               std::size_t bytes,
                                               absl::string_view name) {
  absl::optional<Piece> piece = FindUnused(user, bytes);
  if (!piece.has_value()) {
    SYNCLINE_ASSIGN_OR_RETURN(const DriverMemory memory, TakeNew(bytes, name));
    piece = Piece{memory, {}};
  }
  absl::Status status;
  if (user == nullptr) {
    for (const PendingWork& work : piece->pending) {
      status.Update(work.stream->HostWait(work.number));
    }
    if (status.ok()) piece->pending.clear();
  }
  if (status.ok()) {
    absl::StatusOr<DeviceBuffer> buffer = DeviceBuffer::HandOut(
        device_, shared_from_this(), piece->memory, bytes, name,
        user == nullptr ? nullptr : &user->core(), piece->pending);
    if (buffer.ok()) return buffer;
    status = buffer.status();
  }
  device_->TakeMemoryBack(piece->memory, std::move(piece->pending));
  return status;
}

absl::optional<BufferCache::Piece> BufferCache::FindUnused(const Stream* user,
                                                           std::size_t bytes) {
  const auto fits = [bytes](const Piece& piece) {
    return FitsWell(piece.memory, bytes);
  };
  std::vector<Piece> waiting;
  bool may_wait = false;
  {
    MutexLock lock(&mutex_);
    may_wait = unused_.size() >= kMaxWaiting;
    auto found =
        std::find_if(unused_.begin(), unused_.end(), [&](const Piece& piece) {
          return fits(piece) && IsFree(piece.pending, user);
        });
    if (found == unused_.end() && user != nullptr && may_wait) {
      found = std::find_if(unused_.begin(), unused_.end(), fits);
    }
    if (found != unused_.end()) {
      Piece piece = *std::move(found);
      unused_.erase(found);
      return piece;
    }
    if (user != nullptr) return absl::nullopt;
    std::copy_if(unused_.begin(), unused_.end(), std::back_inserter(waiting),
                 fits);
  }
  absl::optional<Piece> piece = FindOver(waiting, /*all=*/may_wait);
  for (std::size_t i = 0; may_wait && !piece.has_value() && i < waiting.size();
       ++i) {
    piece = Remove(waiting[i]);
  }
  return piece;
}

absl::optional<BufferCache::Piece> BufferCache::FindOver(
    const std::vector<Piece>& pieces, bool all) {
  constexpr std::size_t kAskAhead = kMaxWaiting / 2;
  const bool asks_ahead = pieces.size() > kAskAhead;
  // By the time that it is the first one, the answer is there.
  if (asks_ahead) IsOver(pieces[kAskAhead].pending);
  const std::size_t num_asked = all          ? pieces.size()
                                : asks_ahead ? kAskAhead + 1
                                             : 0;
  for (std::size_t i = 0; i < num_asked; ++i) {
    if (!IsOver(pieces[i].pending)) continue;
    absl::optional<Piece> found = Remove(pieces[i]);
    if (!found.has_value()) continue;
    found->pending.clear();
    return found;
  }
  return absl::nullopt;
}

absl::optional<BufferCache::Piece> BufferCache::Remove(const Piece& piece) {
  MutexLock lock(&mutex_);
  const auto found = std::find_if(
      unused_.begin(), unused_.end(),
      [&](const Piece& other) { return other.number == piece.number; });
  if (found == unused_.end()) return absl::nullopt;
  Piece removed = *std::move(found);
  unused_.erase(found);
  return removed;
}

absl::StatusOr<DriverMemory> BufferCache::TakeNew(std::size_t bytes,
                                                  absl::string_view name) {
  // 0 bytes are the driver's to refuse.
  absl::StatusOr<DriverMemory> memory =
      device_->TakeMemory(kind_, RoundedUp(bytes), name);
  if (memory.ok() || !absl::IsResourceExhausted(memory.status())) return memory;
  DropUnused();
  return device_->TakeMemory(kind_, RoundedUp(bytes), name);
}

void BufferCache::DropUnused() {
  std::deque<Piece> unused;
  {
    MutexLock lock(&mutex_);
    unused.swap(unused_);
  }
  for (Piece& piece : unused) {
    device_->TakeMemoryBack(piece.memory, std::move(piece.pending));
  }
}

void BufferCache::TakeBack(Device& /*device*/, const DriverMemory& memory,
                           std::vector<PendingWork> pending) {
  absl::optional<Piece> dropped;
  {
    MutexLock lock(&mutex_);
    unused_.push_back({memory, std::move(pending), ++num_came_back_});
    // Those of another size would stay for ever.
    if (unused_.size() > kMaxWaiting) {
      dropped = std::move(unused_.front());
      unused_.pop_front();
    }
  }
  if (dropped.has_value()) {
    device_->TakeMemoryBack(dropped->memory, std::move(dropped->pending));
  }
}

std::shared_ptr<BufferCache> BufferCaches::For(
    const std::shared_ptr<Device>& device, MemoryStorageType kind) {
  MutexLock lock(&mutex_);
  for (const Entry& entry : entries_) {
    if (entry.kind == kind && entry.cache->device() == device) {
      return entry.cache;
    }
  }
  entries_.push_back({kind, BufferCache::Make(device, kind)});
  return entries_.back().cache;
}

}  // namespace syncline::gpu
