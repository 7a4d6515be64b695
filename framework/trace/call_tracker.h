// CallTracker: which calls the threads of a trace are in, event by event.
//
// It pairs the begin of a call with its end and with the event that said that
// the call was ready, and knows no more than the calls that have not ended: a
// report on a long trace need not hold all calls.
//
//   CallTracker tracker(trace);
//   ForEachEvent(trace, [&](int thread, const TraceEvent& event) {
//     const CallTracker::Step step = tracker.Add(thread, event);
//     if (step.ended != nullptr) ... step.ended->begin, event.tick
//   });
//
// Thread rule: for one thread at a time.
// Tested by trace_calls_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_CALL_TRACKER_H_
#define SYNCLINE_FRAMEWORK_TRACE_CALL_TRACKER_H_

#include <cstdint>
#include <deque>
#include <vector>

#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "framework/trace/trace.h"
#include "framework/trace/trace_event.h"

namespace syncline {

// True of kOpenBegin, kProcessBegin and kCloseBegin.
bool IsCallBegin(TraceKind kind);
// True of kOpenEnd, kProcessEnd and kCloseEnd.
bool IsCallEnd(TraceKind kind);

class CallTracker {
 public:
  struct Call {
    // kOpenBegin, kProcessBegin or kCloseBegin.
    TraceKind kind = TraceKind::kNone;
    std::int32_t node = 0;
    std::int64_t timestamp = 0;
    // False: the begin is lost, and `begin` is where the thread's events begin,
    // or go on after a gap.
    bool begin_is_known = true;
    std::uint64_t begin = 0;
    // 0: not known.
    std::uint64_t ready = 0;
    // Whatever the user of the tracker notes.
    std::int32_t note = -1;
  };

  struct Step {
    // Events of this thread are lost before this one: what it was doing is not
    // known any more.
    bool is_after_gap = false;
    // The call that begins or has ended with the event, or null. These are
    // there until the next call of Add.
    Call* began = nullptr;
    Call* ended = nullptr;
    // Calls of this thread whose ends are lost, as the event tells.
    absl::Span<const Call> lost;
  };

  // The trace stays longer than this. REQUIRES: CheckTrace() is OK.
  explicit CallTracker(const Trace& trace);

  // REQUIRES: all events are given, in the order of ForEachEvent.
  Step Add(int thread, const TraceEvent& event);

  // The calls that this thread is in, the innermost last.
  const std::vector<Call>& open(int thread) const {
    return threads_[thread].open;
  }

 private:
  // A call that became ready and has not begun.
  struct Ready {
    TraceKind begin;
    std::int64_t timestamp;
    std::uint64_t tick;
  };
  struct Thread {
    std::vector<Call> open;
    // Where a call begins whose begin is lost.
    absl::optional<std::uint64_t> first_tick;
    // The pieces of events that have not been entered.
    const TraceEvents::Piece* next_piece = nullptr;
    const TraceEvents::Piece* last_piece = nullptr;
  };

  // True after a gap.
  bool EnterPiece(const TraceEvent& event, Thread* thread);
  void AddReady(const TraceEvent& event);
  std::uint64_t TakeReady(const TraceEvent& begin);
  Call* Begin(const TraceEvent& event, Thread* thread);
  Call* End(const TraceEvent& event, Thread* thread);

  std::vector<Thread> threads_;
  // By node.
  std::vector<std::deque<Ready>> ready_;
  // Of the last step.
  Call ended_;
  std::vector<Call> lost_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_CALL_TRACKER_H_
