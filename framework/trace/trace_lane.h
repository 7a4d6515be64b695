// TraceLane: where one thread notes what happens to it.
//
// A lane has the time of its last event. What follows from an event at once is
// noted at the same time, so that the clock is read twice for a call and not
// for each packet of it.
//
// Thread rule: the thread that has the lane; ring() any thread.
// Tested by trace_recorder_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_TRACE_LANE_H_
#define SYNCLINE_FRAMEWORK_TRACE_TRACE_LANE_H_

#include <cstddef>
#include <cstdint>
#include <functional>

#include "framework/trace/trace_event.h"
#include "framework/trace/trace_ring.h"
#include "framework/trace/trace_ticks.h"

namespace syncline {

class TraceLane {
 public:
  // `now` gives the ticks; null: the counter of the processor. Borrowed.
  TraceLane(std::size_t capacity, const std::function<std::uint64_t()>* now)
      : ring_(capacity), now_(now) {}

  // The events that follow are at this time.
  void ReadClock() { tick_ = now_ == nullptr ? CounterTicks() : (*now_)(); }
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
  TraceRing ring_;
  const std::function<std::uint64_t()>* const now_;
  std::uint64_t tick_ = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_TRACE_LANE_H_
