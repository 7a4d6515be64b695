// Measures how long it takes to compile a graph into a plan.
//
//   ./bazelw run -c opt //benchmarks:plan_compile
//
// Flat: a chain of n nodes, each with a tag and options. Layers: 10 layers,
// each node reads two of the layer before. Nested: subgraphs of ten in three
// levels, 1,000 nodes in the end. The time is that of one call of Compile, with
// the copy of the config that it gets: so long an application waits at start.
// Errors: a graph in which no calculator is registered.

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "benchmark/benchmark.h"
#include "framework/calculator.pb.h"
#include "framework/calculator_framework.h"
#include "framework/expansion/graph_registry.h"
#include "framework/plan/compile.h"
#include "glog/logging.h"

namespace syncline {

// Its inputs and outputs have one type, which the graph decides.
class PlanBenchmarkNode : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    for (PacketType& type : cc->Inputs()) type.SetAny();
    for (PacketType& type : cc->Outputs()) {
      if (cc->Inputs().NumEntries() > 0) {
        type.SetSameAs(&*cc->Inputs().begin());
      } else {
        type.Set<int>();
      }
    }
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(PlanBenchmarkNode);

namespace {

CalculatorGraphConfig::Node* AddNode(CalculatorGraphConfig* config) {
  auto* node = config->add_node();
  node->set_calculator("PlanBenchmarkNode");
  return node;
}

CalculatorGraphConfig Chain(int size) {
  CalculatorGraphConfig config;
  AddNode(&config)->add_output_stream("OUT:s0");
  for (int i = 1; i < size; ++i) {
    auto* node = AddNode(&config);
    node->add_input_stream(absl::StrCat("IN:s", i - 1));
    node->add_output_stream(absl::StrCat("OUT:s", i));
  }
  return config;
}

CalculatorGraphConfig Layers(int size) {
  constexpr int kLayers = 10;
  const int width = size / kLayers;
  CalculatorGraphConfig config;
  for (int layer = 0; layer < kLayers; ++layer) {
    for (int i = 0; i < width; ++i) {
      auto* node = AddNode(&config);
      node->set_name(absl::StrCat("node_", layer, "_", i));
      node->add_output_stream(absl::StrCat("s_", layer, "_", i));
      if (layer == 0) continue;
      node->add_input_stream(absl::StrCat("s_", layer - 1, "_", i));
      node->add_input_stream(
          absl::StrCat("s_", layer - 1, "_", (i + 1) % width));
    }
  }
  return config;
}

// A row of ten nodes of `type`.
CalculatorGraphConfig TenOf(const std::string& type) {
  CalculatorGraphConfig config;
  config.add_input_stream("IN:s0");
  config.add_output_stream("OUT:s10");
  for (int i = 0; i < 10; ++i) {
    auto* node = config.add_node();
    node->set_calculator(type);
    node->add_input_stream(absl::StrCat("IN:s", i));
    node->add_output_stream(absl::StrCat("OUT:s", i + 1));
  }
  return config;
}

void Run(const CalculatorGraphConfig& config, const CompileOptions& options,
         int nodes, benchmark::State& state) {
  for (auto _ : state) {
    auto plan = Compile(config, options);
    CHECK(plan.ok()) << plan.status();
    CHECK_EQ(plan->nodes().size(), static_cast<size_t>(nodes));
    benchmark::DoNotOptimize(plan);
  }
  state.counters["per_node"] =
      benchmark::Counter(nodes, benchmark::Counter::kIsIterationInvariantRate |
                                    benchmark::Counter::kInvert);
}

void BM_Chain(benchmark::State& state) {
  const int size = static_cast<int>(state.range(0));
  Run(Chain(size), {}, size, state);
}
BENCHMARK(BM_Chain)
    ->RangeMultiplier(10)
    ->Range(10, 100000)
    ->Unit(benchmark::kMillisecond);

void BM_Layers(benchmark::State& state) {
  const int size = static_cast<int>(state.range(0));
  Run(Layers(size), {}, size, state);
}
BENCHMARK(BM_Layers)
    ->RangeMultiplier(10)
    ->Range(100, 100000)
    ->Unit(benchmark::kMillisecond);

void BM_Reversed(benchmark::State& state) {
  const int size = static_cast<int>(state.range(0));
  CalculatorGraphConfig config = Chain(size);
  for (int i = 0; i < size / 2; ++i) {
    config.mutable_node()->SwapElements(i, size - 1 - i);
  }
  Run(config, {}, size, state);
}
BENCHMARK(BM_Reversed)->Arg(10000)->Unit(benchmark::kMillisecond);

void BM_NestedSubgraphs(benchmark::State& state) {
  GraphRegistry registry;
  CHECK(registry.Register("Ten", TenOf("PlanBenchmarkNode")).ok());
  CHECK(registry.Register("Hundred", TenOf("Ten")).ok());
  CalculatorGraphConfig config = TenOf("Hundred");
  Run(config, {.registry = &registry}, 1000, state);
}
BENCHMARK(BM_NestedSubgraphs)->Unit(benchmark::kMillisecond);

void BM_Errors(benchmark::State& state) {
  CalculatorGraphConfig config;
  for (int i = 0; i < state.range(0); ++i) {
    auto* node = config.add_node();
    node->set_calculator(absl::StrCat("Nothing", i));
    node->add_input_stream(absl::StrCat("in", i));
    node->add_output_stream(absl::StrCat("out", i));
  }
  for (auto _ : state) {
    auto plan = Compile(config);
    CHECK(!plan.ok());
    benchmark::DoNotOptimize(plan);
  }
}
BENCHMARK(BM_Errors)->Arg(10000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace syncline
