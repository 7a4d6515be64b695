// How the queues and outputs of a run are set up: what follows from the plan,
// from the policies of its nodes, and from what the application has set.
//
// Thread rule: pure functions.
// Tested by run_nodes_test.

#ifndef SYNCLINE_FRAMEWORK_RUN_QUEUE_SETTINGS_H_
#define SYNCLINE_FRAMEWORK_RUN_QUEUE_SETTINGS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "framework/plan/graph_plan.h"
#include "framework/policy/input_policy.h"
#include "framework/stream/queue_watch.h"

namespace syncline {

// Limits that the application has set for the readers of graph inputs, by graph
// input; 0: as usual.
struct InputLimits {
  std::vector<int> packets;
  std::vector<std::int64_t> bytes;
};

// Of the queue of an input of a node.
QueueLimit QueueLimitOf(const GraphPlan& plan, const PlanInput& input,
                        const InputLimits& given);

// Where a graph says how many bytes all of its queues may have, each tells so
// often of its growth that what is not told is an eighth of them at most. 0:
// the graph says nothing.
std::int64_t ByteStep(const GraphPlan& plan);

// Every reader takes packets whatever their time, so their order is not
// checked. One that does not would notice by chance only. `policies`: by node.
bool ReadersIgnoreTime(const PlanStream& stream,
                       absl::Span<const InputPolicyKind> policies);

// Some reader asks for the times of packets.
bool ReadersKeepTimes(const GraphPlan& plan, const PlanStream& stream);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RUN_QUEUE_SETTINGS_H_
