// The packets that wait at one input port of one node, with the port's bound.
//
// A queue is bookkeeping: it keeps the order, checks timestamps, and says what
// happened as facts. Whoever holds the node's lock acts on them. It knows
// neither streams nor nodes nor threads.
//
//   queue   10  20  25 | bound 26     MinTimestampOrBound() = 10
//   queue              | bound 26     MinTimestampOrBound() = 26
//
// The limit is soft: a queue never refuses a packet that is on its way. The
// sources of packets are held back instead.
//
// Invariants: the timestamps of waiting packets rise and lie below the bound
// (unless time is ignored); the bound never goes down.
//
// Thread rule: one thread at a time; a node's lock guards its queues. Pass may
// run beside functions that neither add nor take packets, if those raise the
// bound with RaiseBoundBesidePass only, to at most the time of the packet.
// Tested by input_queue_test.

#ifndef SYNCLINE_FRAMEWORK_STREAM_INPUT_QUEUE_H_
#define SYNCLINE_FRAMEWORK_STREAM_INPUT_QUEUE_H_

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "absl/types/span.h"
#include "framework/base/ring.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/stream/drop_cause.h"

namespace syncline {

// One cache line.
class alignas(64) InputQueue {
 public:
  static constexpr int kNoLimit = -1;

  enum class Added : std::uint8_t {
    kOk,
    // The timestamp is below the bound: queue and packet are unchanged.
    kGoesBack,
    // The queue is closed: the packet is counted as dropped, and unchanged.
    kDropped,
  };

  explicit InputQueue(int limit = kNoLimit) : limit_(limit) {}

  // Adds a packet. REQUIRES: its timestamp is one that a packet may have. A
  // packet that the queue does not take, also because there is no memory, stays
  // with the caller.
  Added Add(Packet&& packet) {
    const Timestamp timestamp = packet.Timestamp();
    if (ABSL_PREDICT_FALSE(timestamp < bound() && !ignores_time_)) {
      return closed_ ? Drop() : Added::kGoesBack;
    }
    if (ABSL_PREDICT_FALSE(closed_)) return Drop();
    packets_.push_back(std::move(packet));
    CountAdded();
    // Where time is ignored, the bound only says whether the stream has ended.
    if (!ignores_time_) SetBound(timestamp.NextAllowedInStream());
    return Added::kOk;
  }

  // Whether Add() would take a packet at `timestamp`.
  bool Accepts(Timestamp timestamp) const {
    return !closed_ && (timestamp >= bound() || ignores_time_);
  }

  // Whether AddFirst() may be called: no packet waits, and `timestamp` is not
  // below the bound.
  bool CanAddFirst(Timestamp timestamp) const {
    return packets_.empty() && timestamp >= bound() && !ignores_time_;
  }
  // Does what Add does, for a packet that comes to an empty queue. `timestamp`
  // is that of the packet. REQUIRES: CanAddFirst(timestamp).
  void AddFirst(Packet&& packet, Timestamp timestamp) {
    packets_.push_first(std::move(packet));
    Pass(timestamp, Timestamp::Unset());
  }
  // Counts a packet that need not wait, as if it had been added and taken at
  // once, and raises the bound to `bound`. Returns the bound that the packet
  // alone makes. REQUIRES: no packet waits, and timestamp >= this->bound().
  Timestamp Pass(Timestamp timestamp, Timestamp bound) {
    const Timestamp after = timestamp.NextAllowedInStream();
    CountAdded();
    SetBound(std::max(after, bound));
    return after;
  }

  // True if the bound has risen. A `bound` that is not above the present one
  // changes nothing: bounds that a node passes on may overtake each other.
  bool RaiseBound(Timestamp bound) {
    if (bound <= this->bound()) return false;
    SetBound(bound);
    return true;
  }
  // The same for a bound that is not below the present one.
  void MoveBound(Timestamp bound) { SetBound(bound); }
  // The same while another thread may call Pass.
  bool RaiseBoundBesidePass(Timestamp bound) {
    Timestamp seen = this->bound();
    while (bound > seen) {
      if (bound_.compare_exchange_weak(seen, bound, std::memory_order_relaxed))
        return true;
    }
    return false;
  }

  // The node is closed: packets that wait are dropped and counted under
  // `cause`, and so are packets that come from now on.
  void Close(DropCause cause = DropCause::kAtClose) {
    while (!packets_.empty()) DropFrontFor(cause);
    closed_ = true;
    SetBound(Timestamp::Done());
  }

  // Packets are taken in the order they come, whatever their time.
  void IgnoreTime() { ignores_time_ = true; }
  bool ignores_time() const { return ignores_time_; }

