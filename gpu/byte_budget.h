// ByteBudget: how many bytes an allocator may have out at a time, who has them,
// and what is reserved.
//
// Thread rule: any thread.
// Tested by device_allocators_test.

#ifndef SYNCLINE_GPU_BYTE_BUDGET_H_
#define SYNCLINE_GPU_BYTE_BUDGET_H_

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/base/listener_list.h"
#include "framework/base/mutex.h"

namespace syncline::gpu {

// The sizes of a pool, in bytes.
struct PoolSizes {
  std::size_t initial = 0;
  std::size_t max = 0;

  // From text, with GXF's defaults for "". INVALID_ARGUMENT for what is no
  // size, for a max below the initial size, and for none at all; `kind` begins
  // the names of the options, such as "device_memory".
  static absl::StatusOr<PoolSizes> Parse(absl::string_view kind,
                                         absl::string_view initial,
                                         absl::string_view max);
};

class ByteBudget {
 public:
  explicit ByteBudget(std::size_t max) : max_(max) {}

  std::size_t max() const { return max_; }

  // `from_reservation` of the bytes are those of a reservation, which it uses
  // up in any case. RESOURCE_EXHAUSTED, with the holders, if there are too few;
  // `who` begins the message.
  absl::Status Take(absl::string_view who, std::size_t bytes,
                    std::size_t from_reservation) ABSL_LOCKS_EXCLUDED(mutex_);
  // The same without a message: false, and nothing happens, if there are too
  // few.
  bool TryTake(std::size_t bytes) ABSL_LOCKS_EXCLUDED(mutex_);
  // Who has the memory at `data`; bytes that were taken before.
  void Hold(const std::byte* data, std::size_t bytes, absl::string_view label)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Bytes that were taken and are not held.
  void Untake(std::size_t bytes) ABSL_LOCKS_EXCLUDED(mutex_);
  // Nobody has the memory at `data` any more. Its bytes stay taken until
  // Untake(); returns how many they are.
  std::size_t Unhold(const std::byte* data) ABSL_LOCKS_EXCLUDED(mutex_);
  // Both.
  void Release(const std::byte* data) { Untake(Unhold(data)); }

  bool IsAvailable(std::size_t bytes) const ABSL_LOCKS_EXCLUDED(mutex_);
  bool Reserve(std::size_t bytes) ABSL_LOCKS_EXCLUDED(mutex_);
  void Unreserve(std::size_t bytes) ABSL_LOCKS_EXCLUDED(mutex_);

  // `has 10 of 100 bytes free: 90 by "blur at 40 on stream a ..."`
  std::string UseText() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Told when something has come back. Call it without locks.
  ListenerList& released() { return released_; }

 private:
  struct Holding {
    std::size_t bytes = 0;
    std::string label;
  };
  std::size_t FreeLocked() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return max_ - in_use_ - reserved_;
  }
  std::string UseTextLocked() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const std::size_t max_;
  mutable Mutex mutex_;
  std::size_t in_use_ ABSL_GUARDED_BY(mutex_) = 0;
  std::size_t reserved_ ABSL_GUARDED_BY(mutex_) = 0;
  std::map<const std::byte*, Holding> holdings_ ABSL_GUARDED_BY(mutex_);
  ListenerList released_;
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_BYTE_BUDGET_H_
