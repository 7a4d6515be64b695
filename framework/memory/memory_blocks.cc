#include "framework/memory/memory_blocks.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "framework/base/mutex.h"
#include "framework/base/status_macros.h"

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

constexpr std::size_t kBlockAlignment = 64;

// From one block to the next.
std::size_t StrideOf(std::size_t block_size) {
  return (block_size + kBlockAlignment - 1) & ~(kBlockAlignment - 1);
}

std::string CountText(std::size_t count, const std::string& label) {
  return label.empty() ? absl::StrCat(count, " without a label")
                       : absl::StrCat(count, " by \"", label, "\"");
}

}  // namespace

// --- Making and unmaking

absl::StatusOr<std::shared_ptr<MemoryBlocks>> MemoryBlocks::Make(
    std::shared_ptr<MemorySource> source, std::size_t block_size,
    std::size_t num_blocks, absl::string_view name) {
  std::vector<std::byte*> blocks;
  if (source->storage_type() == MemoryStorageType::kSystem) {
    const std::size_t stride = StrideOf(block_size);
    const std::size_t total = stride * num_blocks;
    SYNCLINE_ASSIGN_OR_RETURN(std::byte* const piece,
                              source->Take(total, name));
    // No call is to wait until the machine has found a page.
    std::memset(piece, 0, total);
    blocks.reserve(num_blocks);
    for (std::size_t i = 0; i < num_blocks; ++i) {
      blocks.push_back(piece + i * stride);
    }
    return std::shared_ptr<MemoryBlocks>(new MemoryBlocks(
        std::move(source), block_size, std::move(blocks), piece, total));
  }
  for (std::size_t i = 0; i < num_blocks; ++i) {
    absl::StatusOr<std::byte*> block =
        source->Take(block_size, absl::StrCat(name, "[", i, "]"));
    if (block.ok()) {
      blocks.push_back(*block);
      continue;
    }
    for (std::byte* const taken : blocks) {
      source->GiveBack(taken, block_size, nullptr);
    }
    return StatusBuilder(block.status(), SYNCLINE_LOC).SetPrepend()
           << "block " << i << " of " << num_blocks << ": ";
  }
  return std::shared_ptr<MemoryBlocks>(new MemoryBlocks(
      std::move(source), block_size, std::move(blocks), nullptr, 0));
}

MemoryBlocks::MemoryBlocks(std::shared_ptr<MemorySource> source,
                           std::size_t block_size,
                           std::vector<std::byte*> blocks, std::byte* piece,
                           std::size_t piece_size)
    : source_(std::move(source)),
      block_size_(block_size),
      piece_(piece),
      piece_size_(piece_size) {
  blocks_.resize(blocks.size());
  clean_.reserve(blocks.size());
  // The first block is the first to be given.
  for (std::size_t i = blocks.size(); i > 0; --i) {
    blocks_[i - 1].data = blocks[i - 1];
    block_of_[blocks[i - 1]] = i - 1;
    clean_.push_back(i - 1);
  }
  if (piece_ != nullptr) SYNCLINE_FORBID_(piece_, piece_size_);
}

MemoryBlocks::~MemoryBlocks() {
  if (piece_ != nullptr) {
    SYNCLINE_ALLOW_(piece_, piece_size_);
    source_->GiveBack(piece_, piece_size_, nullptr);
    return;
  }
  for (Pending& pending : pending_) {
    std::byte* const data = std::exchange(blocks_[pending.block].data, nullptr);
    source_->GiveBack(data, block_size_, std::move(pending.use));
  }
  for (const Block& block : blocks_) {
    if (block.data == nullptr) continue;
    source_->GiveBack(block.data, block_size_, nullptr);
  }
}

MemorySource* MemoryBlocks::source() const {
  return storage_type() == MemoryStorageType::kSystem ? nullptr : source_.get();
}

// --- Taking

std::size_t MemoryBlocks::NumFreeLocked() const {
  return clean_.size() + (IsOfDevice() ? pending_.size() : 0);
}

MemoryBlocks::Taken MemoryBlocks::HoldLocked(
    std::size_t block, std::size_t bytes, absl::string_view label,
    std::shared_ptr<PendingUse> pending) {
  Block& held = blocks_[block];
  held.is_held = true;
  held.label = std::string(label);
  if (piece_ != nullptr) SYNCLINE_ALLOW_(held.data, bytes);
  return {held.data, std::move(pending)};
}

MemoryBlocks::Taken MemoryBlocks::Take(const MemoryUser* user,
                                       std::size_t bytes,
                                       absl::string_view label) {
  const bool is_reserved = ReservationScope::TakeUnit(this);
  {
    MutexLock lock(&mutex_);
    if (is_reserved) --reserved_;
    const std::size_t num_free = NumFreeLocked();
    // What is reserved is clean, or memory of a device.
    if (IsOfDevice() && num_free <= reserved_) return {};
    if (!clean_.empty() && num_free > reserved_) {
      const std::size_t block = clean_.back();
      clean_.pop_back();
      return HoldLocked(block, bytes, label, nullptr);
    }
    if (pending_.empty()) return {};
  }
  Taken taken = TakePending(user, bytes, label);
  // Somebody may wait for what was refused here.
  if (taken.data == nullptr && !WatchPending()) {
    taken = TakePending(user, bytes, label);
  }
  return taken;
}

std::vector<MemoryBlocks::Pending> MemoryBlocks::CopyPending() {
  MutexLock lock(&mutex_);
  return pending_;
}

