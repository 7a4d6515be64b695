// DefaultInputStreamHandler: all inputs at one time, when they are settled.
//
//   A        10      20   | bound 21
//   B        10  15       | bound 16
//
//   calls    10: A B       both are settled at 10
//            15: B         A has nothing at 15 and cannot get it
//            20 waits      B may still send something from 16 on
//   B closes
//            20: A
//   A closes, then Close
//
// Which packets are processed together depends on timestamps alone, never on
// the order in which packets came. With process_timestamp_bounds there is also
// a call without packets, at the newest time that is settled on all inputs;
// there are no calls for earlier settled times.
//
// batch_size: the node collects that many input sets and then processes them
// one after the other; a last, smaller batch is processed when the inputs
// close.
//
// Nearly all nodes follow this rule, so nodes use InputSetReadiness, which has
// it, directly; and other policies apply it to some of their inputs.
//
// Thread rule: as InputPolicy.
// Tested by default_policy_test, input_set_readiness_test,
// readiness_shortcuts_test and policy_conformance_test.

#ifndef SYNCLINE_FRAMEWORK_POLICY_DEFAULT_POLICY_H_
#define SYNCLINE_FRAMEWORK_POLICY_DEFAULT_POLICY_H_

#include <cstdint>
#include <memory>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "framework/calculator/input_stream.h"
#include "framework/config/syncline_options.pb.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/input_policy.h"
#include "framework/stream/input_queue.h"

namespace syncline {

// Says when the input set of a group of queues is complete, and at which
// timestamp. It is complete when no queue can still get a packet for it.
//
// The object keeps the lowest MinTimestampOrBound of its queues, m. It counts
// the queues that have a packet at m, and the queues that have none and may
// still get one. If none of the latter is left, the input set at m is ready. A
// change of one queue changes the two counts. When both are zero, m moves on,
// and one look at all queues finds it. So a join of K inputs costs a constant
// time for each packet, plus K for each input set, which has K inputs to fill
// anyway.
//
// With process_timestamp_bounds an input set is also ready at m - 1, the last
// time that is settled on all queues, if no call was at that time yet.
class InputSetReadiness {
 public:
  // The input set of no queues.
  InputSetReadiness() = default;
  // The input set of all `queues`: slots are ports.
  InputSetReadiness(absl::Span<InputQueue> queues,
                    bool process_timestamp_bounds);
  // The input set of some `ports` of `queues`: slots are positions in `ports`.
  InputSetReadiness(absl::Span<InputQueue> queues, absl::Span<const int> ports,
                    bool process_timestamp_bounds);

  void OnChange(int slot) {
    State& state = states_.data()[slot];
    lowest_.Remove(state);
    state = Look(Queue(slot));
    lowest_.Add(state);
    if (lowest_.count() == 0) Rescan();
  }
  // OnChange for a queue that was empty, and has a packet at `timestamp` now.
  void OnFirstPacket(int slot, Timestamp timestamp) {
    State& state = states_.data()[slot];
    if (state.value == lowest_.value) --lowest_.without;
    state = {timestamp, true};
    if (timestamp == lowest_.value) ++lowest_.with;
    if (lowest_.count() == 0) Rescan();
  }

  Readiness Evaluate() const {
    if (lowest_.without == 0 && lowest_.with > 0)
      return {Readiness::State::kProcess, lowest_.value};
    if (!process_timestamp_bounds_ && !Finished()) {
      return {Readiness::State::kWait, lowest_.value};
    }
    return EvaluateWaiting();
  }

  // Takes the input set at `timestamp`.
  void Take(Timestamp timestamp, InputStreamSet* inputs);
  // In place of OnFirstPacket and Take, where the whole input set at
  // `timestamp` comes at once and no packet waits: the packets do not go
  // through the queues. Call BeginPass, and then OnPassed for each queue after
  // its Pass, with its new bound. The state is then as after Take. Slots are
  // ports.
  void BeginPass(Timestamp timestamp) {
    lowest_ = {};
    ++scans_;
    last_taken_ = timestamp;
  }
  void OnPassed(int slot, Timestamp bound) {
    State& state = states_.data()[slot];
    state.value = bound;
    state.has_packet = false;
    if (bound < lowest_.value) lowest_ = {bound, 0, 0};
    if (bound == lowest_.value) ++lowest_.without;
  }

  // Nothing more can come to any of the queues.
  bool Finished() const {
    return lowest_.value >= Timestamp::OneOverPostStream();
  }
  // How often all queues were looked at.
  std::int64_t scans() const { return scans_; }

 private:
  // One queue, as last seen.
  struct State {
    Timestamp value;  // MinTimestampOrBound
    bool has_packet = false;
  };
  // The lowest value of any state, and how many have it.
  struct Lowest {
    Timestamp value = Timestamp::Done();
    int with = 0;
    int without = 0;

    int count() const { return with + without; }
    void Add(const State& state) {
      if (state.value == value) ++(state.has_packet ? with : without);
    }
    void Remove(const State& state) {
      if (state.value == value) --(state.has_packet ? with : without);
    }
  };

  static State Look(const InputQueue& queue) {
    return {queue.MinTimestampOrBound(), !queue.empty()};
  }
  int Port(int slot) const { return ports_ == nullptr ? slot : ports_[slot]; }
  InputQueue& Queue(int slot) const { return queues_[Port(slot)]; }
  int size() const { return static_cast<int>(states_.size()); }
  // Looks at a queue, which may be lower than all before.
  static void Scan(const InputQueue& queue, State* state, Lowest* lowest) {
    // Member by member: g++ would write a State to memory first.
    const Timestamp value = queue.MinTimestampOrBound();
    const bool has_packet = !queue.empty();
    state->value = value;
    state->has_packet = has_packet;
    if (value < lowest->value) *lowest = {value, 0, 0};
    if (value == lowest->value) {
      ++(has_packet ? lowest->with : lowest->without);
    }
  }
  void Rescan();
  Readiness EvaluateWaiting() const;

  InputQueue* queues_ = nullptr;
  std::unique_ptr<const int[]> ports_;    // null: slots are ports
  absl::InlinedVector<State, 2> states_;  // by slot
  Lowest lowest_;
  // For process_timestamp_bounds: of the last input set.
  Timestamp last_taken_ = Timestamp::Unstarted();
  std::uint32_t scans_ = 0;
  bool process_timestamp_bounds_ = false;
};

class DefaultPolicy final : public InputPolicy {
 public:
  explicit DefaultPolicy(const PolicyPorts& ports);

  void OnChange(int port) override { all_.OnChange(port); }
  Readiness Evaluate() const override { return all_.Evaluate(); }
  Timestamp Take(Timestamp timestamp, InputStreamSet* inputs) override {
    all_.Take(timestamp, inputs);
    return timestamp;
  }
  int BatchSize() const override { return batch_size_; }

 private:
  InputSetReadiness all_;
  const int batch_size_;
};

// The batch_size in the options of a handler.
int DefaultBatchSize(const SynclineOptions& options);

std::unique_ptr<InputPolicy> MakeDefaultPolicy(const PolicyPorts& ports);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_POLICY_DEFAULT_POLICY_H_
