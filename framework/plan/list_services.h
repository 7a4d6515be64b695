// Which services the graph's nodes ask for, by key.
//
// Services are given after the graph is compiled, so nothing is missing yet: a
// run that starts looks for the required ones.
//
// Runs after DescribeNodes; fills PlanTables::services.
//
// Thread rule: works on the compile's own state.
// Tested by list_services_test.

#ifndef SYNCLINE_FRAMEWORK_PLAN_LIST_SERVICES_H_
#define SYNCLINE_FRAMEWORK_PLAN_LIST_SERVICES_H_

#include "framework/plan/compile_state.h"

namespace syncline {

void ListServices(CompileState* state);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PLAN_LIST_SERVICES_H_
