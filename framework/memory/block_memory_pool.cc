#include "framework/memory/block_memory_pool.h"

#include <cstddef>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "framework/base/aligned_memory.h"
#include "framework/base/listener_list.h"
#include "framework/base/mutex.h"
#include "glog/logging.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#define SYNCLINE_FORBID_(data, size) ASAN_POISON_MEMORY_REGION(data, size)
#define SYNCLINE_ALLOW_(data, size) ASAN_UNPOISON_MEMORY_REGION(data, size)
#else
#define SYNCLINE_FORBID_(data, size) ((void)0)
#define SYNCLINE_ALLOW_(data, size) ((void)0)
#endif

namespace syncline {
namespace {

constexpr std::size_t kAlignment = 64;

std::string PoolText(absl::string_view name) {
  return name.empty() ? "The BlockMemoryPool"
                      : absl::StrCat("The BlockMemoryPool \"", name, "\"");
}

}  // namespace

// The blocks themselves, which live until the last of them has come back.
class BlockMemoryPool::Blocks : public MemoryStore {
 public:
  Blocks(std::byte* memory, std::size_t block_size, std::size_t stride,
         std::size_t num_blocks)
      : block_size_(block_size),
        stride_(stride),
        num_blocks_(num_blocks),
        memory_(memory) {
    labels_.resize(num_blocks);
    is_taken_.resize(num_blocks, false);
    free_.reserve(num_blocks);
    // The first block is the first to be given.
    for (std::size_t i = num_blocks; i > 0; --i) free_.push_back(i - 1);
    SYNCLINE_FORBID_(memory_, stride_ * num_blocks_);
  }
  ~Blocks() override {
    SYNCLINE_ALLOW_(memory_, stride_ * num_blocks_);
    FreeAligned(memory_);
  }

  std::size_t block_size() const { return block_size_; }
  std::size_t num_blocks() const { return num_blocks_; }

  // The number of blocks that so many bytes need.
  std::size_t BlocksFor(std::size_t bytes) const {
    return bytes / block_size_ + (bytes % block_size_ != 0 ? 1 : 0);
  }

  // Null when no block is free for this thread.
  std::byte* Take(std::size_t bytes, absl::string_view label)
      ABSL_LOCKS_EXCLUDED(mutex_) {
    const bool is_reserved = ReservationScope::TakeUnit(this);
    MutexLock lock(&mutex_);
    if (is_reserved) {
      --reserved_;
    } else if (free_.size() <= reserved_) {
      return nullptr;
    }
    const std::size_t index = free_.back();
    free_.pop_back();
    is_taken_[index] = true;
    labels_[index] = std::string(label);
    std::byte* const data = memory_ + index * stride_;
    SYNCLINE_ALLOW_(data, bytes);
    return data;
  }

  void TakeBack(std::byte* data, std::size_t) override
      ABSL_LOCKS_EXCLUDED(mutex_) {
    SYNCLINE_FORBID_(data, stride_);
    {
      MutexLock lock(&mutex_);
      const std::size_t index = (data - memory_) / stride_;
      is_taken_[index] = false;
      free_.push_back(index);
    }
    released_.Notify();
  }

  bool Reserve(std::size_t units) ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    if (units > free_.size() - reserved_) return false;
    reserved_ += units;
    return true;
  }

  void TakeBackReserved(std::size_t units) override
      ABSL_LOCKS_EXCLUDED(mutex_) {
    {
      MutexLock lock(&mutex_);
      reserved_ -= units;
    }
    released_.Notify();
  }

  std::size_t num_available() ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    return free_.size() - reserved_;
  }

  std::size_t num_held() ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    return num_blocks_ - free_.size();
  }

  std::string HoldersText() ABSL_LOCKS_EXCLUDED(mutex_) {
    std::map<std::string, std::size_t> count_of_label;
    std::size_t reserved;
    {
      MutexLock lock(&mutex_);
      for (std::size_t i = 0; i < num_blocks_; ++i) {
        if (is_taken_[i]) ++count_of_label[labels_[i]];
      }
      reserved = reserved_;
    }
    // In alphabetical order, so that the text is the same every time.
    constexpr std::size_t kMaxHolders = 12;
    std::vector<std::string> parts;
    for (const auto& [label, count] : count_of_label) {
      if (parts.size() == kMaxHolders) {
        parts.push_back(absl::StrCat(
            "others by ", count_of_label.size() - kMaxHolders, " more"));
        break;
      }
      parts.push_back(label.empty()
                          ? absl::StrCat(count, " without a label")
                          : absl::StrCat(count, " by \"", label, "\""));
    }
    if (reserved > 0) parts.push_back(absl::StrCat(reserved, " reserved"));
    return absl::StrJoin(parts, ", ");
  }

  Listener AddReleaseListener(std::function<void()> released) {
    return released_.Add(std::move(released));
  }

 private:
  const std::size_t block_size_;
  // From one block to the next, so that each is aligned.
  const std::size_t stride_;
  const std::size_t num_blocks_;
  std::byte* const memory_;

  Mutex mutex_;
  // Blocks, of which so many are reserved.
  std::vector<std::size_t> free_ ABSL_GUARDED_BY(mutex_);
  std::size_t reserved_ ABSL_GUARDED_BY(mutex_) = 0;
  // Both are by block. A label is valid while its block is held.
  std::vector<bool> is_taken_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::string> labels_ ABSL_GUARDED_BY(mutex_);

  ListenerList released_;
};

