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
// measure the tasks that they run, and a calculator around each calculator that
// measures its calls. Framework time is the difference: what workers do between
// being given something and having nothing more to do, less what happens inside
// of Open, Process and Close. What measuring costs, two looks at the clock for
// each call, is in it.
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

struct MeasuredTimes {
  std::int64_t workers_ns = 0;      // tasks of all executors
  std::int64_t calculators_ns = 0;  // calls of calculators, in these tasks
  std::int64_t process_calls = 0;   // of Process, in these tasks

  double FrameworkNsPerCall() const {
    return process_calls == 0
               ? 0
               : static_cast<double>(workers_ns - calculators_ns) /
                     static_cast<double>(process_calls);
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
