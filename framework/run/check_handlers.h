// FindPolicies: the input policy of each node, which its input stream handler
// names, and whether it can do what the node asks for.
//
// A policy with a rule of its own for which packets it drops goes with neither
// queue_policy: POP nor message times; one that ignores time, not with
// idle_after; one that may repeat timestamps, or makes batches, not with
// max_in_flight. With `deterministic: true` see check_deterministic.h.
//
// Thread rule: a free function.
// Tested by check_handlers_test.

#ifndef SYNCLINE_FRAMEWORK_RUN_CHECK_HANDLERS_H_
#define SYNCLINE_FRAMEWORK_RUN_CHECK_HANDLERS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "framework/plan/graph_plan.h"
#include "framework/policy/input_policy.h"

namespace syncline {

// By node id. INVALID_ARGUMENT, with all errors in one, where a policy cannot
// do what is asked of it.
absl::StatusOr<std::vector<InputPolicyKind>> FindPolicies(
    const GraphPlan& plan);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RUN_CHECK_HANDLERS_H_
