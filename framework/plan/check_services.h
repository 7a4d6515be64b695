// Which services the graph's nodes ask for, by key.
//
// Services are usually given after the graph is compiled, so nothing is missing
// yet unless the caller says so (CompileOptions::check_services).
//
// Runs after DescribeNodes; fills PlanTables::services.
//
// Thread rule: works on the compile's own state.
// Tested by check_services_test.

#ifndef SYNCLINE_FRAMEWORK_PLAN_CHECK_SERVICES_H_
#define SYNCLINE_FRAMEWORK_PLAN_CHECK_SERVICES_H_

#include "framework/plan/compile_state.h"

namespace syncline {

void CheckServices(CompileState* state);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PLAN_CHECK_SERVICES_H_
