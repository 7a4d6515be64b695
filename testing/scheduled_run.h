// ScheduledRun: one run of a graph in the order that a chooser decides, and
// what came out of it.
//
// The chooser decides which call runs next, when the application adds its
// packets, and, where nodes use devices, when these do which work. A graph with
// such nodes waits in no function of its own before it is over, since its
// devices go on only here.
//
// Thread rule: the calling thread does everything.
// Tested by explore_schedules_test and gpu/explore_devices_test.

#ifndef SYNCLINE_TESTING_SCHEDULED_RUN_H_
#define SYNCLINE_TESTING_SCHEDULED_RUN_H_

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "framework/config/calculator.pb.h"
#include "framework/graph/calculator_graph.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "testing/explore_schedules.h"
#include "testing/schedule_chooser.h"

namespace syncline {

// What came out of one run.
struct ScheduleOutcome {
  struct Item {
    Timestamp timestamp;
    std::string value;
    friend bool operator==(const Item&, const Item&) = default;
  };
  std::map<std::string, std::vector<Item>> streams;
  absl::Status status;
  std::vector<ScheduleChooser::Choice> choices;
};

// "" if the two are the same.
std::string DifferenceOf(const ScheduleOutcome& a, const ScheduleOutcome& b);

// A graph that can be run in many orders.
class ScheduledGraph {
 public:
  static absl::StatusOr<ScheduledGraph> Compile(
      const CalculatorGraphConfig& config);

  // Runs it once. `chooser` has given no answer yet. What goes wrong in the run
  // is part of the outcome; an error says that there is none.
  absl::StatusOr<ScheduleOutcome> Run(const ScheduleInputs& inputs,
                                      const PrintPacket& print,
                                      ScheduleChooser* chooser) const;

  // Whether nodes of it use devices.
  bool uses_devices() const { return uses_devices_; }

 private:
  ScheduledGraph(GraphPlan plan, bool uses_devices);

  GraphPlan plan_;
  bool uses_devices_;
  // What is compared: the graph's outputs, or all streams if it has none.
  std::vector<std::string> observed_;
};

}  // namespace syncline

#endif  // SYNCLINE_TESTING_SCHEDULED_RUN_H_
