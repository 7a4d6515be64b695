// Puts the nodes in an order in which producers come before consumers.
//
// When no consumer stands before its producer the config's order is kept as it
// is; otherwise the smallest index that is ready comes next, repeatedly, so the
// order stays as close to the config as it can. Node ids are positions in this
// order, and they decide priority at run time. Back edges do not count.
//
// Nodes that wait for each other without a back edge are an error that lists
// the cycle by its names, with the stream that leads from each to the next.
//
// Thread rule: works on the compile's own state.
// Tested by order_nodes_test.

#ifndef SYNCLINE_FRAMEWORK_PLAN_ORDER_NODES_H_
#define SYNCLINE_FRAMEWORK_PLAN_ORDER_NODES_H_

#include "framework/plan/compile_state.h"

namespace syncline {

// Reorders the drafts and the config, or records the cycle; warns of back edges
// that no loop needs. Runs after ConnectPorts.
void OrderNodes(CompileState* state);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PLAN_ORDER_NODES_H_
