#include "framework/trace/trace_calls.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <numeric>
#include <utility>

#include "absl/types/optional.h"
#include "framework/base/hash_map.h"

namespace syncline {
namespace {

// Calls of one node that became ready and have not begun. The oldest are
// forgotten: their begins are lost.
constexpr std::size_t kMaxReady = 64;
// Calls of one thread that have begun and not ended. The outermost are
// forgotten: their ends are lost.
constexpr std::size_t kMaxNesting = 256;

struct Ready {
  TraceKind kind;
  std::int64_t timestamp;
  std::uint64_t tick;
};

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

// A packet, and the position of the call that took or sent it.
struct PacketOf {
  std::int32_t call;
  TracedPacket packet;
};

// What a thread is doing.
struct ThreadState {
  // Positions of calls that have begun and not ended, the innermost last.
  std::vector<std::int32_t> open;
  // The call that ended last, unless another one has begun since.
  absl::optional<std::int32_t> ended;
  // Where a call begins whose begin is lost: the first event, or the first
  // after a gap.
  absl::optional<std::uint64_t> first_tick;
  // The pieces of events that have not begun.
  const TraceEvents::Piece* next_piece = nullptr;
  const TraceEvents::Piece* last_piece = nullptr;
};

class Builder {
 public:
  explicit Builder(const Trace& trace)
      : trace_(trace),
        ready_(trace.header.node_size()),
        has_results_(trace.header.node_size()),
        ended_(trace.header.node_size()) {
    for (const TraceThread& thread : trace.threads) {
      for (const TraceEvent& event : thread.events) {
        if (event.kind() == TraceKind::kResults)
          has_results_[event.id()] = true;
      }
      ThreadState state;
      state.next_piece = thread.events.pieces().data();
      state.last_piece = state.next_piece + thread.events.pieces().size();
      threads_.push_back(std::move(state));
    }
  }

  void Add(int thread, const TraceEvent& event) {
    ThreadState& state = threads_[thread];
    EnterPiece(event, &state);
    last_tick_ = std::max(last_tick_, event.tick);
    switch (event.kind()) {
      case TraceKind::kOpenBegin:
      case TraceKind::kProcessBegin:
      case TraceKind::kCloseBegin:
        return Begin(thread, event);
      case TraceKind::kOpenEnd:
      case TraceKind::kProcessEnd:
      case TraceKind::kCloseEnd:
        return End(thread, event);
      case TraceKind::kResults:
        return FindResults(event, &state);
      case TraceKind::kReady:
        return AddReady(event);
      case TraceKind::kTaken:
        if (state.open.empty()) return;
        taken_.push_back({state.open.back(),
                          {static_cast<std::int32_t>(event.id()),
                           static_cast<std::int32_t>(event.extra),
                           event.timestamp, event.tick}});
        return;
      case TraceKind::kSent:
        return AddSent(event, state);
      default:
        return;
    }
  }

  // Ends the calls that have not ended.
  void Finish() {
    for (TracedCall& call : calls_) {
      if (!call.end_is_known) call.end = std::max(last_tick_, call.begin);
    }
    SortByBegin();
  }

  std::vector<TracedCall> calls_;
  std::vector<PacketOf> taken_;
  std::vector<PacketOf> sent_;
  std::vector<TracedPacket> added_;

 private:
  // After a gap it is not known what the thread is doing.
  void EnterPiece(const TraceEvent& event, ThreadState* state) {
    if (state->next_piece == state->last_piece ||
        &event != state->next_piece->events.data()) {
      return;
    }
    if (state->next_piece->lost_before > 0 || !state->first_tick.has_value()) {
      state->open.clear();
      state->ended.reset();
      state->first_tick = event.tick;
    }
    ++state->next_piece;
  }

  void Begin(int thread, const TraceEvent& event) {
    TracedCall call;
    call.kind = event.kind();
    call.node = static_cast<std::int32_t>(event.id());
    call.thread = thread;
    call.timestamp = event.timestamp;
    call.begin = event.tick;
    call.end_is_known = false;
    call.ready = TakeReady(event);
    ThreadState& state = threads_[thread];
    if (state.open.size() == kMaxNesting) state.open.erase(state.open.begin());
    state.open.push_back(static_cast<std::int32_t>(calls_.size()));
    state.ended.reset();
    calls_.push_back(call);
  }

