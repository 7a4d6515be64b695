// Looks up the graph's status handlers and asks each what it expects.
//
// Thread rule: works on the compile's own state; user code runs on this thread.
// Tested by describe_status_handlers_test and lower_legacy_test.

#ifndef SYNCLINE_FRAMEWORK_PLAN_DESCRIBE_STATUS_HANDLERS_H_
#define SYNCLINE_FRAMEWORK_PLAN_DESCRIBE_STATUS_HANDLERS_H_

#include "framework/plan/compile_state.h"

namespace syncline {

// Fills PlanTables::status_handlers, without their side packets, and their
// types.
void DescribeStatusHandlers(CompileState* state);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PLAN_DESCRIBE_STATUS_HANDLERS_H_
