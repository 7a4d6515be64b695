// Which sources can feed each node.
//
// A source is a graph input or a source node: what back-pressure holds when a
// queue fills up. A node's set is the union of its inputs' producers' sets.
// Nodes are visited in id order, so a back edge brings what its producer is
// known to depend on by then.
//
// Runs after OrderNodes; fills PlanTables::sources and the set ids in nodes and
// streams.
//
// Thread rule: works on the compile's own state.
// Tested by trace_sources_test.

#ifndef SYNCLINE_FRAMEWORK_PLAN_TRACE_SOURCES_H_
#define SYNCLINE_FRAMEWORK_PLAN_TRACE_SOURCES_H_

#include "framework/plan/compile_state.h"

namespace syncline {

void TraceSources(CompileState* state);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PLAN_TRACE_SOURCES_H_
