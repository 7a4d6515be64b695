// QueueWatch: watches an input queue for more than a limit in packets: for a
// limit in bytes, and for a length that deserves a warning.
//
// A queue knows one number, its limit, and reports when it reaches it; checking
// it is the only cost for a packet. A watch sets this number to the length at
// which the queue has to be looked at next:
//
//   limit in packets .............. that limit
//   in bytes, and they are used up  its present size: it is full
//   none .......................... the length to warn of, or that by which the
//                                   queue has grown by a quarter; see Look
//
// The size of a packet is said when it comes, because asking it may run code of
// the user's, and a watch is under a lock. Sizes of packets that went are taken
// off when somebody looks, whoever took them.
//
// Thread rule: one thread at a time; a node's lock guards its watches.
// Tested by queue_watch_test.

#ifndef SYNCLINE_FRAMEWORK_STREAM_QUEUE_WATCH_H_
#define SYNCLINE_FRAMEWORK_STREAM_QUEUE_WATCH_H_

#include <cstdint>
#include <deque>

#include "absl/types/optional.h"
#include "framework/packet/packet.h"
#include "framework/stream/input_queue.h"

namespace syncline {

// The bytes that `packet` counts for. Sizes come from functions of users: what
// is absurd is cut, so that sums are in no danger.
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

// What a queue tells of besides its limit.
struct QueueMarks {
  // Shorter ones are not worth the time, unless one of these numbers says so.
  static constexpr int kLong = 128;

  // The length at which it is worth a warning; 0 for none.
  int warning_size = 0;
  // The length at which it ends the run; 0 for none.
  int error_size = 0;
  // Above 0: its bytes are counted, and it tells when they have become so many
  // more. Else it tells when it has become longer by a quarter.
  std::int64_t byte_step = 0;
};

class QueueWatch {
 public:
  // Whether a queue with this limit needs one.
  static bool IsNeeded(const QueueLimit& limit, const QueueMarks& marks) {
    return limit.bytes != InputQueue::kNoLimit ||
           limit.packets == InputQueue::kNoLimit || marks.byte_step > 0;
  }

  QueueWatch() = default;
  QueueWatch(const QueueLimit& limit, const QueueMarks& marks,
             InputQueue* queue);

  // A packet was added to the queue: its CountedBytes. REQUIRES:
  // counts_bytes().
  void NoteAdded(std::int64_t bytes);

  // After the queue has changed; afterwards queue->Full() is right. Its length,
  // if that has to be warned of: once for each tenfold. Else 0.
  std::int64_t Look(InputQueue* queue);

  // Room for one more packet in a queue that is full, up to a ceiling: of
  // `ceiling` packets, and of byte_ceiling. False if the ceiling does not allow
  // it.
  bool Raise(int ceiling, InputQueue* queue);
  // A limit of `packets`. False if it has none, or a greater one.
  bool RaisePackets(int packets, InputQueue* queue);

  bool counts_bytes() const { return count_.has_value(); }
  // Waiting bytes; 0 where they are not counted.
  std::int64_t Count(const InputQueue& queue);

  // Whether the bytes have grown by a step since this last said so. False
  // without a byte_step.
  bool TakeByteGrowth(const InputQueue& queue);

  const QueueLimit& limit() const { return limit_; }

 private:
  struct ByteCount {
    // Of the waiting packets, after those that went since somebody looked.
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

#endif  // SYNCLINE_FRAMEWORK_STREAM_QUEUE_WATCH_H_
