// AccessOrder: which work of which stream is ordered after which other work.
//
// Idea: vector clocks. The work of a stream is numbered. A stream knows, of
// each stream, up to which number work has to end before its own next work
// begins: its own work, what it waited for, and what those whom it waited for
// knew when their event was recorded. The host has such a clock, too; work that
// is submitted later comes after all that the host knows to have ended.
//
//   a: 1 2 [event]      event: a up to 2
//   b: 1 [wait] 3       b knows: a up to 2, b up to 2 (the wait is work)
//   c: [wait for b's event after 3] 2      c knows: a 2, b 3, c 1
//
// Order that follows from nothing but chance is none: a stream that happens to
// be slow is not waited for.
//
// Thread rule: one thread at a time.
// Tested by access_order_test.

#ifndef SYNCLINE_GPU_ACCESS_ORDER_H_
#define SYNCLINE_GPU_ACCESS_ORDER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace syncline::gpu {

using StreamId = std::size_t;

// All work of a stream up to its `number`-th, from 1; 0 is none.
struct WorkPosition {
  StreamId stream = 0;
  std::uint64_t number = 0;
};

class WorkClock {
 public:
  bool Covers(WorkPosition position) const {
    return position.number <= Of(position.stream);
  }
  std::uint64_t Of(StreamId stream) const {
    return stream < numbers_.size() ? numbers_[stream] : 0;
  }
  void Raise(WorkPosition position);
  // True if it knows more than before.
  bool Merge(const WorkClock& other);

 private:
  std::vector<std::uint64_t> numbers_;  // by stream
};

class AccessOrder {
 public:
  // A stream that knows what the host knows. Ids of streams that were dropped
  // are used again when their work has ended; the numbers go on.
  StreamId AddStream();
  void DropStream(StreamId stream);
  // All work of a stream that was dropped has ended.
  void DroppedStreamEnded(StreamId stream);

  // One more piece of work.
  WorkPosition Add(StreamId stream);
  WorkPosition Now(StreamId stream) const;
  // What an event knows that is recorded now.
  const WorkClock& ClockOf(StreamId stream) const {
    return streams_[stream].clock;
  }

  // Whether the next work of `stream` begins after `position` has ended.
  bool IsKnown(StreamId stream, WorkPosition position) const {
    return streams_[stream].clock.Covers(position) || host_.Covers(position);
  }
  bool HostKnows(WorkPosition position) const { return host_.Covers(position); }

  // The stream was told to wait for an event that knows `clock`. That is a
  // piece of work, so that a later event of the stream is another one.
  void StreamWaits(StreamId stream, const WorkClock& clock);
  // The host saw that an event has ended.
  void HostWaited(const WorkClock& clock);

 private:
  struct StreamState {
    WorkClock clock;  // of its own work, too
    // How much of the host's clock is in it.
    std::uint64_t host_version = 0;
  };

  std::vector<StreamState> streams_;
  std::vector<StreamId> dropped_;
  std::vector<StreamId> ended_;  // of dropped ones
  WorkClock host_;
  std::uint64_t host_version_ = 0;
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_ACCESS_ORDER_H_
