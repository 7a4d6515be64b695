// SimulationClockExecutor: runs a graph in simulated time; for tests.
// Defined in testing/simulation_clock_executor.h.
#ifndef SYNCLINE_FRAMEWORK_TOOL_SIMULATION_CLOCK_EXECUTOR_H_
#define SYNCLINE_FRAMEWORK_TOOL_SIMULATION_CLOCK_EXECUTOR_H_

#include "framework/tool/simulation_clock.h"
#include "testing/simulation_clock_executor.h"

#endif  // SYNCLINE_FRAMEWORK_TOOL_SIMULATION_CLOCK_EXECUTOR_H_
