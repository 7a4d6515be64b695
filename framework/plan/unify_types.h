// Which type flows on each stream and side packet, and whether both ends agree.
//
// "Any" means one single type that is not known yet, so a port of that kind
// takes the type of what it is connected to, and hands it on to every port that
// is declared "same as" it. Ports are merged into classes (union-find), so a
// chain of 10,000 pass-through nodes costs 10,000 steps. A "one of" port is
// then narrowed by an exact type at the other end of an edge. At last each edge
// is checked; the error names the stream, both nodes and both types.
//
// Order matters only where the graph is wrong: edges are visited by consumer
// id.
//
// Runs after DescribeNodes; fills the `type` fields of the drafts.
//
// Thread rule: works on the compile's own state.
// Tested by unify_types_test.

#ifndef SYNCLINE_FRAMEWORK_PLAN_UNIFY_TYPES_H_
#define SYNCLINE_FRAMEWORK_PLAN_UNIFY_TYPES_H_

#include "framework/plan/compile_state.h"

namespace syncline {

void UnifyTypes(CompileState* state);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PLAN_UNIFY_TYPES_H_
