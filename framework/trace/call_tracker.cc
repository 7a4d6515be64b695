#include "framework/trace/call_tracker.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>

namespace syncline {
namespace {

// Calls of one node that became ready and have not begun. The oldest are
// forgotten: their begins are lost.
constexpr std::size_t kMaxReady = 256;
// Calls of one thread that have begun and not ended. The outermost are
// forgotten: their ends are lost.
constexpr std::size_t kMaxNesting = 256;

// No timestamp.
constexpr std::int64_t kUnset = std::numeric_limits<std::int64_t>::min();

// The begin of the call that kReady announces.
TraceKind BeginOfReady(std::uint32_t extra) {
  return extra == 1   ? TraceKind::kOpenBegin
         : extra == 2 ? TraceKind::kCloseBegin
                      : TraceKind::kProcessBegin;
}

// The begin of the call that `end` ends.
TraceKind BeginOfEnd(TraceKind end) {
  return end == TraceKind::kOpenEnd    ? TraceKind::kOpenBegin
         : end == TraceKind::kCloseEnd ? TraceKind::kCloseBegin
                                       : TraceKind::kProcessBegin;
}

}  // namespace

bool IsCallBegin(TraceKind kind) {
  return kind == TraceKind::kProcessBegin || kind == TraceKind::kOpenBegin ||
         kind == TraceKind::kCloseBegin;
}

bool IsCallEnd(TraceKind kind) {
  return kind == TraceKind::kProcessEnd || kind == TraceKind::kOpenEnd ||
         kind == TraceKind::kCloseEnd;
}

CallTracker::CallTracker(const Trace& trace)
    : ready_(trace.header.node_size()) {
  for (const TraceThread& thread : trace.threads) {
    Thread& state = threads_.emplace_back();
    state.next_piece = thread.events.pieces().data();
    state.last_piece = state.next_piece + thread.events.pieces().size();
  }
}

CallTracker::Step CallTracker::Add(int thread, const TraceEvent& event) {
  Thread& state = threads_[thread];
  Step step;
  lost_.clear();
  step.is_after_gap = EnterPiece(event, &state);
  if (IsCallBegin(event.kind())) {
    step.began = Begin(event, &state);
  } else if (IsCallEnd(event.kind())) {
    step.ended = End(event, &state);
  } else if (event.kind() == TraceKind::kReady) {
    AddReady(event);
  }
  step.lost = lost_;
  return step;
}

bool CallTracker::EnterPiece(const TraceEvent& event, Thread* thread) {
  if (thread->next_piece == thread->last_piece ||
      &event != thread->next_piece->events.data()) {
    return false;
  }
  const bool is_gap = thread->next_piece->lost_before > 0;
  if (is_gap) lost_.swap(thread->open);
  if (is_gap || !thread->first_tick.has_value()) {
    thread->first_tick = event.tick;
  }
  ++thread->next_piece;
  return is_gap;
}

CallTracker::Call* CallTracker::Begin(const TraceEvent& event, Thread* thread) {
  if (thread->open.size() == kMaxNesting) {
    lost_.push_back(thread->open.front());
    thread->open.erase(thread->open.begin());
  }
  Call& call = thread->open.emplace_back();
  call.kind = event.kind();
  call.node = static_cast<std::int32_t>(event.id());
  call.timestamp = event.timestamp;
  call.begin = event.tick;
  call.ready = TakeReady(event);
  return &call;
}

CallTracker::Call* CallTracker::End(const TraceEvent& event, Thread* thread) {
  const TraceKind kind = BeginOfEnd(event.kind());
  const auto node = static_cast<std::int32_t>(event.id());
  const auto found = std::find_if(
      thread->open.rbegin(), thread->open.rend(),
      [&](const Call& c) { return c.node == node && c.kind == kind; });
  if (found == thread->open.rend()) {
    ended_ = Call();
    ended_.kind = kind;
    ended_.node = node;
    ended_.timestamp = event.timestamp;
    ended_.begin_is_known = false;
    ended_.begin =
        std::min(thread->first_tick.value_or(event.tick), event.tick);
    return &ended_;
  }
  ended_ = *found;
  lost_.insert(lost_.end(), found.base(), thread->open.end());
  thread->open.erase(std::prev(found.base()), thread->open.end());
  return &ended_;
}

void CallTracker::AddReady(const TraceEvent& event) {
  std::deque<Ready>& ready = ready_[event.id()];
  if (ready.size() == kMaxReady) ready.pop_front();
  ready.push_back({BeginOfReady(event.extra), event.timestamp, event.tick});
}

// A timestamp that is unset is not known before the call begins, and then the
// one that was ready first is the one. Calls of a node that overlap need not
// begin in the order in which they became ready.
std::uint64_t CallTracker::TakeReady(const TraceEvent& begin) {
  std::deque<Ready>& ready = ready_[begin.id()];
  const auto found =
      std::find_if(ready.begin(), ready.end(), [&begin](const Ready& r) {
        return r.begin == begin.kind() &&
               (r.timestamp == begin.timestamp || r.timestamp == kUnset);
      });
  if (found == ready.end()) return 0;
  const std::uint64_t tick = found->tick;
  ready.erase(found);
  return tick;
}

}  // namespace syncline
