// ExploredDevices: devices of one run, whose order of work the schedule chooses
// too.
//
// They are stand-ins without threads. What a device may do next, it does where
// the schedule says so: while a node submits work or asks whether some has
// ended, while the host waits, between two calls, and when nothing else can
// run. So each order that streams and events allow can happen, and happens
// again for the same seed.
//
//   in a call of a node     kernels, copies and fills
//   in a wait of the host   all work, until the wait is over
//   between two calls       all work, and notices for conditions and allocators
//
// The plain answer is always that it happens at once: a device that is done
// with each piece of work before the next one is submitted.
//
// Thread rule: one thread. Other threads may use the devices, and then the
// order is theirs.
// Tested by gpu/explore_devices_test.

#ifndef SYNCLINE_TESTING_EXPLORED_DEVICES_H_
#define SYNCLINE_TESTING_EXPLORED_DEVICES_H_

#include <cstddef>
#include <memory>
#include <string>
#include <thread>

#include "absl/status/status.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "framework/graph/calculator_graph.h"
#include "framework/plan/graph_plan.h"
#include "gpu/device_memory.h"
#include "gpu/notices.h"
#include "gpu/stand_in/stand_in_devices.h"
#include "testing/schedule_chooser.h"

namespace syncline {

class ExploredDevices {
 public:
  // Whether nodes of the graph use devices.
  static bool AreUsedBy(const GraphPlan& plan);

  // While it exists, allocators take memory from these devices. `chooser` is
  // borrowed. Accesses are checked unless the graph says otherwise.
  ExploredDevices(const GraphPlan& plan, ScheduleChooser* chooser);
  // REQUIRES: the graph and its packets are gone.
  ~ExploredDevices();
  ExploredDevices(const ExploredDevices&) = delete;
  ExploredDevices& operator=(const ExploredDevices&) = delete;

  // Before the run of a graph with the chooser as its task chooser.
  absl::Status GiveTo(CalculatorGraph* graph) const;

  // Between two calls: the devices do as much as the schedule says.
  void MayGoOn();
  // Where nothing else can run: at least one thing happens. False if there is
  // none left.
  bool GoOn();

 private:
  // What the devices ask. They may live on in packets that somebody keeps.
  class Answers {
   public:
    explicit Answers(ScheduleChooser* chooser) : chooser_(chooser) {}
    // From now on what is left happens in the plain order.
    void EndRun() { chooser_ = nullptr; }

    // Of `count` works, which comes next.
    std::size_t ChooseInWait(std::size_t count);
    // The same in a call that submits work or asks for its end; or none.
    absl::optional<std::size_t> ChooseInCall(
        absl::Span<const std::string> ready);

   private:
    bool IsOtherThread() const { return std::this_thread::get_id() != thread_; }

    ScheduleChooser* chooser_;
    const std::thread::id thread_ = std::this_thread::get_id();
  };

  static gpu::StandInOptions OptionsFor(
      const std::shared_ptr<Answers>& answers);
  // How many different things can happen next.
  std::size_t NumPossible() const;
  // The `number`-th of them.
  void Do(std::size_t number);
  void DoOneByChoice();

  ScheduleChooser* const chooser_;
  const std::shared_ptr<Answers> answers_;
  gpu::NoticeCollector notices_;
  const gpu::StandInDevices devices_;
  const gpu::MemoryDevicesScope memory_{devices_.devices};
};

}  // namespace syncline

#endif  // SYNCLINE_TESTING_EXPLORED_DEVICES_H_
