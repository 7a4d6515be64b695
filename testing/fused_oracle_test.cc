// Fusing nodes changes nothing: random graphs, of which nodes that stand next
// to each other are fused, send what they sent before, in the reference run and
// on the engine with any number of threads.
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/status_macros.h"
#include "framework/config/calculator.pb.h"
#include "framework/plan/compile.h"
#include "framework/plan/graph_plan.h"
#include "framework/port/status_matchers.h"
#include "gtest/gtest.h"
#include "testing/oracle_comparison.h"
#include "testing/random_graph.h"
#include "testing/reference_run.h"

namespace syncline {
namespace {

using Node = CalculatorGraphConfig::Node;

absl::StatusOr<GraphPlan> CompileQuietly(CalculatorGraphConfig config) {
  CompileOptions options;
  options.log_warnings = false;
  return Compile(std::move(config), options);
}

// Has inputs that are joined by the default rule, and nothing else of its own.
// Waits for no side packet, as those come in Open here, and there at any time.
bool MayBeFused(const GraphPlan& plan, const PlanNode& node) {
  for (const int id : node.input_side_packets) {
    if (plan.side_packets()[id].producer.node >= 0) return false;
  }
  const Node& config = node.config();
  return !node.inputs.empty() &&
         node.handlers.input == "DefaultInputStreamHandler" &&
         !config.has_input_stream_handler() &&
         !config.has_output_stream_handler() && config.executor().empty() &&
         config.max_in_flight() == 0 && config.buffer_size_hint() == 0 &&
         config.input_stream_info().empty();
}

bool HasLoop(const CalculatorGraphConfig& config) {
  for (const Node& node : config.node()) {
    for (const InputStreamInfo& info : node.input_stream_info()) {
      if (info.back_edge()) return true;
    }
  }
  return false;
}

// Nodes of the plan's order that follow each other have no other one between
// them, so that fusing them makes no loop. Counts those that are fused.
CalculatorGraphConfig Fused(const GraphPlan& plan, std::uint64_t seed,
                            int* num_fused) {
  std::mt19937_64 random(seed);
  CalculatorGraphConfig config = plan.Config();
  config.clear_node();
  Node* whole = nullptr;
  for (const PlanNode& node : plan.nodes()) {
    if (!MayBeFused(plan, node)) {
      whole = nullptr;
      *config.add_node() = node.config();
      continue;
    }
    if (whole == nullptr || random() % 4 == 0) {
      whole = config.add_node();
      whole->set_name(absl::StrCat("fused", config.node_size()));
    }
    *whole->add_fused_node() = node.config();
    if (whole->fused_node_size() > 1) ++*num_fused;
  }
  return config;
}

// The comparison chooses its own.
void RemoveDefaultExecutor(CalculatorGraphConfig* config) {
  config->clear_num_threads();
  for (int i = config->executor_size() - 1; i >= 0; --i) {
    if (!config->executor(i).name().empty()) continue;
    config->mutable_executor()->DeleteSubrange(i, 1);
  }
}

// Adds to `num_fused`.
absl::Status CompareFused(std::uint64_t seed, int threads, int* num_fused) {
  const RandomCase random_case = MakeRandomCase(seed);
  SYNCLINE_ASSIGN_OR_RETURN(const GraphPlan plan,
                            CompileQuietly(random_case.graph()));
  // In a loop what a part waits for may depend on what another one sends.
  if (HasLoop(plan.Config())) return absl::OkStatus();
  int num_fused_here = 0;
  CalculatorGraphConfig config = Fused(plan, seed, &num_fused_here);
  if (num_fused_here == 0) return absl::OkStatus();
  *num_fused += num_fused_here;
  RemoveDefaultExecutor(&config);
  const ReferenceInputs inputs = InputsOf(random_case);
  SYNCLINE_ASSIGN_OR_RETURN(const GraphPlan fused_plan, CompileQuietly(config));
  SYNCLINE_ASSIGN_OR_RETURN(
      const ReferenceResult before,
      RunReference(plan, inputs, {.stop_at_error = false}));
  SYNCLINE_ASSIGN_OR_RETURN(
      const ReferenceResult after,
      RunReference(fused_plan, inputs, {.stop_at_error = false}));
  SYNCLINE_ASSIGN_OR_RETURN(
      const EngineResult engine,
      RunOnEngine(config, inputs, threads, absl::StrCat("Fused seed ", seed)));
  SYNCLINE_RETURN_IF_ERROR(CompareResults(after, engine)).SetPrepend()
      << "fused, on the engine: ";
  // After an error of a part the others of its node send nothing more.
  if (!before.status.ok()) return absl::OkStatus();
  SYNCLINE_RETURN_IF_ERROR(CompareResults(before, engine)).SetPrepend()
      << "fused and not fused: ";
  return absl::OkStatus();
}

class FusedOracleTest : public testing::TestWithParam<int> {};

TEST_P(FusedOracleTest, FusedNodesSendWhatTheirPartsWouldSend) {
  static constexpr int kThreads[] = {0, 1, 2, 8};
  int num_fused = 0;
  for (std::uint64_t i = 0; i < 250; ++i) {
    const std::uint64_t seed = GetParam() * 250 + i;
    SYNCLINE_EXPECT_OK(CompareFused(seed, kThreads[seed % 4], &num_fused))
        << "seed " << seed;
    if (HasFailure()) return;
  }
  EXPECT_GT(num_fused, 50);
}

INSTANTIATE_TEST_SUITE_P(Quarters, FusedOracleTest, testing::Range(0, 4));

}  // namespace
}  // namespace syncline
