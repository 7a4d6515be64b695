// SimulationClock: time that passes only when nobody could use it; for tests.
// Defined in testing/simulated_clock.h.
#ifndef SYNCLINE_FRAMEWORK_TOOL_SIMULATION_CLOCK_H_
#define SYNCLINE_FRAMEWORK_TOOL_SIMULATION_CLOCK_H_

#include "testing/simulation_clock.h"

#endif  // SYNCLINE_FRAMEWORK_TOOL_SIMULATION_CLOCK_H_
