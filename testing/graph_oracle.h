// Compares a graph with the reference run, the oracle.
//
//   ScheduleInputs inputs;
//   inputs.streams["in"] = {MakePacket<int>(1).At(Timestamp(0)), ...};
//   SYNCLINE_EXPECT_OK(CompareGraphWithOracle(config, inputs));
//
// The reference run computes what a graph does without a thread, a queue or a
// schedule; see reference_run.h, also for the graphs that have no reference.
// The engine runs the same graph on the application's thread and on pools of
// several sizes; all streams, side packets and the status have to be the same.
// That finds what one thread at a time cannot show, like a value that depends
// on the thread, and mistakes of the engine in a graph of this form.
//
// On a difference packets of the inputs are left out, as long as it stays. The
// error names the stream, the timestamp, both values, and the inputs that are
// left.
//
// Thread rule: for one thread at a time.
// Tested by graph_oracle_test.

#ifndef SYNCLINE_TESTING_GRAPH_ORACLE_H_
#define SYNCLINE_TESTING_GRAPH_ORACLE_H_

#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "framework/config/calculator.pb.h"
#include "testing/explore_schedules.h"
#include "testing/print_value.h"

namespace syncline {

struct GraphOracleOptions {
  // Runs with so many threads each; 0 is the application's. They replace the
  // default executor of the graph.
  std::vector<int> threads = {0, 1, 2, 8};
  // Called before each run, the reference run too; to reset what calculators
  // share.
  std::function<void()> before_run;
  // The value of a packet, for comparing.
  PrintPacket print = PrintValue;
};

// FAILED_PRECONDITION describes the difference; other errors say that the graph
// could not be compared.
absl::Status CompareGraphWithOracle(const CalculatorGraphConfig& config,
                                    const ScheduleInputs& inputs,
                                    const GraphOracleOptions& options = {});

}  // namespace syncline

#endif  // SYNCLINE_TESTING_GRAPH_ORACLE_H_
