// Finds out which channels of a switch pass timestamp bounds on.
// SwitchMuxCalculator has to know this, and cannot see it by itself.
//
//   tick ─> SwitchDemux ─> c0__in ─> A (offset 5) ─> B (offset 0) ─> c0__out
//                       └> c1__in ─> C (no offset) ───────────────> c1__out
//
// When nothing more is sent to A, the bounds of "tick" still go through A and
// B, and "c0__out" is settled up to a change of channel soon after "tick" is.
// That can be waited for, and no packet of A is missed. "c1__out" is settled
// only up to what C sent last, and to wait for more could take forever.
//
// So this pass writes the inputs of the first kind into the options of the
// SwitchMuxCalculator, as settled_input_stream; in a graph with
// `deterministic: true` all of them, because only what is waited for does not
// depend on the schedule.
//
// A node passes bounds if it promises a timestamp offset and joins its inputs
// by DefaultInputStreamHandler, or is called for bounds.
//
// Thread rule: works on the compile's own state.
// Tested by trace_bounds_test and //framework/tool:switch_container_test.

#ifndef SYNCLINE_FRAMEWORK_PLAN_TRACE_BOUNDS_H_
#define SYNCLINE_FRAMEWORK_PLAN_TRACE_BOUNDS_H_

#include "framework/plan/compile_state.h"

namespace syncline {

// Runs after ChooseHandlers.
void TraceBounds(CompileState* state);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PLAN_TRACE_BOUNDS_H_
