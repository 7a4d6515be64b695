// Measures where the time of a run goes: into calculators, or into which part
// of the framework around them.
//
//   SYNCLINE_RETURN_IF_ERROR(MeasureCalculators(&config));
//   auto executors = MeasuringExecutors(threads, &config);
//   for (auto& [name, executor] : executors) graph.SetExecutor(name, executor);
//   graph.ObserveOutputStream("out", MeasuredObserver(observe));
//   ResetMeasuredTimes();
//   ... run ...
//   MeasuredTimes times = GetMeasuredTimes();
//
// It needs no help from the framework, only parts that any application can plug
// in: executors that read a clock when a task begins, when it ends, and when
// they are called; and a wrapper around each calculator that reads the clock
// when a call begins and ends. The rest of the time of a task is the
// framework's own code.
//
// For the framework's own code the clock is the machine's: most pieces take
// less than a microsecond, and asking the system for the CPU time of a thread
// takes as long. So if another thread takes the core during such a piece, that
// time counts as the framework's; this is rare. For all other parts the clock
// is the CPU time of the thread: if a woken thread takes the core at once, that
// is not a cost of waking it. The cost of reading the clock is measured before,
// and subtracted.
//
// The wrapper drops the input packets of a call right before the framework
// would. So the time of destroying a value that nobody else holds, such as a
// frame, is not counted as the framework's.
//
// Thread rule: one measured run at a time in the process; times may be read on
// any thread.
// Tested by pedestrians_test.

#ifndef SYNCLINE_EXAMPLES_PEDESTRIANS_MEASURED_RUN_H_
#define SYNCLINE_EXAMPLES_PEDESTRIANS_MEASURED_RUN_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "framework/calculator.pb.h"
#include "framework/executor.h"
#include "framework/packet.h"

namespace syncline {

// What the time is used for.
enum class TimeOf {
  kFramework,    // the framework's own code, apart from the parts below
  kThreads,      // executors that are handed a task: waking a thread, mostly
  kPackets,      // letting go of packets, and destroying what nobody else holds
  kObservers,    // functions given to MeasuredObserver
  kCalculators,  // calls of calculators
  kNobody,       // outside of tasks; not measured
};

struct MeasuredTimes {
  double Ns(TimeOf owner) const { return ns[static_cast<int>(owner)]; }
  double NsPerCall(TimeOf owner) const {
    return process_calls == 0 ? 0
                              : Ns(owner) / static_cast<double>(process_calls);
  }

  double ns[static_cast<int>(TimeOf::kNobody)] = {};
  std::int64_t process_calls = 0;
};

// Puts a measuring calculator around the calculator of each node of `config`,
// which must be expanded. Calls are counted with any executor, but timed only
// with the executors below.
absl::Status MeasureCalculators(CalculatorGraphConfig* config);

// Measuring executors for the executors that `config` declares, and for the
// default one, which gets `threads` threads; 0 means one for each core. Changes
// `config` so that the application supplies the executors.
std::map<std::string, std::shared_ptr<Executor>> MeasuringExecutors(
    int threads, CalculatorGraphConfig* config);

// An observer whose time is counted as that of observers.
std::function<absl::Status(const Packet&)> MeasuredObserver(
    std::function<void(const Packet&)> observer);

void ResetMeasuredTimes();
MeasuredTimes GetMeasuredTimes();

}  // namespace syncline

#endif  // SYNCLINE_EXAMPLES_PEDESTRIANS_MEASURED_RUN_H_
