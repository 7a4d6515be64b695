// SimulationClock: a SimulatedClock under the name that MediaPipe has for it.
//
//   auto executor = std::make_shared<SimulationClockExecutor>(4);
//   std::shared_ptr<SimulationClock> clock = executor->GetClock();
//   clock->ThreadStart();          // time waits for this thread
//   clock->Sleep(absl::Milliseconds(10));
//   clock->ThreadFinish();
//
// Starts at absl::UnixEpoch() and advances by itself.
//
// Thread rule: any thread.
// Tested by simulation_clock_test and simulation_clock_executor_test.

#ifndef SYNCLINE_TESTING_SIMULATION_CLOCK_H_
#define SYNCLINE_TESTING_SIMULATION_CLOCK_H_

#include "testing/simulated_clock.h"

namespace syncline {

using SimulationClock = SimulatedClock;

}  // namespace syncline

#endif  // SYNCLINE_TESTING_SIMULATION_CLOCK_H_
