// Which stream handler each node gets, and whether it can work there.
//
// The input stream handler is the node's, else the one its contract asks for,
// else the default. (That of the graph is the node's by now, see
// lower_legacy.h.) What a handler accepts is known to input_policy_types.h.
// Options of another handler's type have no effect, which is a warning: graphs
// that MediaPipe runs may have them.
//
// Runs after DescribeNodes; fills the handler fields of the drafts.
//
// Thread rule: works on the compile's own state.
// Tested by check_handlers_test.

#ifndef SYNCLINE_FRAMEWORK_PLAN_CHECK_HANDLERS_H_
#define SYNCLINE_FRAMEWORK_PLAN_CHECK_HANDLERS_H_

#include "framework/plan/compile_state.h"

namespace syncline {

void CheckHandlers(CompileState* state);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PLAN_CHECK_HANDLERS_H_
