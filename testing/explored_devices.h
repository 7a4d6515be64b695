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
// What is here is only what an exploration asks of them. The devices themselves
// (explored_stand_ins.cc) register here, where //testing:explore_schedules is
// linked in. Programs of graphs that use none do without.
//
// Thread rule: one thread. Other threads may use the devices, and then the
// order is theirs.
// Tested by gpu/explore_devices_test and explore_schedules_test.

#ifndef SYNCLINE_TESTING_EXPLORED_DEVICES_H_
#define SYNCLINE_TESTING_EXPLORED_DEVICES_H_

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/typed_registry.h"
#include "framework/graph/calculator_graph.h"
#include "framework/packet/packet.h"
#include "framework/plan/graph_plan.h"
#include "testing/schedule_chooser.h"

namespace syncline {

// While it exists, allocators take memory from these devices. It is destroyed
// when the graph and its packets are gone.
class ExploredDevices {
 public:
  // Whether nodes of the graph use devices.
  static bool AreUsedBy(const GraphPlan& plan);
  // `chooser` is borrowed. Accesses are checked unless the graph says
  // otherwise. FAILED_PRECONDITION: the program is built without them; the
  // error says what to add.
  static absl::StatusOr<std::unique_ptr<ExploredDevices>> Make(
      const GraphPlan& plan, ScheduleChooser* chooser);

  virtual ~ExploredDevices() = default;

  // Before the run of a graph with the chooser as its task chooser.
  virtual absl::Status GiveTo(CalculatorGraph* graph) const = 0;

  // Between two calls: the devices do as much as the schedule says.
  virtual void MayGoOn() = 0;
  // Where nothing else can run: at least one thing happens. False if there is
  // none left.
  virtual bool GoOn() = 0;

  // Whether the value of the packet is ready only after work of a device.
  virtual bool HasPendingWork(const Packet& packet) const = 0;
};

using ExploredDeviceKinds =
    GlobalFactoryRegistry<std::unique_ptr<ExploredDevices>, const GraphPlan&,
                          ScheduleChooser*>;

// The name that they register by.
inline constexpr char kExploredDevices[] = "ExploredStandIns";

}  // namespace syncline

#endif  // SYNCLINE_TESTING_EXPLORED_DEVICES_H_
