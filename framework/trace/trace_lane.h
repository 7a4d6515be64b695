// TraceLane: where one thread notes what happens to it.
//
// A lane has the time of its last event. What follows from an event at once is
// noted at the same time, so that the clock is read twice for a call and not
// for each packet of it; and once for a call that the thread begins as soon as
// the last one has ended.
//
// A READER that must not miss an event is called by the thread itself, before a
// call, when half of the ring is filled with what the reader has not read.
//
// Thread rule: the thread that has the lane; ring() and HasRead() any thread.
// Tested by trace_recorder_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_TRACE_LANE_H_
#define SYNCLINE_FRAMEWORK_TRACE_TRACE_LANE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "absl/strings/string_view.h"
#include "framework/trace/trace_event.h"
#include "framework/trace/trace_ring.h"
#include "framework/trace/trace_ticks.h"

namespace syncline {

class TraceReader {
 public:
  virtual ~TraceReader() = default;
  // Reads now, on the thread of a lane that is about to begin a call.
  virtual void ReadNow() = 0;
};

class TraceLane {
 public:
  // `now` gives the ticks; null: the counter of the processor. `reader` holds
  // the reader; null: none misses anything. Both are borrowed.
  TraceLane(std::size_t capacity, const std::function<std::uint64_t()>* now,
            const std::atomic<TraceReader*>* reader)
      : ring_(capacity), now_(now), reader_(reader) {
    HasRead(0);
  }

  // For events that are no thread's, at times that are given; `name` says whose
  // they are. No reader is called.
  TraceLane(std::size_t capacity, absl::string_view name)
      : ring_(capacity, name), now_(nullptr), reader_(nullptr) {
    HasRead(0);
  }

  // Before a call. Lets the reader read, if it has to; then it reads the clock
  // again.
  void MakeRoom() {
    ring_.Prefetch();
    if (ABSL_PREDICT_FALSE(ring_.next() >=
                           full_at_.load(std::memory_order_relaxed))) {
      LetReaderRead();
    }
  }
  // The reader has read so many events of the ring.
  void HasRead(std::uint64_t events) {
    full_at_.store(events + ring_.capacity() / 2, std::memory_order_relaxed);
  }

  // The events that follow are at this time.
  void ReadClock() { tick_ = now_ == nullptr ? CounterTicks() : (*now_)(); }
  void SetTick(std::uint64_t tick) { tick_ = tick; }
  // Reads the clock, and notes.
  void NoteNow(TraceKind kind, int id, std::int64_t timestamp,
               std::uint32_t extra = 0) {
    ReadClock();
    Note(kind, id, timestamp, extra);
  }
  // The same at the time that was read last, which has just been.
  void Note(TraceKind kind, int id, std::int64_t timestamp,
            std::uint32_t extra = 0) {
    ring_.Note({.tick = tick_,
                .timestamp = timestamp,
                .kind_and_id =
                    TraceEvent::KindAndId(kind, static_cast<std::uint32_t>(id)),
                .extra = extra});
  }
  const TraceRing& ring() const { return ring_; }

 private:
  ABSL_ATTRIBUTE_NOINLINE void LetReaderRead() {
    // As far as it reads, at least.
    HasRead(ring_.next());
    TraceReader* const reader = reader_->load(std::memory_order_acquire);
    if (reader != nullptr) reader->ReadNow();
    ReadClock();
  }

  TraceRing ring_;
  const std::function<std::uint64_t()>* const now_;
  const std::atomic<TraceReader*>* const reader_;
  std::uint64_t tick_ = 0;
  // When so many events were noted, the reader has to read.
  std::atomic<std::uint64_t> full_at_{0};
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_TRACE_LANE_H_
