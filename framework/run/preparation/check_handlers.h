// FindPolicies: the input policy of each node, which its input stream handler
// names, and whether it can do what the node asks for.
//
//   a policy that ...                          cannot be used with
//   has its own rule of which packets to drop  queue_policy: POP, message times
//   ignores time                               idle_after
//   may repeat timestamps, or makes batches    max_in_flight
//
// What `deterministic: true` asks of a policy is in check_deterministic.h.
//
// Thread rule: a free function.
// Tested by check_handlers_test.

#ifndef SYNCLINE_FRAMEWORK_RUN_PREPARATION_CHECK_HANDLERS_H_
#define SYNCLINE_FRAMEWORK_RUN_PREPARATION_CHECK_HANDLERS_H_

#include "absl/status/statusor.h"
#include "framework/plan/graph_plan.h"
#include "framework/policy/input_policy.h"

namespace syncline {

// By node id. INVALID_ARGUMENT, with all errors in one, where a policy cannot
// do what is asked of it.
absl::StatusOr<NodePolicies> FindPolicies(const GraphPlan& plan);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RUN_PREPARATION_CHECK_HANDLERS_H_
