// Makes the condition objects of a node, as its plan describes them.
//
// They are made once when the graph is compiled, to check their options, and
// again for each run, because the state of a condition belongs to one run.
//
// Thread rule: any thread; the objects belong to the caller.
// Tested by make_conditions_test and check_conditions_test.

#ifndef SYNCLINE_FRAMEWORK_PLAN_MAKE_CONDITIONS_H_
#define SYNCLINE_FRAMEWORK_PLAN_MAKE_CONDITIONS_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "framework/calculator/contract.h"
#include "framework/condition/condition.h"
#include "framework/plan/graph_plan.h"

namespace syncline {

// The conditions of a node, with what all of them have asked for.
struct MadeConditions : ConditionRequests {
  // In the order of the plan.
  std::vector<std::shared_ptr<ConditionBase>> objects;
  // Their PacketNeeds(), in the same order.
  std::vector<std::vector<PacketNeed>> needs;
  // In step with watched_rooms: the number of the condition that asked.
  std::vector<int> room_watchers;
};

// How errors name a condition: `condition "name" (Type)`, or the type alone.
std::string ConditionText(const PlanCondition& condition);

// Errors name the condition, not the node. `allocators`: names.
absl::StatusOr<MadeConditions> MakeConditions(
    const PlanConditions& plan, const CalculatorContract& contract,
    absl::Span<const std::string> allocators);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PLAN_MAKE_CONDITIONS_H_
