// The last step: copies what the passes found into the tables of the plan.
//
// Runs only when there were no errors, so every id is valid.
//
// Thread rule: works on the compile's own state.
// Tested by finish_plan_test and compile_test.

#ifndef SYNCLINE_FRAMEWORK_PLAN_FINISH_PLAN_H_
#define SYNCLINE_FRAMEWORK_PLAN_FINISH_PLAN_H_

#include "framework/plan/compile_state.h"

namespace syncline {

void FinishPlan(CompileState* state);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PLAN_FINISH_PLAN_H_
