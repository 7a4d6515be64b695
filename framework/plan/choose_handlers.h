// Which stream handler each node gets, and with which options.
//
// The input stream handler is the node's, else the one its contract asks for,
// else the default. (That of the graph is the node's by now, see
// lower_legacy.h.) Which options a handler accepts is known to
// input_policy_types.h, and whether it can do what the node asks for, to
// run/check_handlers.h.
// Options of another handler's type have no effect, which is a warning: graphs
// that MediaPipe runs may have them.
//
// Runs after DescribeNodes; fills the handler fields of the drafts.
//
// Thread rule: works on the compile's own state.
// Tested by choose_handlers_test.

#ifndef SYNCLINE_FRAMEWORK_PLAN_CHOOSE_HANDLERS_H_
#define SYNCLINE_FRAMEWORK_PLAN_CHOOSE_HANDLERS_H_

#include "framework/plan/compile_state.h"

namespace syncline {

void ChooseHandlers(CompileState* state);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PLAN_CHOOSE_HANDLERS_H_
