// The conditions that `gxf_defaults: true` of a node adds, as GXF and Holoscan
// do: one for each port that no condition of the node names.
//
//   an input     MessageAvailableCondition: a packet waits there
//   an output    DownstreamMessageAffordableCondition: its readers have room
//
// Thread rule: a free function.
// Tested by default_conditions_test; in a plan, by check_conditions_test.

#ifndef SYNCLINE_FRAMEWORK_PLAN_DEFAULT_CONDITIONS_H_
#define SYNCLINE_FRAMEWORK_PLAN_DEFAULT_CONDITIONS_H_

#include <vector>

#include "framework/calculator/contract.h"
#include "framework/config/calculator.pb.h"
#include "framework/plan/make_conditions.h"

namespace syncline {

// Those of the inputs first, both in the order of ports. `made`: the other
// conditions of the node.
std::vector<ConditionConfig> DefaultConditions(
    const CalculatorContract& contract, const MadeConditions& made);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PLAN_DEFAULT_CONDITIONS_H_
