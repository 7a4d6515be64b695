#include "framework/trace/trace_calls.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "absl/types/optional.h"
#include "framework/base/hash_map.h"
#include "framework/trace/call_tracker.h"

namespace syncline {
namespace {

// A packet, and the position of the call that took or sent it.
struct PacketOf {
  std::int32_t call;
  TracedPacket packet;
};

class Builder {
 public:
  explicit Builder(const Trace& trace)
      : trace_(trace),
        tracker_(trace),
        sender_(trace.threads.size()),
        has_results_(trace.header.node_size()),
        ended_(trace.header.node_size()) {
    for (const TraceThread& thread : trace.threads) {
      for (const TraceEvent& event : thread.events) {
        if (event.kind() == TraceKind::kResults) {
          has_results_[event.id()] = true;
        }
      }
    }
  }

  void Add(int thread, const TraceEvent& event) {
    last_tick_ = std::max(last_tick_, event.tick);
    const CallTracker::Step step = tracker_.Add(thread, event);
    if (step.is_after_gap) sender_[thread].reset();
    if (step.began != nullptr) {
      sender_[thread].reset();
      step.began->note = NewCall(thread, *step.began);
    } else if (step.ended != nullptr) {
      sender_[thread] = End(thread, event, *step.ended);
    } else if (event.kind() == TraceKind::kResults) {
      sender_[thread] = FindResults(event);
    } else if (event.kind() == TraceKind::kTaken) {
      AddTaken(thread, event);
    } else if (event.kind() == TraceKind::kSent) {
      AddSent(thread, event);
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
  std::int32_t NewCall(int thread, const CallTracker::Call& tracked) {
    TracedCall call;
    call.kind = tracked.kind;
    call.node = tracked.node;
    call.thread = thread;
    call.begin_is_known = tracked.begin_is_known;
    call.end_is_known = false;
    call.timestamp = tracked.timestamp;
    call.begin = tracked.begin;
    call.ready = tracked.ready;
    calls_.push_back(call);
    return static_cast<std::int32_t>(calls_.size()) - 1;
  }

  // The position of the call.
  std::int32_t End(int thread, const TraceEvent& event,
                   const CallTracker::Call& tracked) {
    const std::int32_t position =
        tracked.begin_is_known ? tracked.note : NewCall(thread, tracked);
    TracedCall& call = calls_[position];
    call.end_is_known = true;
    call.end = std::max(event.tick, call.begin);
    call.status_code = event.extra;
    if (has_results_[event.id()]) {
      ended_[event.id()][event.timestamp] = position;
    }
    return position;
  }

  absl::optional<std::int32_t> FindResults(const TraceEvent& event) const {
    const auto found = ended_[event.id()].find(event.timestamp);
    if (found == ended_[event.id()].end()) return absl::nullopt;
    return found->second;
  }

  void AddTaken(int thread, const TraceEvent& event) {
    if (tracker_.open(thread).empty()) return;
    taken_.push_back({tracker_.open(thread).back().note,
                      {static_cast<std::int32_t>(event.id()),
                       static_cast<std::int32_t>(event.extra), event.timestamp,
                       event.tick}});
  }

  void AddSent(int thread, const TraceEvent& event) {
    const TracedPacket packet = {static_cast<std::int32_t>(event.id()), -1,
                                 event.timestamp, event.tick};
    const int producer = trace_.header.stream(packet.stream).producer();
    const absl::optional<std::int32_t> sender = sender_[thread];
    if (producer < 0) {
      added_.push_back(packet);
    } else if (sender.has_value() && calls_[*sender].node == producer) {
      sent_.push_back({*sender, packet});
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
  CallTracker tracker_;
  // By thread: the call that ended last, unless another one has begun since, or
  // that whose results are sent.
  std::vector<absl::optional<std::int32_t>> sender_;
  std::uint64_t last_tick_ = 0;
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
