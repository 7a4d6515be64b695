#include "framework/trace/trace_ring.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <bit>

namespace syncline {

TraceRing::TraceRing(std::size_t capacity)
    : capacity_(std::bit_ceil(capacity)),
      words_(new std::atomic<std::uint64_t>[capacity_ * kWords]),
      first_tid_(static_cast<std::int64_t>(syscall(SYS_gettid))) {
  if (pthread_getname_np(pthread_self(), first_name_.data(), kNameSize) != 0) {
    first_name_.fill(0);
  }
}

TraceRing::TraceRing(std::size_t capacity, absl::string_view name)
    : capacity_(std::bit_ceil(capacity)),
      words_(new std::atomic<std::uint64_t>[capacity_ * kWords]) {
  std::copy_n(name.begin(), std::min(name.size(), kNameSize - 1),
              first_name_.begin());
}

TraceRing::Found TraceRing::Read(std::uint64_t from,
                                 std::vector<TraceEvent>* events) const {
  Found found;
  found.end = written();
  const auto oldest = [this](std::uint64_t now) {
    return now > capacity_ ? now - capacity_ : 0;
  };
  const std::uint64_t first =
      std::min(std::max(from, oldest(found.end)), found.end);
  const std::size_t before = events->size();
  events->reserve(before + (found.end - first));
  for (std::uint64_t i = first; i < found.end; ++i) {
    const std::atomic<std::uint64_t>* const word =
        &words_[(i & (capacity_ - 1)) * kWords];
    TraceEvent event;
    event.tick = word[0].load(std::memory_order_acquire);
    event.timestamp =
        static_cast<std::int64_t>(word[1].load(std::memory_order_acquire));
    const std::uint64_t last = word[2].load(std::memory_order_acquire);
    event.kind_and_id = static_cast<std::uint32_t>(last);
    event.extra = static_cast<std::uint32_t>(last >> 32);
    events->push_back(event);
  }
  // The event that is being written now is not counted yet, and takes the place
  // of one more.
  found.begin = std::min(std::max(first, oldest(written() + 1)), found.end);
  events->erase(events->begin() + before,
                events->begin() + before + (found.begin - first));
  found.num_lost = found.begin - std::min(from, found.begin);
  return found;
}

}  // namespace syncline
