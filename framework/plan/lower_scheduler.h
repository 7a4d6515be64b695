// Replaces what a graph's `scheduler` says of threads by executors.
//
//   GreedyScheduler, EpochScheduler           ApplicationThreadExecutor
//   MultiThreadScheduler, EventBasedScheduler a pool of worker_thread_number
//   thread_pool { name: "p" }                 executor "p"; its nodes run there
//   ... member { node: "n" pin: true }        executor "p:n" of one thread
//
// What it says of the end of a run stays; see PlanSettings. Runs after
// LowerLegacy and before LowerNumThreads.
//
// Thread rule: works on the compile's own state.
// Tested by lower_scheduler_test.

#ifndef SYNCLINE_FRAMEWORK_PLAN_LOWER_SCHEDULER_H_
#define SYNCLINE_FRAMEWORK_PLAN_LOWER_SCHEDULER_H_

#include "framework/plan/compile_state.h"

namespace syncline {

void LowerScheduler(CompileState* state);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PLAN_LOWER_SCHEDULER_H_
