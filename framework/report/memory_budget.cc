#include "framework/report/memory_budget.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "framework/base/machine_memory.h"
#include "framework/base/mutex.h"
#include "framework/stream/queue_limits.h"

namespace syncline {
namespace {

// Packets of this size can fill the memory of a machine before any queue is
// long.
constexpr std::int64_t kLargeQueueBytes = std::int64_t{1} << 20;

std::int64_t TotalBytes(const QueueUse& use) {
  return use.bytes + use.packets * kBytesOfQueuedPacket;
}

}  // namespace

bool MemoryBudget::IsNotable(const QueueUse& use) const {
  if (max_memory_bytes_ < 0) return false;
  return TotalBytes(use) >=
         (max_memory_bytes_ > 0 ? max_memory_bytes_ / 8 : kLargeQueueBytes);
}

bool MemoryBudget::MayBeOver(Key key, const QueueUse& use) {
  return Note(key, TotalBytes(use)) > Budget() && !has_ended_run();
}

std::int64_t MemoryBudget::Note(Key key, std::int64_t bytes) {
  MutexLock lock(&mutex_);
  total_ += bytes - std::exchange(queues_[key].bytes, bytes);
  return total_;
}

void MemoryBudget::ForgetBytes() {
  MutexLock lock(&mutex_);
  for (auto& [key, queue] : queues_) queue.bytes = 0;
  total_ = 0;
}

bool MemoryBudget::IsWarnedOf(Key key, std::int64_t size, std::int64_t mark) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  MutexLock lock(&mutex_);
  std::int64_t& next = queues_[key].next_warning;
  if (next == 0) next = mark;
  if (size < next) return false;
  while (size >= next) next = next > kMost / 10 ? kMost : 10 * next;
  return true;
}

std::int64_t MemoryBudget::Budget() {
  std::int64_t budget = budget_.load(std::memory_order_relaxed);
  if (budget > 0) return budget;
  budget = max_memory_bytes_ > 0   ? max_memory_bytes_
           : max_memory_bytes_ < 0 ? std::numeric_limits<std::int64_t>::max()
                                   : find_memory_().bytes / 2;
  budget_.store(budget, std::memory_order_relaxed);
  return budget;
}

std::string MemoryBudget::LimitText() const {
  if (max_memory_bytes_ > 0) {
    return absl::StrCat("max_memory_bytes, which is ", max_memory_bytes_);
  }
  const MachineMemory memory = find_memory_();
  return absl::StrCat("half of the ", memory.bytes, " bytes that ",
                      memory.source,
                      " has, which is the limit where a graph sets no "
                      "max_memory_bytes");
}

std::int64_t MemoryBudget::PauseNs(std::int64_t free, std::int64_t look_ns) {
  // No program fills memory faster than with a few bytes in a nanosecond. And
  // measuring may take a hundredth of one processor at most.
  constexpr std::int64_t kBytesPerNs = 4;
  return std::max(
      std::clamp(free / kBytesPerNs, kShortestPauseNs, kLongestPauseNs),
      100 * look_ns);
}

// --- QueueTally

QueueTally::QueueTally(std::size_t num_streams, MemoryBudget* budget)
    : budget_(budget), most_(num_streams) {
  budget_->ForgetBytes();
}

void QueueTally::AddReader(MemoryBudget::Key key, const QueueUse& use,
                           int stream, std::string where) {
  const std::int64_t bytes = TotalBytes(use);
  if (bytes <= most_[stream]) return;
  Add(key, bytes - std::exchange(most_[stream], bytes),
      {use, stream, std::move(where)});
}

void QueueTally::AddInput(MemoryBudget::Key key, const QueueUse& use,
                          int stream, std::string where) {
  Add(key, TotalBytes(use), {use, stream, std::move(where)});
}

void QueueTally::Add(MemoryBudget::Key key, std::int64_t more, Queue queue) {
  budget_->Note(key, more);
  total_ += more;
  if (TotalBytes(queue.use) > TotalBytes(largest_.use)) {
    largest_ = std::move(queue);
  }
}

}  // namespace syncline
