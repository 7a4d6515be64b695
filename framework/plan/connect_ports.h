// Gives every stream and side packet a number, one producer and its readers.
//
// Stream names become ids: those of the graph's inputs first, then those of the
// nodes' outputs as they come. An input whose stream nobody produces, a stream
// with two producers, a malformed port of the graph itself, and an
// `input_stream_info` that fits no input are errors. A side packet that nobody
// produces is the application's.
//
// Runs after ParsePorts.
//
// Thread rule: works on the compile's own state.
// Tested by connect_ports_test.

#ifndef SYNCLINE_FRAMEWORK_PLAN_CONNECT_PORTS_H_
#define SYNCLINE_FRAMEWORK_PLAN_CONNECT_PORTS_H_

#include "framework/plan/compile_state.h"

namespace syncline {

void ConnectPorts(CompileState* state);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PLAN_CONNECT_PORTS_H_
