// PendingUse: work of a device on memory whose owner has given it back already.
//
//   owner gives memory back ──> the allocator keeps it with its PendingUse
//                          ──> whoever gets it next comes after that work
//
// So a buffer may die while a device still reads it, nobody waits for that, and
// no pool needs blocks to spare. What it is only the code of devices knows
// (gpu/device_memory_source.h); allocators pass it on.
//
// Thread rule: any thread. None of it is called under a lock of an allocator.
// Tested by pending_blocks_test.

#ifndef SYNCLINE_FRAMEWORK_MEMORY_PENDING_USE_H_
#define SYNCLINE_FRAMEWORK_MEMORY_PENDING_USE_H_

#include <functional>
#include <string>

namespace syncline {

// Work of a device that takes memory, such as that of a stream.
class MemoryUser {
 public:
  virtual ~MemoryUser() = default;
};

class PendingUse {
 public:
  virtual ~PendingUse() = default;

  // Whether all that `user` does from now on comes after this work anyhow; null
  // is the host. An error of a device is the end of its work. Does not block.
  virtual bool IsOver(const MemoryUser* user) const = 0;
  // Blocks the host until it is over.
  virtual void HostWait() const = 0;
  // Calls `over`, on a thread without locks, once the work is over for the
  // host. False, and no call, if it is over now.
  virtual bool CallWhenOver(std::function<void()> over) const = 0;
  // For messages: `stream "a" of stand_in:0`.
  virtual std::string ToText() const = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_MEMORY_PENDING_USE_H_
