// Where the time of a run goes: into calculators, or into the framework around
// them.
//
//   SYNCLINE_ASSIGN_OR_RETURN(auto executors, MeasureRun(threads, &config));
//   for (auto& [name, executor] : executors) graph.SetExecutor(name, executor);
//   ResetMeasuredTimes();
//   ... run ...
//   MeasuredTimes times = GetMeasuredTimes();
//
// Without help from the framework, by what anybody can plug in: executors that
// look at the clock where a task begins and ends, and a calculator around each
// calculator that looks where its calls do. What threads of the graph do in
// between is framework time. The clock is that of the thread: time in which
// another has the core, as after waking it, is nobody's. What looking at the
// clock costs is measured beforehand, and taken off.
//
// Thread rule: one measured run at a time in the process; times may be read on
// any thread.
// Tested by pedestrians_test.

#ifndef SYNCLINE_EXAMPLES_PEDESTRIANS_MEASURED_RUN_H_
#define SYNCLINE_EXAMPLES_PEDESTRIANS_MEASURED_RUN_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "framework/calculator.pb.h"
#include "framework/executor.h"

namespace syncline {

// Of the threads' own clocks.
struct MeasuredTimes {
  double framework_ns = 0;
  double calculators_ns = 0;
  std::int64_t process_calls = 0;

  double FrameworkNsPerCall() const {
    return process_calls == 0
               ? 0
               : framework_ns / static_cast<double>(process_calls);
  }
};

// Puts a measuring calculator around the one of each node of `config`, which
// has to be expanded, and makes executors that measure for those that it
// declares, and for the default one, with `threads` threads; 0: one for each
// core.
absl::StatusOr<std::map<std::string, std::shared_ptr<Executor>>> MeasureRun(
    int threads, CalculatorGraphConfig* config);

void ResetMeasuredTimes();
MeasuredTimes GetMeasuredTimes();

}  // namespace syncline

#endif  // SYNCLINE_EXAMPLES_PEDESTRIANS_MEASURED_RUN_H_
