// The printed plan, as `run_graph --check` shows it.
//
// Thread rule: a free function of an immutable plan.
// Tested by plan_text_test.

#ifndef SYNCLINE_FRAMEWORK_PLAN_PLAN_TEXT_H_
#define SYNCLINE_FRAMEWORK_PLAN_PLAN_TEXT_H_

#include <string>

#include "framework/plan/graph_plan.h"

namespace syncline {

// Nodes with their ports, streams with producer, readers and type, side
// packets, executors and source layers, a line each.
std::string PlanText(const GraphPlan& plan);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PLAN_PLAN_TEXT_H_
