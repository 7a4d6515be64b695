#include "framework/run/memory_watch.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include "absl/strings/str_cat.h"
#include "framework/base/machine_memory.h"
#include "framework/run/long_queues.h"
#include "framework/stream/queue_watch.h"

namespace syncline {
namespace {

// Packets of one queue that take more than this may come to the memory of a
// machine before a queue is long.
constexpr std::int64_t kLargeQueueBytes = std::int64_t{1} << 20;

}  // namespace

bool MemoryWatch::IsNotable(const QueueUse& use) const {
  if (max_memory_bytes_ < 0) return false;
  return TotalBytes(use) >=
         (max_memory_bytes_ > 0 ? max_memory_bytes_ / 8 : kLargeQueueBytes);
}

bool MemoryWatch::MayBeOver(LongQueues::Key key, const QueueUse& use) {
  return long_queues_.Note(key, TotalBytes(use)) > Budget() && !has_ended_run();
}

std::int64_t MemoryWatch::Budget() {
  std::int64_t budget = budget_.load(std::memory_order_relaxed);
  if (budget > 0) return budget;
  budget = max_memory_bytes_ > 0   ? max_memory_bytes_
           : max_memory_bytes_ < 0 ? std::numeric_limits<std::int64_t>::max()
                                   : find_memory_().bytes / 2;
  budget_.store(budget, std::memory_order_relaxed);
  return budget;
}

std::string MemoryWatch::LimitText() const {
  if (max_memory_bytes_ > 0) {
    return absl::StrCat("max_memory_bytes, which is ", max_memory_bytes_);
  }
  const MachineMemory memory = find_memory_();
  return absl::StrCat("half of the ", memory.bytes, " bytes that ",
                      memory.source,
                      " has, which is the limit where a graph sets no "
                      "max_memory_bytes");
}

std::int64_t MemoryWatch::PauseNs(std::int64_t free, std::int64_t look_ns) {
  // Nobody fills memory faster than with a few bytes in a nanosecond; and
  // measuring takes a hundredth of one processor at most.
  constexpr std::int64_t kBytesPerNs = 4;
  return std::max(
      std::clamp(free / kBytesPerNs, kShortestPauseNs, kLongestPauseNs),
      100 * look_ns);
}

}  // namespace syncline