  bool empty() const { return packets_.empty(); }
  std::int64_t size() const {
    return static_cast<std::int64_t>(packets_.size());
  }
  bool closed() const { return closed_; }
  Timestamp bound() const { return bound_.load(std::memory_order_relaxed); }
  // REQUIRES: !empty().
  const Packet& front() const { return packets_.front(); }
  // The packet `i` places behind the front. REQUIRES: i < size().
  const Packet& at(std::int64_t i) const { return packets_.at(i); }

  // The earliest time at which there is a packet, or may still be one.
  Timestamp MinTimestampOrBound() const {
    return packets_.empty() ? bound() : packets_.front().Timestamp();
  }
  // No packet waits, and none can come.
  bool Finished() const {
    return packets_.empty() && bound() >= Timestamp::OneOverPostStream();
  }
  // No packet waits, and the stream was closed.
  bool Done() const { return packets_.empty() && bound() == Timestamp::Done(); }
  // The last time up to which this input is settled. An empty packet in an
  // input set carries it.
  Timestamp SettledTimestamp() const {
    return MinTimestampOrBound().PreviousAllowedInStream();
  }

  // Takes the packet at `timestamp`, or an empty one at SettledTimestamp().
  // Packets before it are dropped and counted. From now on a packet that comes
  // at or below `timestamp` is refused, because it goes back.
  Packet TakeAt(Timestamp timestamp) {
    return HasAt(timestamp) ? packets_.pop_front() : TakeAtSlowly(timestamp);
  }
  // Whether the front is at `timestamp`.
  bool HasAt(Timestamp timestamp) const {
    return !packets_.empty() && packets_.front().Timestamp() == timestamp &&
           bound() > timestamp;
  }
  // The same, and no other packet waits.
  bool HasOnlyAt(Timestamp timestamp) const {
    return packets_.size() == 1 && packets_.front().Timestamp() == timestamp &&
           bound() > timestamp;
  }
  // Takes the front. REQUIRES: !empty().
  Packet TakeFront() { return packets_.pop_front(); }
  // The same. REQUIRES: size() == 1.
  Packet TakeOnly() { return packets_.pop_only(); }
  // For policies: drops and counts every packet before `timestamp`.
  void DropBefore(Timestamp timestamp) {
    DropBeforeFor(DropCause::kByPolicy, timestamp);
  }
  // For policies: drops and counts the front. REQUIRES: !empty().
  void DropFront(DropCause cause = DropCause::kByPolicy) {
    DropFrontFor(cause);
  }
  // Counts a packet as dropped that is not in the queue: Add has refused it, or
  // it was taken for a call that never came.
  void NoteDropped(DropCause cause, std::int64_t count = 1) {
    MakeDropped().counts.Add(cause, count);
  }
  // For policies: releases a packet that calls have seen, later and without a
  // lock, as dropped packets are. It does not count as dropped.
  void Discard(Packet&& packet) {
    MakeDropped().trash.push_back(std::move(packet));
  }
  // The packets that were dropped. The queue keeps them until MoveTrashTo,
  // because the destructor of a value may run any code, and the queue is used
  // under a lock.
  bool has_trash() const {
    return dropped_ != nullptr && !dropped_->trash.empty();
  }
  // Appends them to `trash`. Without memory for that, they stay in the queue.
  void MoveTrashTo(std::vector<Packet>* trash) {
    if (!has_trash()) return;
    dropped_->notes.clear();
    std::vector<Packet>& dropped = dropped_->trash;
    trash->insert(trash->end(), std::make_move_iterator(dropped.begin()),
                  std::make_move_iterator(dropped.end()));
    dropped = {};
  }

  // A packet of the queue that was dropped.
  struct DropNote {
    Timestamp timestamp;
    DropCause cause;
  };
  // Those since the last MoveTrashTo.
  absl::Span<const DropNote> drop_notes() const {
    if (dropped_ == nullptr) return {};
    return dropped_->notes;
  }

  int limit() const { return limit_; }
  void SetLimit(int limit) { limit_ = limit; }
  // Unsigned, so that kNoLimit is the greatest number.
  bool Full() const {
    return packets_.size() >= static_cast<std::uint32_t>(limit_);
  }

