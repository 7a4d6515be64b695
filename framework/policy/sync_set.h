// SyncSet: the settled timestamp of a group of queues.
//
//   A   10  .   .  20   | bound 21
//   B   10  12  .       | bound 15
//
//   earliest 10   both have it: ready at 10
//   then 12       A has no 12 and cannot get one: ready at 12
//   then 15       B may still send something at 15: wait; nothing comes below
//
// The set keeps the lowest MinTimestampOrBound of its queues, m, and how many
// queues are at m with a packet, and how many without one, which may still get
// a packet at m. Nobody without: the set is ready at m. A change of one queue
// changes the two counts; only when both are zero, m moves on, and one look at
// all queues finds it. So a join of K inputs costs a constant time per packet
// plus K per input set, which it has to fill anyway.
//
// With process_timestamp_bounds a set is also ready at m - 1, the last time at
// which everything is known, if it was not called for that already.
//
// Thread rule: as InputPolicy.
// Tested by sync_set_test.

#ifndef SYNCLINE_FRAMEWORK_POLICY_SYNC_SET_H_
#define SYNCLINE_FRAMEWORK_POLICY_SYNC_SET_H_

#include <cstdint>
#include <memory>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "framework/calculator/input_stream.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/input_policy.h"
#include "framework/stream/input_queue.h"

namespace syncline {

class SyncSet {
 public:
  // An empty set.
  SyncSet() = default;
  // A set of all `queues`: slots are ports.
  SyncSet(absl::Span<InputQueue> queues, bool process_timestamp_bounds);
  // A set of the `ports` of `queues`: slots are positions in `ports`.
  SyncSet(absl::Span<InputQueue> queues, absl::Span<const int> ports,
          bool process_timestamp_bounds);

  void OnChange(int slot) {
    State& state = states_[slot];
    if (state.value == earliest_) --(state.has_packet ? with_ : without_);
    state = Look(Queue(slot));
    if (state.value == earliest_) ++(state.has_packet ? with_ : without_);
    if (with_ + without_ == 0) Rescan();
  }

  Readiness Evaluate() const {
    if (without_ == 0 && with_ > 0)
      return {Readiness::State::kProcess, earliest_};
    return EvaluateWaiting();
  }

  // Takes the input set at `timestamp`.
  void Take(Timestamp timestamp, InputStreamSet* inputs);

  // All ports of the set have nothing more.
  bool Finished() const { return earliest_ >= Timestamp::OneOverPostStream(); }
  // How often all queues of the set were looked at.
  std::int64_t scans() const { return scans_; }

 private:
  // One queue, as last seen.
  struct State {
    Timestamp value;  // MinTimestampOrBound
    bool has_packet = false;
  };

  static State Look(const InputQueue& queue) {
    return {queue.MinTimestampOrBound(), !queue.empty()};
  }
  int Port(int slot) const { return ports_ == nullptr ? slot : ports_[slot]; }
  InputQueue& Queue(int slot) const { return queues_[Port(slot)]; }
  int size() const { return static_cast<int>(states_.size()); }
  void BeginScan() {
    earliest_ = Timestamp::Done();
    with_ = without_ = 0;
    ++scans_;
  }
  void Scan(State* seen, const InputQueue& queue) {
    const State state = *seen = Look(queue);
    if (state.value < earliest_) {
      earliest_ = state.value;
      with_ = without_ = 0;
    }
    if (state.value == earliest_) ++(state.has_packet ? with_ : without_);
  }
  void Rescan();
  Readiness EvaluateWaiting() const;

  InputQueue* queues_ = nullptr;
  std::unique_ptr<const int[]> ports_;    // null: slots are ports
  absl::InlinedVector<State, 2> states_;  // by slot
  // The lowest value of any state, and how many have it.
  Timestamp earliest_ = Timestamp::Done();
  int with_ = 0;
  int without_ = 0;
  // For process_timestamp_bounds: of the last input set.
  Timestamp last_taken_ = Timestamp::Unstarted();
  std::uint32_t scans_ = 0;
  bool process_timestamp_bounds_ = false;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_POLICY_SYNC_SET_H_
