#include "testing/planted_defects/oracle_hunt.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "framework/base/status_macros.h"
#include "framework/config/calculator.pb.h"
#include "framework/plan/compile.h"
#include "framework/plan/graph_plan.h"
#include "testing/random_graph.h"
#include "testing/reference_run.h"

namespace syncline {
namespace {

// A graph that is made smaller may become a loop without an end.
constexpr int kMaxCalls = 10000;

int StepsOf(const RandomCase& random_case) {
  int steps = random_case.graph().node_size() + random_case.input_size();
  for (const CalculatorGraphConfig::Node& node : random_case.graph().node()) {
    steps += node.options().GetExtension(RandomNodeOptions::ext).count();
  }
  return steps;
}

}  // namespace

std::string OracleHunt::ToString() const {
  if (!is_caught()) {
    return absl::StrCat("none of ", compared, " cases differs");
  }
  return absl::StrCat("seed ", seed, " differs: ", difference.ToString(),
                      "; shrunk to ", steps,
                      " steps: ", smallest_difference.ToString(), "\n",
                      RandomCaseText(smallest));
}

absl::StatusOr<absl::Status> CompareCase(const RandomCase& random_case,
                                         const RunCase& run) {
  CompileOptions options;
  options.log_warnings = false;
  SYNCLINE_ASSIGN_OR_RETURN(const GraphPlan plan,
                            Compile(random_case.graph(), options));
  SYNCLINE_ASSIGN_OR_RETURN(
      const ReferenceResult reference,
      RunReference(plan, InputsOf(random_case),
                   {.stop_at_error = false, .max_calls = kMaxCalls}));
  SYNCLINE_ASSIGN_OR_RETURN(const EngineResult engine, run(random_case));
  return CompareResults(reference, engine);
}

OracleHunt HuntWithOracle(int seeds, const RunCase& run) {
  OracleHunt hunt;
  for (int seed = 1; seed <= seeds; ++seed) {
    const RandomCase random_case = MakeRandomCase(seed);
    const absl::StatusOr<absl::Status> compared = CompareCase(random_case, run);
    if (!compared.ok()) continue;
    ++hunt.compared;
    if (compared->ok()) continue;
    hunt.seed = seed;
    hunt.difference = *compared;
    hunt.smallest =
        ShrinkRandomCase(random_case, [&run](const RandomCase& smaller) {
          const absl::StatusOr<absl::Status> again = CompareCase(smaller, run);
          return again.ok() && !again->ok();
        });
    const absl::StatusOr<absl::Status> smallest =
        CompareCase(hunt.smallest, run);
    hunt.smallest_difference = smallest.ok() ? *smallest : smallest.status();
    hunt.steps = StepsOf(hunt.smallest);
    break;
  }
  return hunt;
}

CalculatorGraphConfig WithoutExecutors(CalculatorGraphConfig config) {
  config.clear_executor();
  for (CalculatorGraphConfig::Node& node : *config.mutable_node()) {
    node.clear_executor();
  }
  return config;
}

RunCase RunsWithPolicy(std::string handler) {
  return [handler = std::move(handler)](const RandomCase& random_case) {
    CalculatorGraphConfig config = WithoutExecutors(random_case.graph());
    for (CalculatorGraphConfig::Node& node : *config.mutable_node()) {
      if (node.calculator() == "RandomMixCalculator" &&
          !node.has_input_stream_handler()) {
        node.mutable_input_stream_handler()->set_input_stream_handler(handler);
      }
    }
    return RunOnEngine(std::move(config), InputsOf(random_case), /*threads=*/0,
                       RandomCaseText(random_case));
  };
}

}  // namespace syncline
