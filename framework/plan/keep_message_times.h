// KeepMessageTimes: which inputs keep the times of their packets.
//
// An input does so if its input_stream_info says message_times, which
// ConnectPorts has noted, or if the contract asks for it. So do the inputs that
// are merged into such an input by `merge`, since the times are those of the
// packets before they were merged.
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
