// Where the time of a run goes: into calculators, or into the framework around
// them, and what for.
//
//   SYNCLINE_RETURN_IF_ERROR(MeasureCalculators(&config));
//   auto executors = MeasuringExecutors(threads, &config);
//   for (auto& [name, executor] : executors) graph.SetExecutor(name, executor);
//   graph.ObserveOutputStream("out", MeasuredObserver(observe));
//   ResetMeasuredTimes();
//   ... run ...
//   MeasuredTimes times = GetMeasuredTimes();
//
// Without help from the framework, by what anybody can plug in: executors that
// look at a clock where a task begins and ends and where they are called, and a
// calculator around each calculator that looks where its calls do. What is
// left, from the begin of a task to its end, is the framework's own code.
//
// The clock of the framework's pieces is the machine's: most take less than a
// microsecond, which is what asking the system for the time of a thread takes.
// So a moment in which another thread has the core counts as the framework's if
// it falls into such a piece, which is rare and not left out. Everybody else's
// time is that of the thread: a core that the woken thread takes at once is not
// what waking it costs. What looking at a clock costs is measured beforehand,
// and taken off.
//
// A packet that a calculator has done with is let go of by the wrapper, right
// before the framework would: this is how the destruction of what nobody else
// holds, such as a frame, is told from the framework's work.
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

// Whose time it is.
enum class TimeOf {
  kFramework,    // the framework's own code, between all below
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

// Puts a measuring calculator around the one of each node of `config`, which
// has to be expanded. Calls are counted with any executor, and timed with those
// below.
absl::Status MeasureCalculators(CalculatorGraphConfig* config);

// Executors that measure, for those that `config` declares, which then leaves
// them to the application, and for the default one, with `threads` threads; 0:
// one for each core.
std::map<std::string, std::shared_ptr<Executor>> MeasuringExecutors(
    int threads, CalculatorGraphConfig* config);

// An observer whose time is its own.
std::function<absl::Status(const Packet&)> MeasuredObserver(
    std::function<void(const Packet&)> observer);

void ResetMeasuredTimes();
MeasuredTimes GetMeasuredTimes();

}  // namespace syncline

#endif  // SYNCLINE_EXAMPLES_PEDESTRIANS_MEASURED_RUN_H_
