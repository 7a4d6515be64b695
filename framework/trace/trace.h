// Trace: what a run of a graph noted, as a value to look at.
//
// A trace has the events of each thread, in the order of time, and the names
// that numbers stand for. Every report and every other form of a trace (pages,
// GraphProfile, Perfetto's) is made from this one.
//
// Thread rule: a value; const functions any thread.
// Tested by trace_file_test and trace_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_TRACE_H_
#define SYNCLINE_FRAMEWORK_TRACE_TRACE_H_

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "framework/config/trace_file.pb.h"
#include "framework/trace/trace_event.h"

namespace syncline {

// The same moment, as three clocks have it.
struct TraceClockPoint {
  std::uint64_t tick = 0;
  // Nanoseconds of a clock that never goes back: CLOCK_MONOTONIC, or the clock
  // of a graph in simulated time.
  std::int64_t steady_ns = 0;
  // Nanoseconds since 1970.
  std::int64_t unix_ns = 0;
};

// The events of a thread, in the order of time. They lie in one or more pieces
// of memory, as the chunks of a file do, and are not copied: whoever has them
// keeps that memory. Goes over like a container:
//
//   for (const TraceEvent& event : thread.events) ...
class TraceEvents {
 public:
  // Is not empty.
  struct Piece {
    absl::Span<const TraceEvent> events;
    // So many events that would come before these are lost.
    std::int64_t lost_before = 0;
  };

  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = TraceEvent;
    using difference_type = std::ptrdiff_t;
    using pointer = const TraceEvent*;
    using reference = const TraceEvent&;

    Iterator() = default;
    reference operator*() const { return *event_; }
    pointer operator->() const { return event_; }
    Iterator& operator++() {
      if (++event_ == end_) EnterPiece(piece_ + 1);
      return *this;
    }
    Iterator operator++(int) {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) {
      return a.piece_ == b.piece_ && a.event_ == b.event_;
    }

   private:
    friend class TraceEvents;
    Iterator(const Piece* piece, const Piece* last) : last_(last) {
      EnterPiece(piece);
    }
    void EnterPiece(const Piece* piece) {
      piece_ = piece;
      event_ = piece == last_ ? nullptr : piece->events.data();
      end_ = piece == last_ ? nullptr : event_ + piece->events.size();
    }

    const Piece* piece_ = nullptr;
    const Piece* last_ = nullptr;
    const TraceEvent* event_ = nullptr;
    const TraceEvent* end_ = nullptr;
  };
  using const_iterator = Iterator;
  using value_type = TraceEvent;

  TraceEvents() = default;
  // One piece. Implicit, since most traces that are not read from files have
  // the events of a thread in one array.
  TraceEvents(absl::Span<const TraceEvent> events) {  // NOLINT
    Append(events);
  }
  TraceEvents(const std::vector<TraceEvent>& events) {  // NOLINT
    Append(events);
  }

  // What is lost before no events is lost before those that are appended next.
  void Append(absl::Span<const TraceEvent> events,
              std::int64_t lost_before = 0);

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  // REQUIRES: !empty()
  const TraceEvent& front() const { return pieces_.front().events.front(); }
  const TraceEvent& back() const { return pieces_.back().events.back(); }
  Iterator begin() const {
    return Iterator(pieces_.data(), pieces_.data() + pieces_.size());
  }
  Iterator end() const {
    const Piece* const last = pieces_.data() + pieces_.size();
    return Iterator(last, last);
  }
  const std::vector<Piece>& pieces() const { return pieces_; }

 private:
  std::vector<Piece> pieces_;
  std::size_t size_ = 0;
  // Before the next piece.
  std::int64_t lost_ = 0;
};

// What devices did is that of a thread of this name with the number 0.
inline constexpr char kDevicesThreadName[] = "devices";
// For its events, which are noted when work is known to be done, and not in the
// order in which it was.
void SortByTick(std::vector<TraceEvent>* events);

// A thread, or an application thread that called into the graph.
struct TraceThread {
  // A thread that has ended, and was followed by another one that notes its
  // events in the same memory.
  struct Former {
    std::int64_t tid = 0;
    std::string name;
    std::size_t num_events = 0;
  };

  std::int64_t tid = 0;  // of the system; 0 if not known
  std::string name;
  // Whose the first events are, the oldest first; the rest are of the thread
  // above. Traces of files have none: there each thread has its own.
  std::vector<Former> former;
  TraceEvents events;
  // The thread noted so many more, and they are gone: before the pieces whose
  // lost_before says so, or after the last event.
  std::int64_t num_lost = 0;
};

struct Trace {
  TraceFileHeader header;
  std::vector<TraceThread> threads;
  // At least one, in the order of time.
  std::vector<TraceClockPoint> clock_points;
  // The file ends in the middle: the process was killed, or the disk was full.
  bool is_cut_off = false;
  // Lost events of which it is not known whose they are.
  std::int64_t num_lost_elsewhere = 0;
  // What the events lie in: memory, or a file that is mapped.
  std::shared_ptr<const void> storage;

  std::int64_t num_events() const;
  // Of all threads, and elsewhere.
  std::int64_t num_lost() const;
  // The time of a tick, in ns of TraceClockPoint::steady_ns. Linear between
  // clock points, and beyond the first and the last of them.
  std::int64_t Ns(std::uint64_t tick) const;
  std::int64_t UnixNs(std::uint64_t tick) const;
};

// Ticks and the times of clock points are below this, so that the difference of
// two of them has a sign, and none overflows.
inline constexpr std::uint64_t kMaxTraceTick = std::uint64_t{1} << 62;

// DATA_LOSS unless every number in the trace means what it should: nodes,
// streams and executors exist, ticks are below kMaxTraceTick, and clock points
// are in the order of time. Events of kinds that are not known are not looked
// at. All that reads traces relies on this; ReadTraceFile has checked it.
absl::Status CheckTrace(const Trace& trace);

// Calls `visit` for all events of all threads, in the order of time. Events of
// one thread keep their order; of events of several threads at the same tick,
// those of the thread with the lower number come first.
void ForEachEvent(
    const Trace& trace,
    absl::FunctionRef<void(int thread, const TraceEvent& event)> visit);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_TRACE_H_
