// NodeSnapshot: the state of a node at one moment, for reports.
//
// Thread rule: a value.

#ifndef SYNCLINE_FRAMEWORK_NODE_NODE_SNAPSHOT_H_
#define SYNCLINE_FRAMEWORK_NODE_NODE_SNAPSHOT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "framework/condition/condition_result.h"
#include "framework/node/node_state.h"
#include "framework/packet/timestamp.h"
#include "framework/stream/drop_cause.h"

namespace syncline {

struct NodeSnapshot {
  // Whether its calculator lets no packet into a loop before that has answered
  // at this input (condition/loop_gate).
  enum class LoopWait { kNotSaid, kGoesOn, kWaits };
  struct Input {
    std::int64_t queue_size = 0;
    std::int64_t packets_added = 0;
    DropCounts drops;
    int limit = 0;
    // Both are -1 where there is no limit in bytes.
    std::int64_t bytes = -1;
    std::int64_t byte_limit = -1;
    bool is_full = false;
    Timestamp bound;
    Timestamp min_timestamp_or_bound;
    LoopWait loop_wait = LoopWait::kNotSaid;
  };
  struct Output {
    std::int64_t packets_added = 0;
    Timestamp bound;
  };
  // The node waits for inputs until then, with packets that wait or without.
  struct InputWait {
    std::int64_t until_ns = ConditionResult::kNoTarget;
    bool has_packets = false;
  };
  NodeState state = NodeState::kWaiting;
  int calls_in_flight = 0;
  // The invocations of those, and of Open and Close; only to be compared. That
  // of a source is here also while it is not called.
  std::vector<const void*> calls;
  // The input timestamp of each of those; Unset for a call that has none, or
  // that no thread has begun.
  std::vector<Timestamp> call_timestamps;
  // Input sets that are taken and wait for a batch to be full.
  int batched_sets = 0;
  // Packets that wait at the parts of a fused node.
  std::int64_t packets_inside = 0;
  std::string where_inside;  // InnerQueues::WhereTheyWait
  // Of a fused node, InnerQueues::PartInCall.
  std::string part_in_call;
  // The last answers of its conditions, in the order of the plan; empty if they
  // were not asked yet. `is_held`: they keep an input set from its call.
  std::vector<ConditionResult> conditions;
  bool is_held = false;
  // By condition, ConditionBase::WaitText of those that hold the node; empty
  // where nobody asked.
  std::vector<std::string> wait_texts;
  InputWait input_wait;
  // Where calls are timed: the last calls of Process that began and ended, in
  // microseconds since 1970 or 0, and how many are going on.
  std::int64_t last_start_us = 0;
  std::int64_t last_finish_us = 0;
  int running_calls = 0;
  // How long those that have ended took, together.
  std::int64_t host_time_ns = 0;
  // The same on devices, where it is measured, and of how many calls.
  std::int64_t device_time_ns = 0;
  std::int64_t device_calls = 0;
  std::vector<Input> inputs;
  std::vector<Output> outputs;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_NODE_NODE_SNAPSHOT_H_
