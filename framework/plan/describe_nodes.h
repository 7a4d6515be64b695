// Asks every node's calculator for its contract, in two steps.
//
// ParsePorts lays out the ports of each node, which needs no calculator, so
// that nodes can be connected and ordered first: the canonical names that
// contracts may ask for depend on the order. DescribeNodes then looks up the
// calculator once for each type, calls GetContract once for each node, guarded
// against what user code may do, and checks the answer against the node's
// ports.
//
// Nodes for which this fails keep their ports, so that later passes do not
// blame others. Status handlers are described in the same way.
//
// Thread rule: works on the compile's own state; user code runs on this thread.
// Tested by describe_nodes_test.

#ifndef SYNCLINE_FRAMEWORK_PLAN_DESCRIBE_NODES_H_
#define SYNCLINE_FRAMEWORK_PLAN_DESCRIBE_NODES_H_

#include "framework/plan/compile_state.h"

namespace syncline {

// Before ConnectPorts. Fills NodeDraft::contract up to its types, and describes
// the status handlers.
void ParsePorts(CompileState* state);

// After OrderNodes. Fills NodeDraft::factory, contract and described.
void DescribeNodes(CompileState* state);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PLAN_DESCRIBE_NODES_H_
