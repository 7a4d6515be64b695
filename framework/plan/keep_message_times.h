// KeepMessageTimes: which inputs keep the times of their packets.
//
// Those whose input_stream_info says message_times, which ConnectPorts has
// noted, those whose contract asks for it, and what flows into them through
// `merge`, since the times are those of the packets before they were merged.
//
// Thread rule: works on the compile's own state.
// Tested by keep_message_times_test; in a run, by message_times_graph_test.

#ifndef SYNCLINE_FRAMEWORK_PLAN_KEEP_MESSAGE_TIMES_H_
#define SYNCLINE_FRAMEWORK_PLAN_KEEP_MESSAGE_TIMES_H_

#include "framework/plan/compile_state.h"

namespace syncline {

// Runs after DescribeNodes.
void KeepMessageTimes(CompileState* state);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PLAN_KEEP_MESSAGE_TIMES_H_
