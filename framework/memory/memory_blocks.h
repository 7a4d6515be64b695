// MemoryBlocks: the blocks of a BlockMemoryPool, which live until the last of
// them has come back.
//
//        ┌──── given back, nothing pending ────┐
//        v                                     │
//      clean ───────────── taken ──────────> held
//        ^                   ^                 │
//        │ work is over      │ taken for work  │ given back while work on it
//        └──────────────── pending <───────────┘ is pending
//
// A block that the host can see is for the host once it is clean. Work of a
// device takes pending blocks, too, and comes after the work on them: first
// those that are over for it anyhow, else the one that came back first. Of
// device memory only other work is a user, so pending blocks are as good as
// clean ones there: they count as available, and a request of the host waits.
//
// Nobody looks at pending blocks without need: only a request that finds too
// few clean ones asks the device, and asks then to be told when work is over.
//
// Thread rule: any thread. Devices are asked without the lock.
// Tested by allocator_test and pending_blocks_test.

#ifndef SYNCLINE_FRAMEWORK_MEMORY_MEMORY_BLOCKS_H_
#define SYNCLINE_FRAMEWORK_MEMORY_MEMORY_BLOCKS_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/base/hash_map.h"
#include "framework/base/listener_list.h"
#include "framework/base/mutex.h"
#include "framework/memory/allocator.h"
#include "framework/memory/memory_source.h"
#include "framework/memory/pending_use.h"

namespace syncline {

class MemoryBlocks : public MemoryStore,
                     public std::enable_shared_from_this<MemoryBlocks> {
 public:
  // Takes all blocks from `source`: system memory as one piece, other memory
  // block by block, so that a device knows each of them. `name` is for
  // messages. The error of the source. REQUIRES: all together fit into a
  // size_t.
  static absl::StatusOr<std::shared_ptr<MemoryBlocks>> Make(
      std::shared_ptr<MemorySource> source, std::size_t block_size,
      std::size_t num_blocks, absl::string_view name);
  ~MemoryBlocks() override;

  MemoryStorageType storage_type() const { return source_->storage_type(); }
  std::size_t block_size() const { return block_size_; }
  std::size_t num_blocks() const { return blocks_.size(); }
  // The number of blocks that so many bytes need.
  std::size_t BlocksFor(std::size_t bytes) const {
    return bytes / block_size_ + (bytes % block_size_ != 0 ? 1 : 0);
  }

  // For work of `user`, which has to come after `pending`; null is the host.
  // Null data when no block is free for this thread.
  struct Taken {
    std::byte* data = nullptr;
    std::shared_ptr<PendingUse> pending;
  };
  Taken Take(const MemoryUser* user, std::size_t bytes, absl::string_view label)
      ABSL_LOCKS_EXCLUDED(mutex_);
  void TakeBack(std::byte* data, std::size_t size) override;
  void TakeBackPending(std::byte* data, std::size_t size,
                       std::shared_ptr<PendingUse> pending) override
      ABSL_LOCKS_EXCLUDED(mutex_);
  MemorySource* source() const override;

  // False: there are too few now. Then listeners are told also when work on
  // pending blocks is over.
  bool IsAvailable(std::size_t units) { return Find(units, false); }
  bool Reserve(std::size_t units) { return Find(units, true); }
  void TakeBackReserved(std::size_t units) override ABSL_LOCKS_EXCLUDED(mutex_);

  std::size_t num_available() ABSL_LOCKS_EXCLUDED(mutex_);
  std::size_t num_held() ABSL_LOCKS_EXCLUDED(mutex_);
  // `2 by "camera", 1 with work pending on stream "a" of stand_in:0`
  std::string HoldersText() ABSL_LOCKS_EXCLUDED(mutex_);

  Listener AddReleaseListener(std::function<void()> released) {
    return released_.Add(std::move(released));
  }

 private:
  struct Block {
    std::byte* data = nullptr;
    bool is_held = false;
    // Of a held block.
    std::string label;
  };
  struct Pending {
    std::size_t block = 0;
    std::shared_ptr<PendingUse> use;
    // Listeners will be told.
    bool is_watched = false;
  };

  MemoryBlocks(std::shared_ptr<MemorySource> source, std::size_t block_size,
               std::vector<std::byte*> blocks, std::byte* piece,
               std::size_t piece_size);

  bool Find(std::size_t units, bool reserve) ABSL_LOCKS_EXCLUDED(mutex_);
  // Whether pending blocks are as good as clean ones.
  bool IsOfDevice() const {
    return storage_type() == MemoryStorageType::kDevice;
  }
  std::size_t NumFreeLocked() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Taken HoldLocked(std::size_t block, std::size_t bytes,
                   absl::string_view label, std::shared_ptr<PendingUse> pending)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Taken TakePending(const MemoryUser* user, std::size_t bytes,
                    absl::string_view label) ABSL_LOCKS_EXCLUDED(mutex_);
  // Takes this pending block out, unless somebody else has done so.
  bool RemovePendingLocked(const Pending& pending)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::vector<Pending> CopyPending() ABSL_LOCKS_EXCLUDED(mutex_);
  // Makes pending blocks clean whose work is over.
  void Sweep() ABSL_LOCKS_EXCLUDED(mutex_);
  // Sees to it that listeners are told. False: some work is over now.
  bool WatchPending() ABSL_LOCKS_EXCLUDED(mutex_);

  const std::shared_ptr<MemorySource> source_;
  const std::size_t block_size_;
  // All blocks, where they are one piece; else null.
  std::byte* const piece_;
  const std::size_t piece_size_;
  HashMap<const std::byte*, std::size_t> block_of_;

  Mutex mutex_;
  std::vector<Block> blocks_;  // what changes is guarded by mutex_
  // The free blocks: a stack, and a queue.
  std::vector<std::size_t> clean_ ABSL_GUARDED_BY(mutex_);
  std::vector<Pending> pending_ ABSL_GUARDED_BY(mutex_);
  std::size_t reserved_ ABSL_GUARDED_BY(mutex_) = 0;

  ListenerList released_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_MEMORY_MEMORY_BLOCKS_H_