bool MemoryBlocks::RemovePendingLocked(const Pending& pending) {
  return std::erase_if(pending_, [&](const Pending& other) {
           return other.block == pending.block && other.use == pending.use;
         }) > 0;
}

MemoryBlocks::Taken MemoryBlocks::TakePending(const MemoryUser* user,
                                              std::size_t bytes,
                                              absl::string_view label) {
  const bool may_wait = user != nullptr || IsOfDevice();
  for (;;) {
    const std::vector<Pending> pending = CopyPending();
    auto chosen = std::find_if(
        pending.begin(), pending.end(),
        [user](const Pending& one) { return one.use->IsOver(user); });
    const bool is_over = chosen != pending.end();
    if (!is_over && may_wait) chosen = pending.begin();
    if (chosen == pending.end()) return {};
    Taken taken;
    {
      MutexLock lock(&mutex_);
      if (IsOfDevice() && NumFreeLocked() <= reserved_) return {};
      if (!RemovePendingLocked(*chosen)) continue;
      taken = HoldLocked(chosen->block, bytes, label,
                         user == nullptr ? nullptr : chosen->use);
    }
    if (user == nullptr && !is_over) chosen->use->HostWait();
    return taken;
  }
}

// --- Taking back

void MemoryBlocks::TakeBack(std::byte* data, std::size_t size) {
  TakeBackPending(data, size, nullptr);
}

void MemoryBlocks::TakeBackPending(std::byte* data, std::size_t,
                                   std::shared_ptr<PendingUse> pending) {
  if (piece_ != nullptr) SYNCLINE_FORBID_(data, StrideOf(block_size_));
  {
    MutexLock lock(&mutex_);
    const std::size_t block = block_of_.at(data);
    blocks_[block].is_held = false;
    if (pending == nullptr) {
      clean_.push_back(block);
    } else {
      pending_.push_back({block, std::move(pending), false});
    }
  }
  released_.Notify();
}

void MemoryBlocks::Sweep() {
  std::vector<Pending> over = CopyPending();
  std::erase_if(over,
                [](const Pending& one) { return !one.use->IsOver(nullptr); });
  MutexLock lock(&mutex_);
  for (const Pending& one : over) {
    if (RemovePendingLocked(one)) clean_.push_back(one.block);
  }
}

bool MemoryBlocks::WatchPending() {
  std::vector<Pending> watched;
  {
    MutexLock lock(&mutex_);
    for (Pending& one : pending_) {
      if (!std::exchange(one.is_watched, true)) watched.push_back(one);
    }
  }
  std::erase_if(watched, [this](const Pending& one) {
    return one.use->CallWhenOver([blocks = weak_from_this()] {
      const std::shared_ptr<MemoryBlocks> alive = blocks.lock();
      if (alive != nullptr) alive->released_.Notify();
    });
  });
  if (watched.empty()) return true;
  // Of these nobody tells: if they stay, the next request asks again.
  MutexLock lock(&mutex_);
  for (Pending& one : pending_) {
    if (std::any_of(watched.begin(), watched.end(), [&](const Pending& other) {
          return other.block == one.block && other.use == one.use;
        })) {
      one.is_watched = false;
    }
  }
  return false;
}

// --- Reserving

bool MemoryBlocks::Find(std::size_t units, bool reserve) {
  for (bool is_last = false;; is_last = true) {
    {
      MutexLock lock(&mutex_);
      if (units <= NumFreeLocked() - reserved_) {
        if (reserve) reserved_ += units;
        return true;
      }
      if (is_last || IsOfDevice() || pending_.empty()) return false;
    }
    Sweep();
    // What is over since then nobody tells.
    if (!WatchPending()) Sweep();
  }
}

void MemoryBlocks::TakeBackReserved(std::size_t units) {
  {
    MutexLock lock(&mutex_);
    reserved_ -= units;
  }
  released_.Notify();
}

// --- Reports

std::size_t MemoryBlocks::num_available() {
  Sweep();
  MutexLock lock(&mutex_);
  return NumFreeLocked() - reserved_;
}

std::size_t MemoryBlocks::num_held() {
  MutexLock lock(&mutex_);
  return blocks_.size() - clean_.size() - pending_.size();
}

std::string MemoryBlocks::HoldersText() {
  // In alphabetical order, so that the text is the same every time.
  std::map<std::string, std::size_t> count_of_label, count_of_pending;
  std::vector<Pending> pending;
  std::size_t reserved = 0;
  {
    MutexLock lock(&mutex_);
    for (const Block& block : blocks_) {
      if (block.is_held) ++count_of_label[block.label];
    }
    if (!IsOfDevice()) pending = pending_;
    reserved = reserved_;
  }
  for (const Pending& one : pending) ++count_of_pending[one.use->ToText()];
  constexpr std::size_t kMaxHolders = 12;
  std::vector<std::string> parts;
  for (const auto& [label, count] : count_of_label) {
    if (parts.size() == kMaxHolders) {
      parts.push_back(absl::StrCat(
          "others by ", count_of_label.size() - kMaxHolders, " more"));
      break;
    }
    parts.push_back(CountText(count, label));
  }
  for (const auto& [work, count] : count_of_pending) {
    parts.push_back(absl::StrCat(count, " with work pending on ", work));
  }
  if (reserved > 0) parts.push_back(absl::StrCat(reserved, " reserved"));
  return absl::StrJoin(parts, ", ");
}

}  // namespace syncline
