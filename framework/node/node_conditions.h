// NodeConditions: the conditions of one node in one run. Errors name node and
// condition. Which of several results counts is decided in condition_result.h,
// and what the node does then in condition_gate.h.
//
// Conditions are code of users, so they are called without the node's lock. The
// asker calls them; there is only one asker between ConditionGate::BeginAsk and
// FinishAsk. They are also called before and after the call that they let
// through. WaitForPackets calls none of them, because conditions state before
// the run which packets they need (PacketNeeds).
//
// Thread rule: belongs to the asker, except for the functions around the call,
// for UndoDispatch, and for what is constant: made, plan, Find, WaitForPackets.
// Tested by node_conditions_test and, in graphs, by conditions_graph_test.

#ifndef SYNCLINE_FRAMEWORK_NODE_NODE_CONDITIONS_H_
#define SYNCLINE_FRAMEWORK_NODE_NODE_CONDITIONS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "framework/condition/condition.h"
#include "framework/condition/condition_result.h"
#include "framework/plan/graph_plan.h"
#include "framework/plan/make_conditions.h"
#include "framework/stream/input_queue.h"

namespace syncline {

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
  // The results of the last Ask, by condition.
  const std::vector<ConditionResult>& results() const { return results_; }
  // After an Ask that came to READY: has the conditions set aside what the call
  // uses up. False: some condition no longer has it; then nothing is set aside.
  absl::StatusOr<bool> Dispatch(const NodeFacts& facts);
  // The call that was dispatched does not come after all. Does nothing if no
  // dispatch waits for its call. For the asker, or for the thread that would
  // have run the call.
  void UndoDispatch();

  // Whether the conditions hold the node back as long as no more packets come
  // to these queues, by port. Conditions whose answer depends on anything else
  // count as ready.
  bool WaitForPackets(absl::Span<const InputQueue> queues) const {
    return WaitForPackets(/*group=*/0, queues);
  }

  // Fetch, without waiting, what Ask will touch: first the lists of conditions
  // and results, then, once these are there, the conditions themselves.
  void FetchLists() const;
  void FetchObjects() const;

  // --- Around the call, on its thread.
  absl::Status BeforeExecute();
  absl::Status OnExecute(std::int64_t now_ns);

 private:
  // Calls a function of the user's, which may return nothing.
  template <typename Code>
  absl::Status Call(size_t condition, const Code& code) const;
  ConditionResult Combined(int group) const;
  bool WaitForPackets(int group, absl::Span<const InputQueue> queues) const;
  void UndoFirst(size_t count);
  absl::Status Named(size_t condition, const absl::Status& status) const;

  const PlanConditions& plan_;
  const MadeConditions made_;
  const std::string node_text_;
  std::vector<ConditionResult> results_;
  // Dispatches whose calls have not begun; above 1 where calls overlap.
  std::atomic<int> dispatched_{0};
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_NODE_NODE_CONDITIONS_H_
