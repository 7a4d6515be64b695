// RecordingQueue: packets on their way from the threads of a graph into a file.
//
// Many threads put packets in, which costs each of them a lock and a reference
// to the packet; one thread takes packets out, many at a time. The bytes that
// wait are limited: when the disk is too slow, Put waits or drops the packet,
// as configured, and the packets that were dropped come out as a gap in their
// place. The order in which Put is called is the order of `seq`.
//
//              Put          Take
//    empty ----------> some ------> empty      a first packet wakes the taker;
//      | Close           | Close               the others do not
//      v                 v
//    closed            closed; Take gives the packets that are left, and then
//                      says that the queue is closed
//
// Dropped packets take little room, and so do bounds, which are never dropped:
// until
// there is room for the next packet of a stream, all its dropped packets are
// one gap, and only the last of its bounds is kept.
//
// Thread rule: any thread; Take on one.
// Tested by recording_queue_test.

#ifndef SYNCLINE_FRAMEWORK_RECORDING_RECORDING_QUEUE_H_
#define SYNCLINE_FRAMEWORK_RECORDING_RECORDING_QUEUE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "framework/base/cond_var.h"
#include "framework/base/hash_map.h"
#include "framework/base/mutex.h"
#include "framework/calculator/packet_times.h"
#include "framework/packet/packet.h"

namespace syncline {

class RecordingQueue {
 public:
  // What Put does while too many bytes wait.
  enum class WhenFull { kBlock, kDrop };

  struct Entry {
    std::int64_t seq = 0;
    int stream = 0;
    std::int64_t arrival_ns = 0;
    // Empty: its timestamp is the stream's bound. Unset: a gap.
    Packet packet;
    // For a gap: the number of packets that are missing.
    std::int64_t missing = 0;
    // For a packet whose message times are known: these times, without
    // arrival_ns.
    PacketTimes times = {};
  };

  // A single packet may be larger than `max_bytes`. `on_first_full` is called
  // with the stream the first time that Put has to wait, or drops, before it
  // does so, on the thread that calls Put.
  RecordingQueue(WhenFull when_full, std::int64_t max_bytes,
                 std::function<void(int stream)> on_first_full = nullptr);

  // `arrival_ns` counts from the making of the queue. False: the queue is
  // closed, and takes nothing more.
  bool Put(int stream, const Packet& packet,
           const PacketTimes& times = PacketTimes())
      ABSL_LOCKS_EXCLUDED(mutex_);

  // Moves all that waits into `entries`. Waits for a first entry, and then
  // until that is `gather` old or the queue is half full, so that many entries
  // come at once. False: the queue is closed and empty.
  bool Take(absl::Duration gather, std::vector<Entry>* entries)
      ABSL_LOCKS_EXCLUDED(mutex_);

  // Whoever waits returns. Closing again is no error.
  void Close() ABSL_LOCKS_EXCLUDED(mutex_);

  struct Counts {
    std::int64_t packets = 0;
    std::int64_t dropped = 0;
    // Times that Put had to wait.
    std::int64_t waits = 0;
  };
  Counts counts() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  enum class Outcome { kTaken, kFull, kClosed };

  // Puts the packet in. Where there is no room: returns kFull, or, if it
  // `waits`, waits for room or drops the packet.
  Outcome TryPut(int stream, const Packet& packet, const PacketTimes& times,
                 std::int64_t bytes, bool waits) ABSL_LOCKS_EXCLUDED(mutex_);
  // Notes a packet or a bound that there is no room for.
  void NoteLate(int stream, const Packet& packet)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  // The signals that are to be sent once the lock is released.
  struct Signals {
    bool is_first = false;
    bool is_half_full = false;
  };
  Signals Append(int stream, const Packet& packet, const PacketTimes& times,
                 std::int64_t bytes) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Send(Signals signals);
  bool IsFull(std::int64_t bytes) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return bytes_ > 0 && bytes_ + bytes > max_bytes_;
  }

  const WhenFull when_full_;
  const std::int64_t max_bytes_;
  const std::function<void(int stream)> on_first_full_;
  const std::int64_t start_ns_;
  std::atomic<bool> was_full_{false};

  mutable Mutex mutex_;
  CondVar not_empty_;
  CondVar half_full_;
  CondVar not_full_;
  std::vector<Entry> entries_ ABSL_GUARDED_BY(mutex_);
  // By stream: the places in `entries_` of its gap and its bound, as long as no
  // other entry of the stream has come after them.
  struct Late {
    absl::optional<std::size_t> gap;
    absl::optional<std::size_t> bound;
  };
  HashMap<int, Late> late_ ABSL_GUARDED_BY(mutex_);
  std::int64_t bytes_ ABSL_GUARDED_BY(mutex_) = 0;
  std::int64_t last_seq_ ABSL_GUARDED_BY(mutex_) = 0;
  bool is_closed_ ABSL_GUARDED_BY(mutex_) = false;
  Counts counts_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RECORDING_RECORDING_QUEUE_H_
