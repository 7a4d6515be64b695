// SimulationClockExecutor: runs a graph in simulated time.
//
//   auto executor = std::make_shared<SimulationClockExecutor>(4);
//   graph.SetExecutor("", executor);
//   side_packets["clock"] =
//       MakePacket<std::shared_ptr<Clock>>(executor->GetClock());
//
// or `executor { type: "SimulationClockExecutor" options {
// [syncline.ThreadPoolExecutorOptions.ext] { num_threads: 4 } } }`, where
// calculators find the clock with SimulatedClock::OfThisThread().
//
// The number is how many calls can be under way at one simulated time, as on a
// machine of so many cores: a call that sleeps keeps its place. Calls need
// permits (see simulated_clock.h) and run one at a time, in the order in which
// they became ready or their sleeps end. So they take no simulated time unless
// they sleep, and a run repeats itself exactly if the application does nothing
// meanwhile, or does it as a SimulatedThread. A call that waits for another one
// by anything but the clock never ends.
//
// Destroying it runs what was added before, and joins the threads; on one of
// its own threads it does not wait. Not to be destroyed by a SimulatedThread of
// its clock, whose permit the others would wait for.
//
// Thread rule: any thread.
// Tested by simulation_clock_executor_test.

#ifndef SYNCLINE_TESTING_SIMULATION_CLOCK_EXECUTOR_H_
#define SYNCLINE_TESTING_SIMULATION_CLOCK_EXECUTOR_H_

#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "absl/status/statusor.h"
#include "framework/config/syncline_options.pb.h"
#include "framework/scheduler/executor.h"
#include "testing/simulation_clock.h"

namespace syncline {

class SimulationClockExecutor : public Executor {
 public:
  // From ThreadPoolExecutorOptions, of which only num_threads counts.
  // INVALID_ARGUMENT if it is missing or not above 0.
  static absl::StatusOr<Executor*> Create(const SynclineOptions& options);

  // REQUIRES: num_threads > 0.
  explicit SimulationClockExecutor(int num_threads);
  // The same by a clock that others use too.
  SimulationClockExecutor(int num_threads,
                          std::shared_ptr<SimulationClock> clock);
  ~SimulationClockExecutor() override;
  SimulationClockExecutor(const SimulationClockExecutor&) = delete;
  SimulationClockExecutor& operator=(const SimulationClockExecutor&) = delete;

  std::shared_ptr<SimulationClock> GetClock() const;

  // What `task` throws is logged.
  void Schedule(std::function<void()> task) override;
  int MaxParallelTasks() const override;

 private:
  class Places;

  // The threads have it too, so that a task may hold the last reference to the
  // executor.
  const std::shared_ptr<Places> places_;
  std::vector<std::thread> threads_;
};

}  // namespace syncline

#endif  // SYNCLINE_TESTING_SIMULATION_CLOCK_EXECUTOR_H_