  // Whether the node should look at the queue: packets were dropped, the queue
  // became full or stopped being full, or it holds so many packets for the
  // first time that their bytes may matter. A queue that is full may go on
  // growing, so the node looks at it each time.
  bool HasFacts() const {
    return Full() || packets_.size() >> log_of_look_ != 0 || known_full_ ||
           has_trash();
  }
  // Whether the queue holds 2, 4, 8 ... packets for the first time, up to
  // `most`. However few they are, they may be large.
  bool TakeLook(std::int64_t most) {
    if (packets_.size() >> log_of_look_ == 0) return false;
    log_of_look_ = size() >= most ? kNoLook
                                  : static_cast<std::uint8_t>(std::bit_width(
                                        static_cast<std::uint64_t>(size())));
    return true;
  }
  void ForgetLooks() { log_of_look_ = 1; }
  // Whether the queue is longer by a quarter than when this was last true. For
  // queues that grow although they should not.
  bool TakeGrowth() {
    const std::uint8_t level = LevelOf(size());
    if (level <= level_) return false;
    level_ = level;
    return true;
  }
  void ForgetGrowth() { level_ = 0; }
  // The length at which TakeGrowth says so next.
  std::int64_t NextGrowth() const { return LengthOf(level_ + 1); }
  // Whether the queue became full (+1) or stopped being full (-1) since this
  // was last asked; else 0.
  int TakeFullChange() {
    const bool full = Full();
    if (ABSL_PREDICT_TRUE(full == known_full_)) return 0;
    known_full_ = full;
    return full ? 1 : -1;
  }

  // added(): the packets that Add has accepted. drops(): the accepted packets
  // that were dropped, and the packets that were refused because they came
  // after Close or went back.
  std::int64_t added() const { return added_.load(std::memory_order_relaxed); }
  std::int64_t dropped() const { return drops().total(); }
  DropCounts drops() const {
    return dropped_ == nullptr ? DropCounts() : dropped_->counts;
  }

 private:
  static constexpr std::uint8_t kNoLook = 63;

  // Four levels for each doubling: 4, 5, 6, 7, 8, 10, 12, 14, 16 ...
  static std::uint8_t LevelOf(std::int64_t size) {
    if (size < 4) return 0;
    const int doublings = std::bit_width(static_cast<std::uint64_t>(size)) - 1;
    return static_cast<std::uint8_t>(4 * doublings +
                                     (size >> (doublings - 2) & 3));
  }
  static std::int64_t LengthOf(int level) {
    if (level < 8) return 4;
    return (std::int64_t{4} + level % 4) << (level / 4 - 2);
  }

  // TakeAt where the front packet is not at `timestamp`.
  ABSL_ATTRIBUTE_NOINLINE Packet TakeAtSlowly(Timestamp timestamp) {
    DropBeforeFor(DropCause::kSkipped, timestamp);
    // A queue that is past the timestamp keeps its bound: what follows
    // PreStream is the end, but only for the stream that had it.
    if (bound() <= timestamp) SetBound(timestamp.NextAllowedInStream());
    if (!packets_.empty() && packets_.front().Timestamp() == timestamp) {
      return packets_.pop_front();
    }
    return Packet().At(SettledTimestamp());
  }
  // What only few queues need.
  struct Dropped {
    DropCounts counts;
    std::vector<Packet> trash;
    std::vector<DropNote> notes;
  };
  Dropped& MakeDropped() {
    if (dropped_ == nullptr) dropped_ = std::make_unique<Dropped>();
    return *dropped_;
  }
  void DropFrontFor(DropCause cause) {
    // Without memory for the trash, the packet stays where it is.
    Dropped& dropped = MakeDropped();
    dropped.notes.push_back({packets_.front().Timestamp(), cause});
    dropped.trash.push_back(std::move(packets_.front()));
    packets_.pop_front();
    NoteDropped(cause);
  }
  void DropBeforeFor(DropCause cause, Timestamp timestamp) {
    while (!packets_.empty() && packets_.front().Timestamp() < timestamp) {
      DropFrontFor(cause);
    }
  }
  ABSL_ATTRIBUTE_NOINLINE Added Drop() {
    NoteDropped(DropCause::kAfterClose);
    return Added::kDropped;
  }

  void SetBound(Timestamp bound) {
    bound_.store(bound, std::memory_order_relaxed);
  }
  void CountAdded() { added_.store(added() + 1, std::memory_order_relaxed); }

  std::atomic<Timestamp> bound_{Timestamp::PreStream()};
  std::atomic<std::int64_t> added_{0};
  std::unique_ptr<Dropped> dropped_;
  // Its last bytes are free; the members after it lie there.
  [[no_unique_address]] Ring<Packet> packets_;
  bool closed_ : 1 = false;
  bool ignores_time_ : 1 = false;
  bool known_full_ : 1 = false;
  std::uint8_t log_of_look_ = 1;
  std::uint8_t level_ = 0;
  int limit_;
};
static_assert(sizeof(InputQueue) == 64);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_STREAM_INPUT_QUEUE_H_
