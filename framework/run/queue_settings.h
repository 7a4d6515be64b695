// The settings of the queues and outputs of a run, as they follow from the
// plan, from the policies of its nodes, and from limits that the application
// has set.
//
// Thread rule: pure functions.
// Tested by queue_settings_test.

#ifndef SYNCLINE_FRAMEWORK_RUN_QUEUE_SETTINGS_H_
#define SYNCLINE_FRAMEWORK_RUN_QUEUE_SETTINGS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "framework/plan/graph_plan.h"
#include "framework/policy/input_policy.h"
#include "framework/stream/queue_limits.h"

namespace syncline {

// Limits that the application has set for the readers of graph inputs, by graph
// input; 0: the application has set none.
struct InputLimits {
  std::vector<int> packets;
  std::vector<std::int64_t> bytes;
};

// The limit of the queue of an input of a node.
QueueLimit QueueLimitOf(const GraphPlan& plan, const PlanInput& input,
                        const InputLimits& given);

// By how many bytes a queue may grow before it reports its growth. All queues
// together leave at most an eighth of max_memory_bytes unreported. 0: the graph
// has no max_memory_bytes.
std::int64_t ByteStep(const GraphPlan& plan);

// Every reader takes packets whatever their time, so their order is not
// checked. One that does not would notice by chance only. `policies`: by node.
bool ReadersIgnoreTime(const PlanStream& stream, const NodePolicies& policies);

// Whether some reader of the stream asks for the message times of packets.
bool ReadersKeepTimes(const GraphPlan& plan, const PlanStream& stream);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RUN_QUEUE_SETTINGS_H_
