// The state of a run as a GraphRuntimeInfo message.
//
// Thread rule: free functions.
// Tested by runtime_info_test.

#ifndef SYNCLINE_FRAMEWORK_GRAPH_RUNTIME_INFO_H_
#define SYNCLINE_FRAMEWORK_GRAPH_RUNTIME_INFO_H_

#include <cstdint>

#include "absl/types/span.h"
#include "framework/config/graph_runtime_info.pb.h"
#include "framework/node/node.h"
#include "framework/plan/graph_plan.h"
#include "framework/run/graph_input.h"

namespace syncline {

// `nodes` by node id, `inputs` as in the plan. Streams are named
// "TAG:index:name".
GraphRuntimeInfo MakeRuntimeInfo(const GraphPlan& plan,
                                 absl::Span<const NodeSnapshot> nodes,
                                 absl::Span<const GraphInput::Snapshot> inputs,
                                 std::int64_t unix_us);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_GRAPH_RUNTIME_INFO_H_
