// Numbers that apply to the graph or to one node: queue limits, calls in
// flight.
//
// max_queue_size 0 means 100 and -1 no limit; the largest buffer_size_hint of
// any node raises it for all. Values that mean nothing are errors, not guesses.
//
// Runs after ConnectPorts; fills PlanTables::settings.
//
// Thread rule: works on the compile's own state.
// Tested by check_settings_test.

#ifndef SYNCLINE_FRAMEWORK_PLAN_CHECK_SETTINGS_H_
#define SYNCLINE_FRAMEWORK_PLAN_CHECK_SETTINGS_H_

#include "framework/plan/compile_state.h"

namespace syncline {

inline constexpr int kDefaultMaxQueueSize = 100;

void CheckSettings(CompileState* state);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PLAN_CHECK_SETTINGS_H_