absl::StatusOr<std::shared_ptr<BlockMemoryPool>> BlockMemoryPool::Create(
    const Options& options) {
  const std::string pool = PoolText(options.name);
  const absl::Status kind = CheckSystemMemory(pool, options.storage_type);
  if (!kind.ok()) return kind;
  if (options.block_size == 0 || options.num_blocks == 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        pool, " has ", options.num_blocks, " blocks of ", options.block_size,
        " bytes. Set block_size and num_blocks to at least 1."));
  }
  std::size_t stride, total;
  if (__builtin_add_overflow(options.block_size, kAlignment - 1, &stride) ||
      __builtin_mul_overflow(stride &= ~(kAlignment - 1), options.num_blocks,
                             &total)) {
    return absl::InvalidArgumentError(absl::StrCat(
        pool, " has ", options.num_blocks, " blocks of ", options.block_size,
        " bytes, which is more than a number of bytes can be."));
  }
  std::byte* const memory =
      total > PhysicalMemoryBytes()
          ? nullptr
          : static_cast<std::byte*>(AllocateAligned(total, kAlignment));
  if (memory == nullptr) {
    return absl::ResourceExhaustedError(absl::StrCat(
        pool, " needs ", total, " bytes for ", options.num_blocks,
        " blocks of ", options.block_size,
        " bytes, more than this machine can give. Reduce block_size or "
        "num_blocks."));
  }
  std::memset(memory, 0, total);
  return std::shared_ptr<BlockMemoryPool>(new BlockMemoryPool(
      options.name, std::make_shared<Blocks>(memory, options.block_size, stride,
                                             options.num_blocks)));
}

BlockMemoryPool::BlockMemoryPool(absl::string_view name,
                                 std::shared_ptr<Blocks> blocks)
    : Allocator(name), blocks_(std::move(blocks)) {}

BlockMemoryPool::~BlockMemoryPool() {
  const std::size_t held = blocks_->num_held();
  if (held == 0) return;
  LOG(WARNING) << PoolText(name()) << " is destroyed while " << held << " of "
               << blocks_->num_blocks()
               << " blocks are held: " << blocks_->HoldersText()
               << ". Their memory stays until they are given back.";
}

absl::StatusOr<MemoryBuffer> BlockMemoryPool::Allocate(
    std::size_t bytes, MemoryStorageType storage_type,
    absl::string_view label) {
  const std::string by =
      label.empty() ? "" : absl::StrCat(" by \"", label, "\"");
  if (storage_type != MemoryStorageType::kSystem) {
    return absl::InvalidArgumentError(absl::StrCat(
        PoolText(name()), " of system memory is asked", by, " for ",
        MemoryStorageTypeName(storage_type),
        " memory. Ask it for system memory, or use another allocator."));
  }
  if (bytes == 0 || bytes > blocks_->block_size()) {
    return absl::InvalidArgumentError(absl::StrCat(
        PoolText(name()), " is asked", by, " for ", bytes,
        " bytes; it gives from 1 byte to one block of ", blocks_->block_size(),
        " bytes. Increase block_size, or ask for less."));
  }
  std::byte* const data = blocks_->Take(bytes, label);
  if (data == nullptr) {
    return absl::ResourceExhaustedError(
        absl::StrCat(PoolText(name()), " has no free block",
                     by.empty() ? "" : " for a request", by, ": of ",
                     blocks_->num_blocks(), " blocks of ",
                     blocks_->block_size(), " bytes, ", blocks_->HoldersText(),
                     ". Increase num_blocks, or let the node wait with a "
                     "MemoryAvailableCondition."));
  }
  return MemoryBuffer(blocks_, data, bytes, storage_type);
}

bool BlockMemoryPool::IsAvailable(std::size_t bytes) const {
  return blocks_->BlocksFor(bytes) <= blocks_->num_available();
}

bool BlockMemoryPool::TryReserve(std::size_t bytes,
                                 MemoryReservation* reservation) {
  const std::size_t units = blocks_->BlocksFor(bytes);
  if (!blocks_->Reserve(units)) return false;
  *reservation = MemoryReservation(blocks_, units);
  return true;
}

std::size_t BlockMemoryPool::block_size() const {
  return blocks_->block_size();
}

absl::optional<std::size_t> BlockMemoryPool::capacity_bytes() const {
  return blocks_->block_size() * blocks_->num_blocks();
}

std::string BlockMemoryPool::UseText() const {
  const std::string holders = HoldersText();
  return absl::StrCat("has ", num_available(), " of ", num_blocks(),
                      " blocks free", holders.empty() ? "" : ": ", holders);
}

Listener BlockMemoryPool::AddReleaseListener(std::function<void()> released) {
  return blocks_->AddReleaseListener(std::move(released));
}

std::size_t BlockMemoryPool::num_blocks() const {
  return blocks_->num_blocks();
}

std::size_t BlockMemoryPool::num_available() const {
  return blocks_->num_available();
}

std::string BlockMemoryPool::HoldersText() const {
  return blocks_->HoldersText();
}

}  // namespace syncline
