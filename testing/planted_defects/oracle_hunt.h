// OracleHunt: looks for a random graph on which a defective engine differs from
// the oracle, and makes it small.
//
//   const OracleHunt hunt = HuntWithOracle(1000, RunsWithPolicy(kLostPacket));
//   hunt.seed, hunt.difference, hunt.smallest, hunt.steps
//
// The reference run always sees the graph as it was made; only what the engine
// runs has the defect.
//
// Thread rule: for one thread at a time.
// Tested by mutant_policies_test and losing_executor_test.

#ifndef SYNCLINE_TESTING_PLANTED_DEFECTS_ORACLE_HUNT_H_
#define SYNCLINE_TESTING_PLANTED_DEFECTS_ORACLE_HUNT_H_

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/config/calculator.pb.h"
#include "testing/oracle_comparison.h"
#include "testing/random_graph.pb.h"

namespace syncline {

// Runs a case on an engine. An error says that the graph could not be run.
using RunCase = std::function<absl::StatusOr<EngineResult>(const RandomCase&)>;

struct OracleHunt {
  // Cases that could be compared, the one that differs included.
  int compared = 0;
  // Of the first case that differs; 0 if none does.
  std::uint64_t seed = 0;
  // What differs in it, and in the smallest case.
  absl::Status difference;
  absl::Status smallest_difference;
  RandomCase smallest;
  // The length of `smallest`: its nodes, the inputs, and the packets that
  // sources make.
  int steps = 0;

  bool is_caught() const { return seed != 0; }
  // All of it, for the message of a test.
  std::string ToString() const;
};

// Of seeds 1 ... `seeds` until one differs.
OracleHunt HuntWithOracle(int seeds, const RunCase& run);

// Compares one case: an error here says that there is nothing to compare.
absl::StatusOr<absl::Status> CompareCase(const RandomCase& random_case,
                                         const RunCase& run);

// Without the executors of the graph, all nodes run on the default one.
CalculatorGraphConfig WithoutExecutors(CalculatorGraphConfig config);

// Runs on the application's thread alone, with `handler` on each node that has
// inputs and no input stream handler of its own. What is caught once is caught
// again.
RunCase RunsWithPolicy(std::string handler);

}  // namespace syncline

#endif  // SYNCLINE_TESTING_PLANTED_DEFECTS_ORACLE_HUNT_H_
