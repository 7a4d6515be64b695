// What the passes after expansion know of subgraphs: errors name the chain, and
// the consequences of an error are not reported.

#include <algorithm>
#include <string>

#include "absl/status/status.h"
#include "framework/calculator/node_options.h"
#include "framework/config/node_chain_subgraph.pb.h"
#include "framework/expansion/graph_registry.h"
#include "framework/plan/compile.h"
#include "framework/plan/plan_test_support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string Message(const absl::Status& status) {
  return std::string(status.message());
}

TEST(CompileSubgraphsTest, ReadersOfAFailedSubgraphAreNotBlamed) {
  const absl::Status status = ErrorOf(R"pb(
    input_stream: "a"
    node {
      calculator: "ThrowingGraph"
      input_stream: "IN:a"
      output_stream: "OUT:b"
      output_side_packet: "SIDE:s"
    }
    node { calculator: "IntNode" input_stream: "b" input_side_packet: "s" }
  )pb");
  EXPECT_THAT(Message(status), HasSubstr("thrown by GetConfig"));
  EXPECT_THAT(Message(status), Not(HasSubstr("corresponding output stream")));
}

TEST(CompileSubgraphsTest, AnOutputThatNothingInsideProducesSaysSo) {
  GraphRegistry registry;
  ASSERT_TRUE(registry
                  .Register("Hollow", ParseGraph(R"pb(
                              output_stream: "OUT:x"
                            )pb"))
                  .ok());
  const absl::Status status =
      ErrorOf(R"pb(
                node { name: "sub" calculator: "Hollow" output_stream: "OUT:b" }
                node { calculator: "IntNode" input_stream: "b" }
              )pb",
              {.registry = &registry});
  EXPECT_THAT(Message(status),
              HasSubstr("does not have a corresponding output stream"));
  EXPECT_THAT(Message(status), HasSubstr("node \"sub\" (Hollow)"));
}

TEST(CompileSubgraphsTest, ErrorsInsideNameTheChainWithPositions) {
  GraphRegistry registry;
  ASSERT_TRUE(registry
                  .Register("Inner", ParseSource("node {\n"
                                                 "  calculator: \"IntNode\"\n"
                                                 "  input_stream: \"no\"\n"
                                                 "}\n"))
                  .ok());
  ASSERT_TRUE(registry
                  .Register("Outer", ParseSource("\n\n"
                                                 "node {\n"
                                                 "  calculator: \"Inner\"\n"
                                                 "}\n"))
                  .ok());
  CompileOptions options;
  options.registry = &registry;
  options.log_warnings = false;
  const auto plan = Compile(
      ParseSource("\nnode { name: \"o\" calculator: \"Outer\" }"), options);
  ASSERT_FALSE(plan.ok());
  EXPECT_THAT(
      Message(plan.status()),
      HasSubstr("graph.pbtxt:1: node \"o__inner__IntNode\" (IntNode): "));
  EXPECT_THAT(Message(plan.status()),
              HasSubstr("(in subgraph \"o__Inner\" (Inner) at graph.pbtxt:3, "
                        "in subgraph \"o\" (Outer) at graph.pbtxt:2)"));
}

TEST(CompileSubgraphsTest, ALimitOfExpansionIsTheOnlyErrorThen) {
  const std::string text =
      Message(ErrorOf("node { calculator: \"DoublingGraph\" } "
                      "node { calculator: \"NoSuchNode\" }",
                      {.max_nodes = 100}));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
}

TEST(CompileSubgraphsTest, AGraphByItsTypeTakesOptionsFromTheCaller) {
  CalculatorGraphConfig::Node node;
  node.mutable_options()
      ->MutableExtension(NodeChainSubgraphOptions::ext)
      ->set_chain_length(12);
  const GraphPlan plan =
      PlanOf(R"pb(
               type: "InnerGraph"
               graph_options {
                 [type.googleapis.com/syncline.NodeChainSubgraphOptions] {
                   node_type: "Default"
                   chain_length: 1
                 }
               }
               node { calculator: "IntNode" option_value: "OPTIONS:options" }
             )pb",
             {.graph_type = "InnerGraph", .graph_options = &node});
  const auto options =
      NodeOptions(plan.Config().node(0)).Get<NodeChainSubgraphOptions>();
  EXPECT_EQ(options.chain_length(), 12);
  EXPECT_EQ(options.node_type(), "Default");
}

TEST(CompileSubgraphsTest, InnerNodesTakeNoHandlerAndExecutorFromTheirNode) {
  const GraphPlan plan = PlanOf(R"pb(
    input_stream: "a"
    executor { name: "e" }
    node {
      name: "sub"
      calculator: "TwoPassGraph"
      input_stream: "IN:a"
      executor: "e"
      max_in_flight: 3
    }
  )pb");
  EXPECT_EQ(plan.warnings().size(), 1);
  EXPECT_EQ(plan.nodes()[0].max_in_flight, 1);
  EXPECT_EQ(plan.nodes()[0].executor, 0);
}

TEST(CompileSubgraphsTest, NodesOfSubgraphsAreSortedWithTheOthers) {
  const GraphPlan plan = PlanOf(R"pb(
    input_stream: "a"
    node {
      calculator: "NestedGraph"
      input_stream: "IN:a"
      output_stream: "OUT:b"
    }
    node { name: "last" calculator: "IntNode" input_stream: "b" }
  )pb");
  EXPECT_THAT(NodeNames(plan),
              ::testing::ElementsAre("nestedgraph__twopassgraph__PassNode_1",
                                     "nestedgraph__twopassgraph__PassNode_2",
                                     "nestedgraph__PassNode", "last"));
}

}  // namespace
}  // namespace syncline
