// The conditions of each node: those of its contract and its config in one
// list, their types found and their options accepted.
//
// Runs after DescribeNodes; fills NodeDraft::conditions and
// PlanTables::conditions.
//
// Thread rule: works on the compile's own state.
// Tested by check_conditions_test.

#ifndef SYNCLINE_FRAMEWORK_PLAN_CHECK_CONDITIONS_H_
#define SYNCLINE_FRAMEWORK_PLAN_CHECK_CONDITIONS_H_

#include "framework/plan/compile_state.h"

namespace syncline {

void CheckConditions(CompileState* state);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PLAN_CHECK_CONDITIONS_H_
