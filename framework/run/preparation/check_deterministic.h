// Whether a node may be in a graph with `deterministic: true`: what it sends
// must not depend on which packet comes first.
//
// What a node sends depends on the order of arrival if the input stream handler
// of the node is not deterministic, if an input has idle_after, if sync sets
// are called in any order, or if bounds are processed. Some of these are
// allowed if the contract says that the order does not matter
// (SetOrderIndependent). Conditions, `merge` and containers are checked when
// the graph is compiled.
//
// Thread rule: a free function.
// Tested by check_deterministic_test.

#ifndef SYNCLINE_FRAMEWORK_RUN_PREPARATION_CHECK_DETERMINISTIC_H_
#define SYNCLINE_FRAMEWORK_RUN_PREPARATION_CHECK_DETERMINISTIC_H_

#include <string>

#include "absl/strings/string_view.h"
#include "framework/plan/graph_plan.h"
#include "framework/policy/input_policy.h"

namespace syncline {

// Why the node may send something else in another schedule, and what can be
// done; "" if it may not. `idle` is an input with idle_after, or "".
std::string WhyNotDeterministic(const GraphPlan& plan, const PlanNode& node,
                                const InputPolicyKind& kind,
                                const InputPolicy& policy,
                                absl::string_view idle);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RUN_PREPARATION_CHECK_DETERMINISTIC_H_
