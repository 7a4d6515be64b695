#include "framework/plan/graph_plan.h"

#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/config/calculator.pb.h"
#include "framework/expansion/graph_registry.h"
#include "framework/graph_text/graph_source.h"
#include "framework/plan/compile.h"
#include "framework/plan/plan_test_support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kGraph[] = R"(
    input_stream: "A:a" input_stream: "B:b" output_stream: "OUT:c"
    max_queue_size: 7
    executor { name: "pool" }
    status_handler { status_handler: "IntStatusHandler" }
    node { name: "source" calculator: "IntNode" output_stream: "s" }
    node { name: "join" calculator: "AnyNode" executor: "pool"
           input_stream: "b" input_stream: "s" output_stream: "c"
           input_side_packet: "p" }
    node { name: "ask" calculator: "ServiceNode" input_stream: "a" })";

std::vector<int> Sources(const GraphPlan& plan, int set) {
  std::vector<int> sources;
  plan.ForEachSource(set, [&](int source) { sources.push_back(source); });
  return sources;
}

TEST(GraphPlanTest, ShowsItsTables) {
  const GraphPlan plan = PlanOf(kGraph);
  EXPECT_THAT(NodeNames(plan), ElementsAre("source", "join", "ask"));
  EXPECT_THAT(plan.streams(), SizeIs(4));
  EXPECT_EQ(plan.streams()[3].name, "c");
  EXPECT_THAT(plan.side_packets(), SizeIs(1));
  EXPECT_EQ(plan.side_packets()[0].name, "p");
  EXPECT_THAT(plan.executors(), SizeIs(2));
  EXPECT_EQ(plan.executors()[1].name, "pool");
  EXPECT_THAT(plan.sources(), SizeIs(3));
  EXPECT_EQ(plan.sources()[2].node, 0);
  EXPECT_THAT(plan.graph_inputs(), SizeIs(2));
  EXPECT_EQ(plan.graph_inputs()[1].name, "b");
  EXPECT_THAT(plan.graph_outputs(), SizeIs(1));
  EXPECT_EQ(plan.graph_outputs()[0].tag, "OUT");
  EXPECT_THAT(plan.status_handlers(), SizeIs(1));
  EXPECT_EQ(plan.status_handlers()[0].type, "IntStatusHandler");
  EXPECT_THAT(plan.services(), SizeIs(1));
  EXPECT_THAT(plan.services()[0].nodes, ElementsAre(2));
  EXPECT_EQ(plan.settings().max_queue_size, 7);
  EXPECT_THAT(plan.warnings(), IsEmpty());
  EXPECT_EQ(plan.Config().node(1).name(), "join");
}

TEST(GraphPlanTest, FindsThingsByName) {
  const GraphPlan plan = PlanOf(kGraph);
  EXPECT_EQ(plan.FindNode("join"), 1);
  EXPECT_EQ(plan.FindNode("c"), -1);
  EXPECT_EQ(plan.FindStream("s"), 2);
  EXPECT_EQ(plan.FindStream("join"), -1);
  EXPECT_EQ(plan.FindSidePacket("p"), 0);
  EXPECT_EQ(plan.FindSidePacket("s"), -1);
  EXPECT_EQ(plan.FindGraphInput("b"), 1);
  EXPECT_EQ(plan.FindGraphInput("B"), -1);
  EXPECT_EQ(plan.FindGraphInput("s"), -1);
}

// Up to 8 are compared one by one, more are looked up in a table.
TEST(GraphPlanTest, FindsOneOfAnyNumberOfGraphInputs) {
  std::string text;
  for (int count = 0; count < 12; ++count) {
    const GraphPlan plan = PlanOf(text);
    for (int i = 0; i < count; ++i) {
      EXPECT_EQ(plan.FindGraphInput(absl::StrCat("in", i)), i) << count;
    }
    EXPECT_EQ(plan.FindGraphInput(absl::StrCat("in", count)), -1);
    absl::StrAppend(&text, "input_stream: \"in", count, "\" ");
  }
}

TEST(GraphPlanTest, KnowsTheSourcesOfNodesAndStreams) {
  const GraphPlan plan = PlanOf(kGraph);
  EXPECT_THAT(Sources(plan, NodeNamed(plan, "join").sources.set),
              ElementsAre(1, 2));
  EXPECT_THAT(Sources(plan, NodeNamed(plan, "ask").sources.set),
              ElementsAre(0));
  EXPECT_THAT(Sources(plan, StreamNamed(plan, "c").source_set),
              ElementsAre(1, 2));
}

