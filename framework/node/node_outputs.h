// NodeOutputs: the outputs of one node: how far each has come, what a call
// sent, and what is passed on without a call.
//
// A call ends with Take for each output, which says what the readers have to be
// told. Most calls only send packets. What else a call can do (close the
// output, set a bound, send nothing) is handled apart, in two steps: Examine
// says what changes, and Apply changes it. So where calls overlap, only Apply
// needs the node's lock.
//
// Thread rule: belongs to the thread that runs the node's call; where calls
// overlap, to the thread that sends results, which holds the node's lock to
// change it. Any thread may read bounds and counts.
// Tested by node_outputs_test.

#ifndef SYNCLINE_FRAMEWORK_NODE_NODE_OUTPUTS_H_
#define SYNCLINE_FRAMEWORK_NODE_NODE_OUTPUTS_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "framework/calculator/context.h"
#include "framework/calculator/output_stream.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/stream/bound_after_call.h"

namespace syncline {

// The time that the timestamp offset of a node counts from, for a call: its
// input timestamp. A call at Max() without packets may only say that one input
// has ended, while others go on below. It promises nothing, which Unstarted()
// says.
Timestamp TimeOfPromisesAtMax(const CalculatorContext& context);
inline Timestamp TimeOfPromises(const CalculatorContext& context) {
  const Timestamp timestamp = context.InputTimestamp();
  return ABSL_PREDICT_TRUE(timestamp != Timestamp::Max())
             ? timestamp
             : TimeOfPromisesAtMax(context);
}

class NodeOutputs {
 public:
  // What a call did to an output: the packets that it sent, which may be moved
  // out, and the bound of the stream now.
  struct Sent {
    absl::Span<Packet> packets;
    Timestamp bound;
    // There is something that the readers have to be told.
    bool tells_readers = false;
  };
  struct Change {
    Sent sent;
    bool closes = false;
    bool is_due = false;  // something changes
  };

  NodeOutputs() = default;
  ~NodeOutputs();
  NodeOutputs(const NodeOutputs&) = delete;
  NodeOutputs& operator=(const NodeOutputs&) = delete;

  // To be called once, before everything else. `memory` outlives this object.
  void Place(absl::Span<const PlanOutput> outputs,
             std::pmr::memory_resource* memory);
  int size() const { return size_; }
  // The bytes that Place took.
  std::size_t bytes() const { return size_ * sizeof(State); }
  // The stream of output `port`, as the plan numbers it.
  int stream(int port) const { return states_[port].stream; }

  // --- Before the run

  // The output may send timestamps that go back.
  void IgnoreOrder(int port) { states_[port].ignores_order = true; }
  bool ignores_order(int port) const { return states_[port].ignores_order; }
  // Nobody reads the output in this run.
  void NoteNoReader(int port) { states_[port].has_no_reader = true; }
  // How far such an output is; null for others.
  StreamProgress* UnreadProgress(int port) {
    return states_[port].has_no_reader ? &states_[port].progress : nullptr;
  }
  // Some reader of the output asks for the times of packets.
  void KeepTimes(int port) { states_[port].is_timed = keeps_times_ = true; }
  bool keeps_times() const { return keeps_times_; }
  bool KeepsTimes(int port) const {
    return ABSL_PREDICT_FALSE(keeps_times_) && states_[port].is_timed;
  }

  // The outputs from `port` on, at most so many, are read by one join and
  // nobody else.
  static constexpr int kMostTogether = 8;
  void SendTogether(int port, int count) { states_[port].together = count; }
  // 1 for most outputs.
  int SentTogether(int port) const { return states_[port].together; }

  // --- After Open

  void SetOffset(int port, TimestampDiff offset) {
    states_[port].offset = offset;
    has_offset_ = has_offset_ || offset != TimestampDiff::Unset();
  }
  // Some output has an offset.
  bool has_offset() const { return has_offset_; }

  // --- Calls

  void Begin(int port, OutputStream* stream) const {
    const State& state = states_[port];
    stream->Begin(Bound(state), state.closed, Count(state) > 0);
  }
  // The call sent packets, and did nothing else.
  static bool OnlySent(const OutputStream& stream) {
    return !stream.packets().empty() && !stream.IsClosed() &&
           !stream.has_explicit_bound();
  }
  // REQUIRES: OnlySent, and calls do not overlap. `input_timestamp`: the
  // TimeOfPromises of the call.
  ABSL_ATTRIBUTE_ALWAYS_INLINE Sent Take(int port, OutputStream* stream,
                                         Timestamp input_timestamp) {
    State& state = states_[port];
    const absl::Span<Packet> packets = stream->packets();
    // Where timestamps may go back, the bound does not.
    const Timestamp sent = std::max(Bound(state), stream->NextTimestampBound());
    const Timestamp bound = BoundAfterPackets(sent, packets.back().Timestamp(),
                                              state.offset, input_timestamp);
    Set(&state, bound, packets.size());
    return {.packets = packets, .bound = bound, .tells_readers = true};
  }
  // For any other call, likewise. The mistakes of the call go to `errors`.
  Change Examine(int port, OutputStream* stream, Timestamp input_timestamp,
                 bool calls_overlap, std::vector<absl::Status>* errors) const;
  void Apply(int port, const Change& change);
  // After Close: the output ends, whatever that call did.
  Sent End(int port);

  // Raises the bounds of the outputs to `bound`, the bound of all inputs
  // together, plus their offsets. Calls `pass` with each stream whose bound has
  // risen, and with its new bound. REQUIRES: no call is ready or runs.
  template <typename Pass>
  void PassBound(Timestamp bound, const Pass& pass) {
    for (State& state : absl::MakeSpan(states_, size_)) {
      const Timestamp passed = BoundPassedOn(bound, state.offset);
      if (state.closed || passed <= Bound(state)) continue;
      state.progress.bound.store(passed, std::memory_order_relaxed);
      pass(state.stream, passed);
    }
  }

  // --- Looking in. Any thread.

  Timestamp bound(int port) const { return Bound(states_[port]); }
  std::int64_t packets_added(int port) const { return Count(states_[port]); }

 private:
  struct alignas(64) State {
    StreamProgress progress;
    TimestampDiff offset = TimestampDiff::Unset();
    int stream = -1;
    int together = 1;
    bool closed = false;
    bool is_timed = false;
    bool ignores_order = false;
    bool has_no_reader = false;
  };

  static Timestamp Bound(const State& state) {
    return state.progress.bound.load(std::memory_order_relaxed);
  }
  static std::int64_t Count(const State& state) {
    return state.progress.packets_added.load(std::memory_order_relaxed);
  }
  static void Set(State* state, Timestamp bound, std::size_t num_packets) {
    state->progress.bound.store(bound, std::memory_order_relaxed);
    state->progress.packets_added.store(
        Count(*state) + static_cast<std::int64_t>(num_packets),
        std::memory_order_relaxed);
  }

  State* states_ = nullptr;
  int size_ = 0;
  bool has_offset_ = false;
  bool keeps_times_ = false;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_NODE_NODE_OUTPUTS_H_
