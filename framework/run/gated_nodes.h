// GatedNodes: the nodes of a run that wait for more than their inputs
// (ConditionGate), and those of them that wait for room in the queues behind
// them.
//
// Thread rule: constant once the run is built.
// Tested by gated_nodes_test.

#ifndef SYNCLINE_FRAMEWORK_RUN_GATED_NODES_H_
#define SYNCLINE_FRAMEWORK_RUN_GATED_NODES_H_

#include <cstdint>
#include <map>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "framework/condition/condition_result.h"
#include "framework/node/effects.h"
#include "framework/node/node.h"
#include "framework/plan/graph_plan.h"
#include "framework/plan/make_conditions.h"
#include "framework/report/run_reports.h"
#include "framework/run/idle_decision.h"
#include "framework/run/run_nodes.h"
#include "framework/run/run_timers.h"

namespace syncline {

class GatedNodes {
 public:
  // `nodes`: all nodes of the run; borrowed.
  explicit GatedNodes(const RunNodes* nodes) : run_nodes_(*nodes) {}

  // --- Building

  // `has_timeout`: it waits for its inputs for a time.
  void Add(Node* node, bool has_timeout) {
    nodes_.push_back(node);
    has_timeouts_ = has_timeouts_ || has_timeout;
  }
  // For `node` with these conditions: has the queues tell of more room that its
  // conditions look at.
  void WatchRooms(Node* node, const MadeConditions& conditions);
  // The conditions of a node could not be made: the run is to end with this
  // error.
  void AddError(const absl::Status& error) { status_.Update(error); }

  // --- Looking

  bool empty() const { return nodes_.empty(); }
  auto begin() const { return nodes_.begin(); }
  auto end() const { return nodes_.end(); }
  // The first error.
  const absl::Status& status() const { return status_; }
  // Whether some of these nodes wait for inputs for a limited time.
  bool has_timeouts() const { return has_timeouts_; }
  // The nodes that look at the room in the queues of `stream`.
  absl::Span<Node* const> RoomWatchersOf(int stream) const {
    if (room_watchers_.empty()) return {};
    const auto found = room_watchers_.find(stream);
    if (found == room_watchers_.end()) return {};
    return found->second;
  }
  // A node waits for a time with something to do then.
  bool HoldForTime() const;
  // Whether `node`, which `held_by` holds, may wait for room behind it.
  static bool WaitsForRoom(const Node& node, const ConditionResult& held_by);
  // The queues that have less room than the held nodes before them ask for.
  std::vector<ShortRoom> FindShortRooms() const;
  // The earliest time that a node still waits for, or RunTimers::kNone.
  // `timers` has the times, and forgets those that no node waits for any more.
  std::int64_t NextTime(RunTimers* timers) const;
  // Adds to `state` what the nodes are held by.
  void AddHeld(IdleState* state) const;

  // --- Acting

  // There is more room in the queues of `stream`.
  void TellRoomWatchers(int stream, Effects* effects) const {
    for (Node* const node : RoomWatchersOf(stream)) {
      node->ConditionChanged(effects);
    }
  }

  // Stops the conditions of all nodes, after the run.
  void StopConditions();

 private:
  const RunNodes& run_nodes_;
  std::vector<Node*> nodes_;
  bool has_timeouts_ = false;
  std::map<int, std::vector<Node*>> room_watchers_;  // by stream
  absl::Status status_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RUN_GATED_NODES_H_
