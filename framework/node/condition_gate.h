// ConditionGate: what stands between an input set that is ready and its call,
// at the few nodes that have conditions, gather batches for a time, or have a
// timeout.
//
// Conditions are code of users, so they are not called with the node's lock
// held. A node that wants to call its calculator reports that its conditions
// are to be asked (Effects::GateFact). The thread that acts on this fact is the
// asker: it asks the conditions, and tells the gate their answer:
//
//               something to ask                BeginAsk, then the conditions
//   kAtRest -----------------------> kAsking <---------- the facts are taken
//     ^                              |   \  news: something changed    ^
//     |  ready: the call starts,     |    +-------> kAskingAgain ------+
//     |  never: the node closes,     |                   |
//     |  or nothing waits            |                   |
//     +------------------------------+                   |
//     +--------------------------------------------------+  asks anew at once
//     |                              | not ready, and an input set waits
//     |                              v
//     +--- the run ends ---------- kHeld --- news, or its time: to kAsking
//
// Every change goes through ChangeState. Between BeginAsk and FinishAsk or
// AbandonAsk the gate is kAsking or kAskingAgain. A gate that is kHeld has a
// target time, or is told of news, or ends with the run.
//
// There is one asker at a time, since only a gate that is neither kAsking nor
// kAskingAgain begins to ask. Nodes whose calls do not overlap ask only between
// calls.
//
// A node that is held for a time, or for an event from outside, keeps its run
// busy: it counts in Holds. Where the clock of the run is simulated, times do
// not keep the run busy: this clock moves only when the run is idle.
//
// A node with TimeoutInputStreamHandler has a gate too, for its InputWait: how
// long it waits while no input set is ready. This wait is independent of what
// holds an input set that is ready.
//
// The gate knows no call and no rule of readiness. The node tells it what a
// call could start with, and does what the gate decides
// (node_gate.cc). What the run has to do goes to an Effects.
//
// Thread rule: guarded by the node's lock, except for the conditions, which
// belong to the asker, and the facts, which belong to the asker from BeginAsk
// to FinishAsk.
// Tested by condition_gate_test and, in graphs, by conditions_graph_test and
// timeout_graph_test.

#ifndef SYNCLINE_FRAMEWORK_NODE_CONDITION_GATE_H_
#define SYNCLINE_FRAMEWORK_NODE_CONDITION_GATE_H_

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "framework/base/graph_clock.h"
#include "framework/condition/condition.h"
#include "framework/condition/condition_result.h"
#include "framework/node/arrival_times.h"
#include "framework/node/effects.h"
#include "framework/node/holds.h"
#include "framework/node/input_wait.h"
#include "framework/node/node_conditions.h"
#include "framework/node/node_snapshot.h"
#include "framework/plan/graph_plan.h"
#include "framework/policy/input_policy.h"
#include "framework/policy/timeout_policy.h"
#include "framework/stream/input_queue.h"

namespace syncline {

enum class GateState : std::uint8_t { kAtRest, kAsking, kAskingAgain, kHeld };

absl::string_view GateStateName(GateState state);

// Whether the diagram has an arrow.
constexpr bool IsLegalTransition(GateState from, GateState to) {
  switch (to) {
    case GateState::kAtRest:
      return from != GateState::kAtRest;
    case GateState::kAsking:
      return from != GateState::kAsking;
    case GateState::kAskingAgain:
    case GateState::kHeld:
      return from == GateState::kAsking;
  }
  return false;
}

// Moves *state on; that the diagram has the arrow is checked.
void ChangeState(GateState to, GateState* state);

class ConditionGate {
 public:
  struct Setup {
    // Null for a gate without conditions.
    std::unique_ptr<NodeConditions> conditions;
    // The clock and the holds of the run; not null.
    GraphClock* clock = nullptr;
    Holds* holds = nullptr;
    // What clock->passing() says. It is asked once, because the clock may be
    // the application's and must not be called under the node's lock.
    bool time_passes_by_itself = false;
  };
  // What a node does with what its rule of readiness says.
  enum class Decision : std::uint8_t {
    // What is ready may go, if anything is.
    kPass,
    // What is ready waits.
    kHold,
    // The node closes.
    kClose,
  };
  // What the node has to do after the conditions have answered.
  enum class Answer : std::uint8_t { kNothing, kStart, kClose };

  // `timeout` is borrowed, and may be null.
  ConditionGate(Setup setup, const PlanNode& plan, TimeoutPolicy* timeout);

  // Null if there are none. Constant.
  NodeConditions* conditions() const { return setup_.conditions.get(); }

  // --- Arrivals

  // The time for NoteArrivals, or 0 where arrivals are not kept. To be called
  // without the lock.
  std::int64_t ArrivalTime() const {
    return arrivals_.are_kept() ? setup_.clock->NowNs() : 0;
  }
  // Something has come to `port`. Conditions that are asked are asked again.
  void NoteArrivals(int port, const InputQueue& queue, std::int64_t now_ns,
                    Effects* effects);

