// Refuses conditions on other nodes that can never be met:
//
//   - room for more packets than a reader's queue may ever hold: the node would
//     never be called
//   - a condition that starts itself, such as the root of a behaviour tree that
//     is its own descendant: the run would never end
//
// Thread rule: works on the compile's own state.
// Tested by check_condition_graph_test.

#ifndef SYNCLINE_FRAMEWORK_PLAN_CHECK_CONDITION_GRAPH_H_
#define SYNCLINE_FRAMEWORK_PLAN_CHECK_CONDITION_GRAPH_H_

#include "framework/plan/compile_state.h"

namespace syncline {

// Runs after CheckConditions and CheckSettings.
void CheckConditionGraph(CompileState* state);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PLAN_CHECK_CONDITION_GRAPH_H_