TEST(GraphPlanTest, KnowsWhereANodeWasWritten) {
  const auto plan = Compile(ParseSource(R"(input_stream: "a"
    node { name: "n" calculator: "TwoPassGraph" input_stream: "IN:a"
           output_stream: "OUT:b" }
    node { calculator: "AnyNode" input_stream: "b" })"),
                            {.log_warnings = false});
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ(plan->Location(plan->FindNode("AnyNode")), "graph.pbtxt:4");
  EXPECT_EQ(plan->Location(plan->FindNode("n__PassNode_1")),
            "(in subgraph \"n\" (TwoPassGraph) at graph.pbtxt:2)");
  EXPECT_EQ(PlanOf("node { calculator: \"IntNode\" }").Location(0), "")
      << "it was not read from a file";
}

TEST(GraphPlanTest, CopiesShareTheTablesAndKeepThem) {
  absl::Span<const PlanNode> nodes;
  const GraphPlan copy = [&] {
    const GraphPlan plan = PlanOf(kGraph);
    nodes = plan.nodes();
    return plan;
  }();
  EXPECT_EQ(copy.nodes().data(), nodes.data());
  EXPECT_EQ(nodes[1].name, "join");
}

TEST(GraphPlanTest, TheConfigIsMadeOnceAndSaysWhatTheNodesSay) {
  const GraphPlan plan = PlanOf(kGraph);
  EXPECT_EQ(plan.GraphFields().node_size(), 0);
  EXPECT_EQ(plan.GraphFields().max_queue_size(), 7);
  const CalculatorGraphConfig& config = plan.Config();
  const GraphPlan copy = plan;
  EXPECT_EQ(&copy.Config(), &config);
  EXPECT_EQ(config.max_queue_size(), 7);
  ASSERT_EQ(config.node_size(), 3);
  for (const PlanNode& node : plan.nodes()) {
    EXPECT_EQ(config.node(node.id).SerializeAsString(),
              node.config().SerializeAsString());
  }
  EXPECT_EQ(config.node(1).input_stream(1), "s");
  EXPECT_EQ(config.node(1).executor(), "pool");
}

TEST(GraphPlanTest, ThreadsThatAskForTheConfigAtOnceGetOne) {
  for (int round = 0; round < 20; ++round) {
    const GraphPlan plan = PlanOf(kGraph);
    std::vector<const CalculatorGraphConfig*> seen(4);
    std::vector<std::thread> threads;
    for (auto& config : seen) {
      threads.emplace_back([&] { config = &plan.Config(); });
    }
    for (std::thread& thread : threads) thread.join();
    for (const auto* config : seen) EXPECT_EQ(config, &plan.Config());
  }
}

TEST(GraphPlanTest, KnowsTheSubgraphsAroundEachNode) {
  GraphRegistry registry;
  const auto add = [&registry](absl::string_view type, absl::string_view text) {
    auto source = ReadGraphText(text, absl::StrCat(type, ".pbtxt"));
    ASSERT_TRUE(source.ok()) << source.status();
    ASSERT_TRUE(registry.Register(type, *std::move(source)).ok());
  };
  add("Inner", R"(type: "Inner" output_stream: "OUT:x"
                  node { calculator: "IntNode" output_stream: "x" })");
  add("Outer", R"(type: "Outer" output_stream: "OUT:y"
                  node { name: "in" calculator: "Inner"
                         output_stream: "OUT:y" })");
  auto source = ReadGraphText(R"(
    node { name: "out" calculator: "Outer" output_stream: "OUT:a" }
    node { name: "plain" calculator: "IntNode" output_stream: "b" })",
                              "graph.pbtxt");
  ASSERT_TRUE(source.ok()) << source.status();
  CompileOptions options;
  options.registry = &registry;
  const absl::StatusOr<GraphPlan> plan = Compile(*std::move(source), options);
  ASSERT_TRUE(plan.ok()) << plan.status();

  const std::vector<PlanSubgraph> subgraphs = plan->Subgraphs();
  ASSERT_THAT(subgraphs, SizeIs(2));
  EXPECT_EQ(subgraphs[0].name, "out");
  EXPECT_EQ(subgraphs[0].type, "Outer");
  EXPECT_EQ(subgraphs[0].place, "graph.pbtxt:2");
  EXPECT_EQ(subgraphs[0].parent, -1);
  EXPECT_EQ(subgraphs[1].name, "out__in");
  EXPECT_EQ(subgraphs[1].type, "Inner");
  EXPECT_EQ(subgraphs[1].place, "Outer.pbtxt:2");
  EXPECT_EQ(subgraphs[1].parent, 0);
  const int inner = plan->FindNode("out__in__IntNode");
  EXPECT_EQ(plan->SubgraphOf(inner), 1);
  EXPECT_EQ(plan->Place(inner), "Inner.pbtxt:2");
  const int plain = plan->FindNode("plain");
  EXPECT_EQ(plan->SubgraphOf(plain), -1);
  EXPECT_EQ(plan->Place(plain), "graph.pbtxt:3");
}

}  // namespace
}  // namespace syncline
