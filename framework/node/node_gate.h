// NodeGate: what stands between an input set that is ready and its call, at
// the few nodes that have conditions or gather batches for a time.
//
// Conditions are code of users, so they are not called with the node's lock
// held. A node that would call its calculator says so (Turn::GateFact); the
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
// FinishAsk or AbandonAsk the gate is kAsking or kAskingAgain; held_by is what
// the conditions came to while it is kHeld; a gate that is kHeld has a target
// time, or is told of news, or ends with the run.
//
// The asker is alone with the conditions while the gate is kAsking or
// kAskingAgain; nodes whose calls do not overlap ask only between calls.
//
// A node that is held for a time, or for an event from outside, keeps its run
// busy: is_counted, of `holds`. A run whose clock jumps when nothing can happen
// by itself is not kept busy by times, else it could not jump.
//
// A node with TimeoutInputStreamHandler has a gate too, for its InputWait: how
// long it waits while no input set is ready. That is independent of what holds
// the sets that are.
//
// Thread rule: guarded by the node's lock, but for the conditions, which belong
// to the asker, and the facts, which are the asker's from BeginAsk to
// FinishAsk.
// Tested by node_gate_test and, as nodes in graphs, by conditions_graph_test
// and timeout_graph_test.

#ifndef SYNCLINE_FRAMEWORK_NODE_NODE_GATE_H_
#define SYNCLINE_FRAMEWORK_NODE_NODE_GATE_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "framework/base/graph_clock.h"
#include "framework/condition/condition.h"
#include "framework/condition/condition_result.h"
#include "framework/node/holds.h"
#include "framework/plan/graph_plan.h"
#include "framework/plan/make_conditions.h"
#include "framework/policy/input_policy.h"
#include "framework/policy/timeout_policy.h"

namespace syncline {

// The conditions of one node in one run. Errors name node and condition.
class NodeConditions {
 public:
  // `plan` is borrowed.
  NodeConditions(const PlanConditions& plan, MadeConditions made,
                 std::string node_text);

  const MadeConditions& made() const { return made_; }
  const PlanConditions& plan() const { return plan_; }
  // Null if there is none of this name.
  std::shared_ptr<ConditionBase> Find(absl::string_view name) const;

  absl::Status Start(const ConditionRun& run);
  void Stop();

  // --- For the asker.
  absl::StatusOr<ConditionResult> Ask(const NodeFacts& facts);
  // By condition, of the last Ask.
  const std::vector<ConditionResult>& results() const { return results_; }
  // After an Ask that came to READY. False: something is gone that the call
  // needs; then nothing is set aside.
  absl::StatusOr<bool> Dispatch(const NodeFacts& facts);
  // For the asker, or in place of the call: there will be none after all. No
  // more than that if no dispatch waits for its call.
  void UndoDispatch();

  // Fetches what Ask will touch, without waiting: what the conditions are found
  // by, and once that is there, the conditions.
  void FetchLists() const;
  void FetchObjects() const;

  // --- Around the call, on its thread.
  absl::Status BeforeExecute();
  absl::Status OnExecute(std::int64_t now_ns);

 private:
  ConditionResult Combined(int group) const;
  void UndoFirst(size_t count);
  absl::Status Named(size_t condition, const absl::Status& status) const;

  const PlanConditions& plan_;
  const MadeConditions made_;
  const std::string node_text_;
  std::vector<ConditionResult> results_;
  // Dispatches whose calls have not begun; above 1 where calls overlap.
  std::atomic<int> dispatched_{0};
};

// A wait for inputs that a timeout will end.
struct InputWait {
  // It has begun, or is about to.
  bool is_begun = false;
  // There are packets to deliver at its end. Without them nobody waits for it.
  bool has_packets = false;
  bool is_counted = false;
  std::int64_t target_ns = ConditionResult::kNoTarget;
};

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

struct NodeGate {
  GateState state = GateState::kIdle;
  // The conditions are ready, and the call is about to start.
  bool has_permit = false;
  // The conditions said NEVER: the node closes.
  bool is_over = false;
  bool is_counted = false;
  // What is in the batch goes now.
  bool batch_is_due = false;
  // With kHeld: what the conditions came to.
  ConditionResult held_by;
  // Until when the node is held; ConditionResult::kNoTarget for no time.
  std::int64_t target_ns = ConditionResult::kNoTarget;

  // Null unless the node's policy, which owns it, has timeouts.
  TimeoutPolicy* timeout = nullptr;
  // Of a policy that takes late: what it said and has led to no call yet.
  absl::optional<Readiness> late;
  InputWait input_wait;

  // Null for a batch without conditions.
  std::unique_ptr<NodeConditions> conditions;
  GraphClock* clock = nullptr;
  // Those of the run, which keep it busy. Not null in a run.
  Holds* holds = nullptr;
  // What the clock, which may be the application's, would say under a lock.
  bool time_passes_by_itself = false;
  // When packets that wait arrived, by port; empty where nobody asks.
  // May have some too many in front, of packets that are gone.
  std::vector<std::deque<std::int64_t>> arrivals;
  // How many packets have been noted there, by port.
  std::vector<std::int64_t> num_arrived;
  // The last answers, by condition.
  std::vector<ConditionResult> results;
  bool was_asked = false;
  // Where `results` are, which stays the same: for who reads without the lock.
  const ConditionResult* results_row = nullptr;

  NodeFacts facts;
  std::vector<NodeFacts::Input> inputs;
  std::vector<NodeFacts::Output> outputs;

  // The next time at which the node has to look.
  std::int64_t NextTarget() const {
    return std::min(target_ns, input_wait.target_ns);
  }
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_NODE_NODE_GATE_H_
