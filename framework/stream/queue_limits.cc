#include "framework/stream/queue_limits.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "framework/base/misuse.h"
#include "framework/packet/packet.h"
#include "framework/stream/input_queue.h"

namespace syncline {
namespace {

// Sizes are capped at 1 TiB, so that eight million of them sum without
// overflow.
constexpr std::int64_t kLargestPacket = std::int64_t{1} << 40;

constexpr int kTenfold = 10;

}  // namespace

std::int64_t CountedBytes(const Packet& packet) {
  std::uint64_t bytes = 0;
  // A PayloadSize of a user that throws, or commits a misuse, must not end the
  // process.
  CallUserCode([&] { bytes = packet.PayloadBytes(); }).IgnoreError();
  return static_cast<std::int64_t>(
      std::min<std::uint64_t>(bytes, kLargestPacket));
}

QueueWatch::QueueWatch(const QueueLimit& limit, const QueueMarks& marks,
                       InputQueue* queue)
    : limit_(limit),
      error_size_(marks.error_size),
      byte_step_(marks.byte_step),
      next_bytes_(marks.byte_step) {
  if (limit_.bytes != InputQueue::kNoLimit || byte_step_ > 0) count_.emplace();
  if (limit_.bytes != InputQueue::kNoLimit) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    const std::int64_t tenfold =
        limit_.bytes > kMost / kTenfold ? kMost : kTenfold * limit_.bytes;
    if (limit_.byte_ceiling == 0) limit_.byte_ceiling = tenfold;
  } else if (limit_.packets == InputQueue::kNoLimit) {
    next_warning_ = marks.warning_size;
  }
  Look(queue);
}

std::int64_t QueueWatch::Look(InputQueue* queue) {
  const std::int64_t size = queue->size();
  std::int64_t length_to_warn_of = 0;
  while (next_warning_ > 0 && size >= next_warning_) {
    length_to_warn_of = size;
    next_warning_ = next_warning_ > std::numeric_limits<int>::max() / kTenfold
                        ? 0
                        : kTenfold * next_warning_;
  }
  Count(*queue);
  int look_at = limit_.packets;
  if (limit_.packets == InputQueue::kNoLimit) {
    look_at = static_cast<int>(
        std::min<std::int64_t>(std::max({queue->NextGrowth(), size + 1,
                                         std::int64_t{QueueMarks::kLong}}),
                               std::numeric_limits<int>::max()));
    if (next_warning_ > 0) look_at = std::min(look_at, next_warning_);
    if (size < error_size_) look_at = std::min(look_at, error_size_);
  }
  if (HasUsedUpBytes() && (look_at == InputQueue::kNoLimit || size < look_at)) {
    look_at = static_cast<int>(size);
  }
  queue->SetLimit(look_at);
  return length_to_warn_of;
}

bool QueueWatch::Raise(int ceiling, InputQueue* queue) {
  const std::int64_t size = queue->size();
  const bool has_used_up_packets =
      limit_.packets != InputQueue::kNoLimit && size >= limit_.packets;
  const bool has_used_up_bytes = HasUsedUpBytes();
  if (has_used_up_packets && size >= ceiling) return false;
  if (has_used_up_bytes && count_->bytes >= limit_.byte_ceiling) return false;
  if (has_used_up_packets) limit_.packets = static_cast<int>(size) + 1;
  if (has_used_up_bytes) limit_.bytes = count_->bytes + 1;
  Look(queue);
  return true;
}

bool QueueWatch::RaisePackets(int packets, InputQueue* queue) {
  if (limit_.packets == InputQueue::kNoLimit || limit_.packets >= packets) {
    return false;
  }
  limit_.packets = packets;
  Look(queue);
  return true;
}

bool QueueWatch::TakeByteGrowth(const InputQueue& queue) {
  if (byte_step_ == 0) return false;
  const std::int64_t bytes = Count(queue);
  const bool has_grown = bytes >= next_bytes_;
  // The queue may grow to the same length again.
  if (has_grown || bytes < next_bytes_ - 2 * byte_step_) {
    next_bytes_ = bytes + byte_step_;
  }
  return has_grown;
}

void QueueWatch::NoteAdded(std::int64_t bytes) {
  count_->sizes.push_back(bytes);
  count_->bytes += bytes;
}

std::int64_t QueueWatch::Count(const InputQueue& queue) {
  if (!count_) return 0;
  while (count_->sizes.size() > static_cast<size_t>(queue.size())) {
    count_->bytes -= count_->sizes.front();
    count_->sizes.pop_front();
  }
  return count_->bytes;
}

}  // namespace syncline
