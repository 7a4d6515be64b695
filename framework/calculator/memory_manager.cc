#include "framework/calculator/memory_manager.h"

#include <bit>
#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "framework/base/hash_map.h"
#include "framework/base/misuse.h"
#include "framework/base/mutex.h"

namespace syncline {
namespace {

constexpr std::align_val_t kAlignment{64};

// Sizes are rounded up to powers of two, so that blocks of nearly the same size
// stand in for each other.
std::size_t BlockSize(std::size_t bytes) {
  constexpr std::size_t kSmallest = 64;
  // More than any address space holds. Refused here rather than by the
  // allocator, which under a sanitizer would end the program.
  constexpr std::size_t kLargest = std::size_t{1} << 48;
  if (bytes <= kSmallest) return kSmallest;
  if (bytes > kLargest) throw std::bad_alloc();
  return std::bit_ceil(bytes);
}

}  // namespace

// What the blocks refer to, so that they may outlive the manager.
class MemoryManager::Pool {
 public:
  explicit Pool(std::size_t max_kept_bytes) : max_kept_bytes_(max_kept_bytes) {}
  ~Pool() {
    for (auto& [size, blocks] : unused_) {
      for (void* const block : blocks) ::operator delete(block, kAlignment);
    }
  }

  void* Take(std::size_t size) ABSL_LOCKS_EXCLUDED(mutex_) {
    {
      MutexLock lock(&mutex_);
      const auto found = unused_.find(size);
      if (found != unused_.end() && !found->second.empty()) {
        void* const block = found->second.back();
        found->second.pop_back();
        kept_bytes_ -= size;
        return block;
      }
    }
    return ::operator new(size, kAlignment);
  }

  void GiveBack(void* block, std::size_t size) ABSL_LOCKS_EXCLUDED(mutex_) {
    // Whoever lets go of a block cannot be told that memory is short.
    bool is_kept = false;
    CatchExceptions([&] {
      MutexLock lock(&mutex_);
      if (size > max_kept_bytes_ - kept_bytes_) return absl::OkStatus();
      unused_[size].push_back(block);
      kept_bytes_ += size;
      is_kept = true;
      return absl::OkStatus();
    }).IgnoreError();
    if (!is_kept) ::operator delete(block, kAlignment);
  }

  std::size_t kept_bytes() const ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    return kept_bytes_;
  }

 private:
  const std::size_t max_kept_bytes_;
  mutable Mutex mutex_;
  HashMap<std::size_t, std::vector<void*>> unused_ ABSL_GUARDED_BY(mutex_);
  std::size_t kept_bytes_ ABSL_GUARDED_BY(mutex_) = 0;
};

MemoryManager::MemoryManager(std::size_t max_kept_bytes)
    : pool_(std::make_shared<Pool>(max_kept_bytes)) {}

MemoryManager::~MemoryManager() = default;

std::shared_ptr<void> MemoryManager::Allocate(std::size_t bytes) {
  const std::size_t size = BlockSize(bytes);
  std::shared_ptr<Pool> pool = pool_;
  void* const block = pool->Take(size);
  return std::shared_ptr<void>(block,
                               [pool = std::move(pool), size](void* unused) {
                                 pool->GiveBack(unused, size);
                               });
}

std::size_t MemoryManager::kept_bytes() const { return pool_->kept_bytes(); }

}  // namespace syncline
