// NodeGate: what stands between an input set that is ready and its call, at
// the few nodes that have conditions, gather batches for a time, or wait for
// inputs for a time.
//
// Conditions are code of users, so they are not called with the node's lock
// held. A node that would call its calculator says so (Effects::GateFact); the
// thread that acts on facts asks the conditions, and brings their answer back:
//
//               something to ask                BeginAsk, then the conditions
//   kIdle -----------------------> kAsking <---------- the facts are taken
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
// Every change goes through ChangeState. What holds: between BeginAsk and
// FinishAsk or AbandonAsk the gate is kAsking or kAskingAgain; a gate that is
// kHeld has a target time, or is told of news, or ends with the run.
//
// The asker is alone with the conditions while the gate is kAsking or
// kAskingAgain; nodes whose calls do not overlap ask only between calls.
//
// A node that is held for a time, or for an event from outside, keeps its run
// busy: it counts in Holds. A run whose clock jumps when nothing can happen
// by itself is not kept busy by times, else it could not jump.
//
// A node with TimeoutInputStreamHandler has a gate too, for its InputWait: how
// long it waits while no input set is ready. That is independent of what holds
// the sets that are.
//
// The gate knows no call and no rule of readiness: the node says what a call
// could start with, and does what the gate decides. What others are to do goes
// to an Effects.
//
// Thread rule: guarded by the node's lock, but for the conditions, which belong
// to the asker, and the facts, which are the asker's from BeginAsk to
// FinishAsk.
// Tested by node_gate_test and, as nodes in graphs, by conditions_graph_test
// and timeout_graph_test.

#ifndef SYNCLINE_FRAMEWORK_NODE_NODE_GATE_H_
#define SYNCLINE_FRAMEWORK_NODE_NODE_GATE_H_

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "framework/base/graph_clock.h"
#include "framework/condition/condition.h"
#include "framework/condition/condition_result.h"
#include "framework/node/arrival_times.h"
#include "framework/node/effects.h"
#include "framework/node/fetch_lines.h"
#include "framework/node/holds.h"
#include "framework/node/input_wait.h"
#include "framework/node/node_conditions.h"
#include "framework/node/node_snapshot.h"
#include "framework/plan/graph_plan.h"
#include "framework/policy/input_policy.h"
#include "framework/policy/timeout_policy.h"
#include "framework/stream/input_queue.h"