  void End(int thread, const TraceEvent& event) {
    ThreadState& state = threads_[thread];
    const TraceKind kind = BeginOfEnd(event.kind());
    // Calls within this one whose ends are missing are left as they are.
    auto found = state.open.rbegin();
    while (found != state.open.rend() &&
           (calls_[*found].node != static_cast<std::int32_t>(event.id()) ||
            calls_[*found].kind != kind)) {
      ++found;
    }
    std::int32_t position = 0;
    if (found == state.open.rend()) {
      position = static_cast<std::int32_t>(calls_.size());
      TracedCall call;
      call.kind = kind;
      call.node = static_cast<std::int32_t>(event.id());
      call.thread = thread;
      call.begin_is_known = false;
      call.timestamp = event.timestamp;
      call.begin = std::min(*state.first_tick, event.tick);
      calls_.push_back(call);
    } else {
      position = *found;
      state.open.erase(std::prev(found.base()), state.open.end());
    }
    calls_[position].end_is_known = true;
    calls_[position].end = std::max(event.tick, calls_[position].begin);
    calls_[position].status_code = event.extra;
    state.ended = position;
    if (has_results_[event.id()]) {
      ended_[event.id()][event.timestamp] = position;
    }
  }

  void FindResults(const TraceEvent& event, ThreadState* state) {
    const auto found = ended_[event.id()].find(event.timestamp);
    state->ended.reset();
    if (found != ended_[event.id()].end()) state->ended = found->second;
  }

  void AddReady(const TraceEvent& event) {
    std::deque<Ready>& ready = ready_[event.id()];
    if (ready.size() == kMaxReady) ready.pop_front();
    ready.push_back({BeginOfReady(event.extra), event.timestamp, event.tick});
  }

  // 0 if it is not known. Calls of a node that overlap need not begin in the
  // order in which they became ready.
  std::uint64_t TakeReady(const TraceEvent& begin) {
    std::deque<Ready>& ready = ready_[begin.id()];
    const auto found =
        std::find_if(ready.begin(), ready.end(), [&begin](const Ready& r) {
          return r.kind == begin.kind() && r.timestamp == begin.timestamp;
        });
    if (found == ready.end()) return 0;
    const std::uint64_t tick = found->tick;
    ready.erase(found);
    return tick;
  }

  void AddSent(const TraceEvent& event, const ThreadState& state) {
    const TracedPacket packet = {static_cast<std::int32_t>(event.id()), -1,
                                 event.timestamp, event.tick};
    const int producer = trace_.header.stream(packet.stream).producer();
    if (producer < 0) {
      added_.push_back(packet);
    } else if (state.ended.has_value() &&
               calls_[*state.ended].node == producer) {
      sent_.push_back({*state.ended, packet});
    }
  }

  // Only calls whose begins are lost are out of order.
  void SortByBegin() {
    const auto is_before = [](const TracedCall& a, const TracedCall& b) {
      return a.begin < b.begin;
    };
    if (std::is_sorted(calls_.begin(), calls_.end(), is_before)) return;
    std::vector<std::int32_t> order(calls_.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::int32_t a, std::int32_t b) {
                       return is_before(calls_[a], calls_[b]);
                     });
    std::vector<TracedCall> sorted;
    std::vector<std::int32_t> moved_to(calls_.size());
    for (const std::int32_t from : order) {
      moved_to[from] = static_cast<std::int32_t>(sorted.size());
      sorted.push_back(calls_[from]);
    }
    calls_ = std::move(sorted);
    for (PacketOf& taken : taken_) taken.call = moved_to[taken.call];
    for (PacketOf& sent : sent_) sent.call = moved_to[sent.call];
  }

  const Trace& trace_;
  std::vector<ThreadState> threads_;
  std::uint64_t last_tick_ = 0;
  // By node.
  std::vector<std::deque<Ready>> ready_;
  // By node: the trace says whose results are sent.
  std::vector<bool> has_results_;
  // By node with results, and then by timestamp: the call that ended last.
  std::vector<HashMap<std::int64_t, std::int32_t>> ended_;
};

// Moves the packets of each call next to each other, in the order of time, and
// tells the call where they are.
void Gather(const std::vector<PacketOf>& from, std::int32_t TracedCall::*first,
            std::int32_t TracedCall::*count, std::vector<TracedCall>* calls,
            std::vector<TracedPacket>* to) {
  for (const PacketOf& of : from) ++((*calls)[of.call].*count);
  std::size_t position = to->size();
  std::vector<std::size_t> next;
  next.reserve(calls->size());
  for (TracedCall& call : *calls) {
    call.*first = static_cast<std::int32_t>(position);
    next.push_back(position);
    position += call.*count;
  }
  to->resize(position);
  for (const PacketOf& of : from) (*to)[next[of.call]++] = of.packet;
}

}  // namespace

TraceCalls::TraceCalls(const Trace& trace) {
  Builder builder(trace);
  ForEachEvent(trace, [&builder](int thread, const TraceEvent& event) {
    builder.Add(thread, event);
  });
  builder.Finish();
  calls_ = std::move(builder.calls_);
  added_ = std::move(builder.added_);
  packets_.reserve(builder.taken_.size() + builder.sent_.size());
  Gather(builder.taken_, &TracedCall::first_taken, &TracedCall::num_taken,
         &calls_, &packets_);
  Gather(builder.sent_, &TracedCall::first_sent, &TracedCall::num_sent, &calls_,
         &packets_);
}

}  // namespace syncline