  // --- What is ready

  // Decides about a call. `is_batch`: a call could start with a batch, which is
  // complete. `state`: what the rule of readiness says.
  Decision Look(bool is_batch, Readiness::State state, Effects* effects);
  bool batch_is_due() const { return batch_is_due_; }

  // --- Asking

  bool is_at_rest() const { return state_ == GateState::kAtRest; }
  // False where the answer has been given. Memory may have run out while a
  // thread acted on it; then the thread acts on all of its facts once more.
  bool is_asking() const { return !is_at_rest() && !is_held(); }
  bool is_held() const { return state_ == GateState::kHeld; }
  // The conditions said NEVER: the node closes.
  bool is_over() const { return is_over_; }
  // The conditions are to be asked, or asked again.
  void Ask(Effects* effects);
  // For the asker: the facts for the conditions, to which the node adds
  // has_input_set and the times of acquisition. Null: there is nothing to ask
  // any more.
  NodeFacts* BeginAsk(bool is_open, std::int64_t now_ns,
                      absl::Span<const InputQueue> queues);
  NodeFacts::Input& input_facts(int port) { return asked_.inputs[port]; }
  std::vector<NodeFacts::Output>& output_facts() { return asked_.outputs; }
  // `is_dispatched`: the result is READY, and the conditions have set aside
  // what the call uses up.
  Answer FinishAsk(const ConditionResult& result, bool is_dispatched,
                   bool is_open, Effects* effects);
  void AbandonAsk(bool is_open, Effects* effects);
  // The conditions have let a call of a source through: it runs.
  void LetSourceRun(Effects* effects);
  // The conditions have let a call through: the next Look lets it pass.
  void GivePermit() { has_permit_ = true; }
  // If no call was started with the permit, the dispatch is to be undone.
  void TakePermitBack(Effects* effects);

  // --- Holds

  // The batch that was begun waits until `target_ns` at most.
  void HoldBatch(std::int64_t target_ns, Effects* effects);
  // Ends the hold of a source, because the run wants to close it.
  void ReleaseSource(bool is_open, Effects* effects);
  // Why the node is held; READY if it is not.
  ConditionResult HeldBy() const;
  // The node is held until a time that has come.
  bool HoldIsDue(std::int64_t now_ns) const { return target_ns_ <= now_ns; }
  // The time until which the node was held has come. `has_batch`: it was that
  // of a batch, which is due now.
  void EndHoldTime(bool has_batch);
  // The next time at which the node has to be looked at.
  std::int64_t NextTarget() const {
    return std::min(target_ns_, input_wait_.target_ns());
  }
  // Reports that the node has to be looked at then.
  void SetTimer(Effects* effects);

  // --- The wait for inputs

  bool waits_for_inputs() const { return input_wait_.has_policy(); }
  // The wait begins, if it is still wanted. `state`: what the rule of readiness
  // says.
  void BeginInputWait(std::int64_t now_ns, Readiness::State state,
                      absl::Span<const InputQueue> queues, Effects* effects);
  bool InputWaitIsUp(std::int64_t now_ns) const {
    return input_wait_.IsUp(now_ns);
  }
  // The time of the wait is up: ends it, and has the policy settle streams.
  void EndInputWait(std::int64_t now_ns, Readiness::State state,
                    absl::Span<const InputQueue> queues, Effects* effects);
  // The policy is about to be destroyed.
  void ForgetPolicy() { input_wait_.SetPolicy(nullptr); }

  // --- Looking in

  void AddTo(NodeSnapshot* snapshot) const;

 private:
  struct Asked {
    NodeFacts facts;
    std::vector<NodeFacts::Input> inputs;
    std::vector<NodeFacts::Output> outputs;
  };

  void BeginHold(const ConditionResult& by, Effects* effects);
  void StopHold(Effects* effects);
  void StopInputWait(Effects* effects);
  void Tell(Effects::GateFact::Kind kind, Effects* effects) {
    effects->gate_facts.push_back({kind, node_id_});
  }

  const Setup setup_;
  const int node_id_;  // for an Effects
  const bool gathers_batches_;

  GateState state_ = GateState::kAtRest;
  // The conditions have let a call through, which is about to start.
  bool has_permit_ = false;
  bool is_over_ = false;
  // The batch has waited long enough, and goes as it is.
  bool batch_is_due_ = false;
  // Whether the hold, and the wait with packets, are counted in setup_.holds.
  bool hold_is_counted_ = false;
  bool wait_is_counted_ = false;
  // While the gate is kHeld: what the conditions came to.
  ConditionResult held_by_;
  // Until when the node is held; ConditionResult::kNoTarget for no time.
  std::int64_t target_ns_ = ConditionResult::kNoTarget;
  InputWait input_wait_;
  ArrivalTimes arrivals_;
  // The last answers, by condition. Empty until the conditions have answered.
  absl::InlinedVector<ConditionResult, 1> answers_;
  Asked asked_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_NODE_CONDITION_GATE_H_