namespace syncline {

enum class GateState : std::uint8_t { kIdle, kAsking, kAskingAgain, kHeld };

absl::string_view GateStateName(GateState state);

// Whether the diagram has an arrow.
constexpr bool IsLegalTransition(GateState from, GateState to) {
  switch (to) {
    case GateState::kIdle:
      return from != GateState::kIdle;
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

class NodeGate {
 public:
  struct Setup {
    // Null for a gate without conditions.
    std::unique_ptr<NodeConditions> conditions;
    // Those of the run; not null.
    GraphClock* clock = nullptr;
    Holds* holds = nullptr;
    // What the clock, which may be the application's, would say under a lock.
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
  // What follows from an answer.
  enum class Answer : std::uint8_t { kNothing, kStart, kClose };

  // `node` is only named in an Effects. `timeout` is borrowed, and may be null.
  NodeGate(Setup setup, Node* node, const PlanNode& plan,
           TimeoutPolicy* timeout);

  // Null if there are none. Constant.
  NodeConditions* conditions() const { return setup_.conditions.get(); }

  // --- Arrivals

  // The time for NoteArrivals, or 0 where nobody asks. Without the lock.
  std::int64_t ArrivalTime() const {
    return arrivals_.are_kept() ? setup_.clock->NowNs() : 0;
  }
  // Something has come to `port`. Conditions that are asked are asked again.
  void NoteArrivals(int port, const InputQueue& queue, std::int64_t now_ns,
                    Effects* effects);

  // --- What is ready

  // `is_batch`: a batch is complete, which is what a call could start with.
  // `state`: what the rule of readiness says.
  Decision Look(bool is_batch, Readiness::State state, Effects* effects);
  bool batch_is_due() const { return batch_is_due_; }

  // --- Asking

  bool is_idle() const { return state_ == GateState::kIdle; }
  bool is_held() const { return state_ == GateState::kHeld; }
  // The conditions said NEVER: the node closes.
  bool is_over() const { return is_over_; }
  // The conditions are to be asked, or asked again.
  void Ask(Effects* effects);
  // For the asker. Null: there is nothing to ask any more. Else facts, to which
  // the node adds has_input_set and what it knows of inputs.
  NodeFacts* BeginAsk(bool is_open, std::int64_t now_ns,
                      absl::Span<const InputQueue> queues);
  NodeFacts::Input& input_facts(int port) { return asked_.inputs[port]; }
  std::vector<NodeFacts::Output>& output_facts() { return asked_.outputs; }
  // `is_dispatched`: the result is READY, and what it takes is set aside.
  Answer FinishAsk(const ConditionResult& result, bool is_dispatched,
                   bool is_open, Effects* effects);
  void AbandonAsk(bool is_open, Effects* effects);
  // What the conditions let through is about to start. A source starts by
  // itself; for others the next Look passes.
  void LetSourceRun(Effects* effects);
  void GivePermit() { has_permit_ = true; }
  // Nothing was started after all: that is to be undone.
  void TakePermitBack(Effects* effects);

  // --- Holds

  // The begun batch waits until then.
  void HoldBatch(std::int64_t target_ns, Effects* effects);
  // A source may run after all, to be closed.
  void ReleaseSource(bool is_open, Effects* effects);
  // What the node is held by; READY if it is not.
  ConditionResult HeldBy() const;
  // The time is up of what holds it, which is not that inputs are missing.
  bool HoldIsDue(std::int64_t now_ns) const { return target_ns_ <= now_ns; }
  // The time is up, and forgotten; `has_batch`: of a batch, which goes now.
  void EndHoldTime(bool has_batch);
  // The next time at which the node has to look.
  std::int64_t NextTarget() const {
    return std::min(target_ns_, input_wait_.target_ns());
  }
  // Has the run come at that time, if there is one.
  void SetTimer(Effects* effects);

  // --- The wait for inputs

  bool waits_for_inputs() const { return input_wait_.has_policy(); }
  // It is to begin, if it is still wanted. `state`: what the rule says.
  void BeginInputWait(std::int64_t now_ns, Readiness::State state,
                      absl::Span<const InputQueue> queues, Effects* effects);
  bool InputWaitIsUp(std::int64_t now_ns) const {
    return input_wait_.IsUp(now_ns);
  }
  // Ends it, and has its policy settle what the time is up for.
  void EndInputWait(std::int64_t now_ns, Readiness::State state,
                    absl::Span<const InputQueue> queues, Effects* effects);
  // The policy is about to go.
  void ForgetPolicy() { input_wait_.SetPolicy(nullptr); }

  // --- Looking in

  void AddTo(NodeSnapshot* snapshot) const;
  // Without the lock: see Node::FetchForTime.
  void FetchResults() const { FetchLines(answers_.row, 1); }

 private:
  // The last ones, by condition.
  struct Answers {
    std::vector<ConditionResult> results;
    bool are_known = false;
    // Where they are, which stays the same: for who reads without the lock.
    const ConditionResult* row = nullptr;
  };
  struct Asked {
    NodeFacts facts;
    std::vector<NodeFacts::Input> inputs;
    std::vector<NodeFacts::Output> outputs;
  };

  void BeginHold(const ConditionResult& by, Effects* effects);
  void StopHold(Effects* effects);
  void StopInputWait(Effects* effects);
  void Tell(Effects::GateFact::Kind kind, Effects* effects) {
    effects->gate_facts.push_back({kind, node_});
  }

  const Setup setup_;
  Node* const node_;
  const bool gathers_batches_;

  GateState state_ = GateState::kIdle;
  // The conditions are ready, and the call is about to start.
  bool has_permit_ = false;
  bool is_over_ = false;
  // What is in the batch goes now.
  bool batch_is_due_ = false;
  // The hold, and the wait with packets, count in setup_.holds.
  bool hold_is_counted_ = false;
  bool wait_is_counted_ = false;
  // While it is held: what the conditions came to.
  ConditionResult held_by_;
  // Until when the node is held; ConditionResult::kNoTarget for no time.
  std::int64_t target_ns_ = ConditionResult::kNoTarget;
  InputWait input_wait_;
  ArrivalTimes arrivals_;
  Answers answers_;
  Asked asked_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_NODE_NODE_GATE_H_
