// QueueWatch: watches an input queue for more than a limit in packets: for a
// limit in bytes, and for a length that deserves a warning.
//
// A queue knows one number, its limit, and reports when its length reaches the
// limit. A packet costs only this comparison. A watch sets this number to the
// length at which the queue has to be looked at next:
//
//   limit in packets .............. that limit
//   in bytes, and they are used up  its present size: it is full
//   none .......................... the length to warn of, or the length at
//   which
//                                   it has grown by a quarter; see Look
//
// The caller gives the size of a packet when the packet comes, because asking
// for it may run code of the user's, and a watch is under a lock. When the
// watch is asked, it first subtracts the sizes of packets that have left,
// whoever took them.
//
// Thread rule: one thread at a time; a node's lock guards its watches.
// Tested by queue_limits_test.

#ifndef SYNCLINE_FRAMEWORK_STREAM_QUEUE_LIMITS_H_
#define SYNCLINE_FRAMEWORK_STREAM_QUEUE_LIMITS_H_

#include <cstdint>
#include <deque>

#include "absl/types/optional.h"
#include "framework/packet/packet.h"
#include "framework/stream/input_queue.h"

namespace syncline {

// The bytes that `packet` counts for. Sizes come from functions of users, so
// absurd ones are capped: a sum of sizes must not overflow.
std::int64_t CountedBytes(const Packet& packet);

// -1: no limit.
struct QueueLimit {
  int packets = InputQueue::kNoLimit;
  std::int64_t bytes = InputQueue::kNoLimit;
  // How far `bytes` may be raised; 0 for ten times.
  std::int64_t byte_ceiling = 0;
};

// What waits in a queue; `bytes` are CountedBytes.
struct QueueUse {
  std::int64_t packets = 0;
  std::int64_t bytes = 0;
};

// When a queue is reported, besides when it reaches its limit.
struct QueueMarks {
  // Shorter queues are not looked at, unless one of these numbers says so.
  static constexpr int kLong = 128;

  // The length that deserves a warning; 0 for none.
  int warning_size = 0;
  // The length that ends the run with an error; 0 for none.
  int error_size = 0;
  // Above 0: the bytes of the queue are counted, and the queue is reported
  // whenever they have grown by this number. Else it is reported when it has
  // become longer by a quarter.
  std::int64_t byte_step = 0;
};

class QueueWatch {
 public:
  // Whether a queue with this limit needs a watch.
  static bool IsNeeded(const QueueLimit& limit, const QueueMarks& marks) {
    return limit.bytes != InputQueue::kNoLimit ||
           limit.packets == InputQueue::kNoLimit || marks.byte_step > 0;
  }

  QueueWatch() = default;
  QueueWatch(const QueueLimit& limit, const QueueMarks& marks,
             InputQueue* queue);

  // A packet was added to the queue; `bytes` are its CountedBytes. REQUIRES:
  // counts_bytes().
  void NoteAdded(std::int64_t bytes);

  // To be called after the queue has changed: sets the limit of the queue, so
  // that queue->Full() is right. Returns its length if that deserves a warning,
  // which it does once for each tenfold of the length; else 0.
  std::int64_t Look(InputQueue* queue);

  // Gives a queue that is full room for one more packet. False if that would
  // exceed `ceiling` packets, or byte_ceiling.
  bool Raise(int ceiling, InputQueue* queue);
  // Raises the limit to `packets`. False if the queue has no limit, or one that
  // is not lower.
  bool RaisePackets(int packets, InputQueue* queue);

  bool counts_bytes() const { return count_.has_value(); }
  // The bytes that wait in the queue; 0 where they are not counted.
  std::int64_t Count(const InputQueue& queue);

  // Whether the bytes have grown by byte_step since this was last true. False
  // without a byte_step.
  bool TakeByteGrowth(const InputQueue& queue);

  const QueueLimit& limit() const { return limit_; }

 private:
  struct ByteCount {
    // The sizes of the packets that wait, behind those of packets that have
    // left since the last look.
    std::deque<std::int64_t> sizes;
    std::int64_t bytes = 0;
  };
  bool HasUsedUpBytes() const {
    return count_ && limit_.bytes != InputQueue::kNoLimit &&
           count_->bytes >= limit_.bytes;
  }

  QueueLimit limit_;
  int next_warning_ = 0;  // 0: none
  int error_size_ = 0;
  std::int64_t byte_step_ = 0;
  std::int64_t next_bytes_ = 0;
  absl::optional<ByteCount> count_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_STREAM_QUEUE_LIMITS_H_
