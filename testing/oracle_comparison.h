// Compares the engine with the reference run, on random graphs.
//
//   EXPECT_OK(CompareWithOracle(MakeRandomCase(seed), /*threads=*/8));
//
// WITHOUT ERRORS in the reference run, the engine's run is OK, every stream of
// the graph has the same packets (timestamp and value) in the same order, and
// every side packet has the same value.
//
// WITH ERRORS a run ends at the first one, and how far everything else has come
// by then depends on the schedule. What may come is still fixed: nodes that
// fail do nothing more, and if all others went on as far as they can, each
// stream would have a certain sequence of packets. That is what the reference
// run computes. Then
//   - the engine's run fails too, and its status contains the text of one of
//     the errors of the reference run;
//   - what the engine sent on each stream is a prefix of what the reference run
//     sent there;
//   - a side packet that the engine has, has the same value.
//
// In neither case does the engine say of a run that ends that it stands still.
//
// Thread rule: for one thread at a time.
// Tested by oracle_comparison_test; used by oracle_test and oracle_soak.

#ifndef SYNCLINE_TESTING_ORACLE_COMPARISON_H_
#define SYNCLINE_TESTING_ORACLE_COMPARISON_H_

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/calculator_graph.h"
#include "framework/config/calculator.pb.h"
#include "framework/packet/packet.h"
#include "framework/plan/graph_plan.h"
#include "testing/print_value.h"
#include "testing/random_graph.pb.h"
#include "testing/reference_run.h"

namespace syncline {

// What was seen of a run of the engine.
struct EngineResult {
  // All streams of the expanded graph, by name.
  std::map<std::string, std::vector<Packet>> streams;
  // Those that have a value.
  std::map<std::string, Packet> side_packets;
  // Of the run.
  absl::Status status;
  // What was told of the run because it seemed to stand still for a second; a
  // run that ends well does not.
  std::string told_standstill;
};

// Runs a graph that has no default executor yet: on the calling thread if
// `threads` is 0, else on a pool of so many. An error here says that the graph
// could not be started, or refused an input for no reason. A run that takes
// more than a minute ends the process, with `graph.Explain()` and `name`.
// `before_run` and `after_run` get the graph then.
absl::StatusOr<EngineResult> RunOnEngine(
    CalculatorGraphConfig config, const ReferenceInputs& inputs, int threads,
    const std::string& name = "",
    const std::function<absl::Status(CalculatorGraph&)>& before_run = nullptr,
    const std::function<void(CalculatorGraph&)>& after_run = nullptr);

// The rules above. INTERNAL: names the stream, the first timestamp that
// differs, and both values.
absl::Status CompareResults(const ReferenceResult& reference,
                            const EngineResult& engine,
                            const PrintPacket& print = PrintValue);

// Runs both and compares. The error names the seed, and has the text of the
// graph.
absl::Status CompareWithOracle(const RandomCase& random_case, int threads);

// The smallest case for which `fails` still is true that is found by leaving
// out nodes, with what only they feed, inputs and options one by one, and by
// making counts smaller. `fails` has to say false for cases that are not valid.
RandomCase ShrinkRandomCase(RandomCase random_case,
                            absl::FunctionRef<bool(const RandomCase&)> fails);

}  // namespace syncline

#endif  // SYNCLINE_TESTING_ORACLE_COMPARISON_H_
