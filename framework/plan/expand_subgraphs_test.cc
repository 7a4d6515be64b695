// The rules of expansion: order, names, interface, fields. Limits have a test
// of their own.

#include "framework/plan/expand_subgraphs.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "framework/plan/compile.h"
#include "framework/plan/graph_registry.h"
#include "framework/plan/plan_test_support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::string Message(const absl::Status& status) {
  return std::string(status.message());
}

TEST(ExpandSubgraphsTest, ASubgraphNodeBecomesItsNodesAtTheEndOfTheList) {
  const GraphPlan plan = PlanOf(R"pb(
    input_stream: "a"
    node {
      calculator: "TwoPassGraph"
      input_stream: "IN:a"
      output_stream: "OUT:b"
    }
    node { calculator: "IntNode" input_stream: "a" }
  )pb");
  EXPECT_THAT(NodeNames(plan),
              ElementsAre("IntNode", "twopassgraph__PassNode_1",
                          "twopassgraph__PassNode_2"));
}

TEST(ExpandSubgraphsTest, InnerNamesGetThePrefixAndInterfaceNamesTheOuterOnes) {
  const GraphPlan plan = PlanOf(R"pb(
    input_stream: "a"
    node {
      name: "My.Sub graph:1"
      calculator: "TwoPassGraph"
      input_stream: "IN:a"
      output_stream: "OUT:b"
    }
  )pb");
  const CalculatorGraphConfig& config = plan.Config();
  ASSERT_EQ(config.node_size(), 2);
  EXPECT_EQ(config.node(0).name(), "my_sub_graph_1__PassNode_1");
  EXPECT_THAT(config.node(0).input_stream(), ElementsAre("a"));
  EXPECT_THAT(config.node(0).output_stream(),
              ElementsAre("my_sub_graph_1__middle"));
  EXPECT_THAT(config.node(1).output_stream(), ElementsAre("b"));
}

TEST(ExpandSubgraphsTest, EqualNamesAreNumberedOverPlainAndSubgraphNodes) {
  const GraphPlan plan = PlanOf(R"pb(
    input_stream: "a"
    node { calculator: "TwoPassGraph" input_stream: "IN:a" }
    node { name: "TwoPassGraph" calculator: "IntNode" input_stream: "a" }
    node { calculator: "TwoPassGraph" input_stream: "IN:a" }
  )pb");
  // The plain node counts first, as it would in the list of this pass.
  EXPECT_EQ(plan.Config().node(1).name(), "twopassgraph_2__PassNode_1");
  EXPECT_EQ(plan.Config().node(3).name(), "twopassgraph_3__PassNode_1");
}

TEST(ExpandSubgraphsTest, NestedSubgraphsExpandPassByPass) {
  const GraphPlan plan = PlanOf(R"pb(
    input_stream: "a"
    node {
      calculator: "NestedGraph"
      input_stream: "IN:a"
      output_stream: "OUT:b"
    }
    node { name: "last" calculator: "IntNode" input_stream: "b" }
  )pb");
  // Before sorting the list is last, PassNode, then the inner two.
  EXPECT_THAT(NodeNames(plan),
              ElementsAre("nestedgraph__twopassgraph__PassNode_1",
                          "nestedgraph__twopassgraph__PassNode_2",
                          "nestedgraph__PassNode", "last"));
}

TEST(ExpandSubgraphsTest, UnconnectedOutputsStayInside) {
  const GraphPlan plan = PlanOf(R"pb(
    input_stream: "a"
    node { calculator: "TwoPassGraph" input_stream: "IN:a" }
  )pb");
  EXPECT_GE(plan.FindStream("twopassgraph__out"), 0);
}

constexpr char kOptionalInputs[] = R"pb(
  type: "OptionalGraph"
  input_stream: "IN:in"
  input_stream: "EXTRA:extra"
  input_side_packet: "SIDE:side"
  output_stream: "OUT:out"
  node {
    calculator: "OptionalNode"
    input_stream: "IN:in"
    input_stream: "EXTRA:extra"
    input_side_packet: "SIDE:side"
    output_stream: "OUT:out"
  }
)pb";

TEST(ExpandSubgraphsTest, UnconnectedInputsVanishFromInnerNodes) {
  GraphRegistry registry;
  ASSERT_TRUE(
      registry.Register("OptionalGraph", ParseGraph(kOptionalInputs)).ok());
  const GraphPlan plan =
      PlanOf(R"pb(
               input_stream: "a"
               node { calculator: "OptionalGraph" input_stream: "IN:a" }
             )pb",
             {.registry = &registry});
  ASSERT_EQ(plan.Config().node_size(), 1);
  EXPECT_THAT(plan.Config().node(0).input_stream(), ElementsAre("IN:a"));
  EXPECT_THAT(plan.Config().node(0).input_side_packet(), IsEmpty());
}

TEST(ExpandSubgraphsTest, InputStreamInfoFollowsInputsThatVanish) {
  GraphRegistry registry;
  ASSERT_TRUE(
      registry
          .Register("Loop", ParseGraph(R"pb(
                      input_stream: "A:a"
                      input_stream: "B:b"
                      input_stream: "C:c"
                      output_stream: "OUT:out"
                      node {
                        calculator: "AnyNode"
                        input_stream: "a"
                        input_stream: "b"
                        input_stream: "c"
                        input_stream: "out"
                        input_stream_info { tag_index: ":0" back_edge: true }
                        input_stream_info { tag_index: ":3" back_edge: true }
                        output_stream: "out"
                      }
                    )pb"))
          .ok());
  const GraphPlan plan = PlanOf(
      R"pb(
        input_stream: "x"
        node { calculator: "Loop" input_stream: "B:x" output_stream: "OUT:y" }
      )pb",
      {.registry = &registry});
  ASSERT_EQ(plan.nodes()[0].inputs.size(), 2);
  EXPECT_FALSE(plan.nodes()[0].inputs[0].back_edge);
  EXPECT_TRUE(plan.nodes()[0].inputs[1].back_edge);
}

TEST(ExpandSubgraphsTest, TagsThatTheSubgraphDoesNotHaveAreErrors) {
  const absl::Status status = ErrorOf(R"pb(
    input_stream: "a"
    node {
      name: "sub"
      calculator: "TwoPassGraph"
      input_stream: "INN:a"
      output_stream: "OUT:0:b"
      output_stream: "OUT:1:c"
      input_side_packet: "SIDE:s"
    }
  )pb");
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(Message(status), HasSubstr("node \"sub\" (TwoPassGraph)"));
  EXPECT_THAT(Message(status),
              HasSubstr("input_stream tag \"INN\" does not exist in the "
                        "subgraph config. Did you mean \"IN\"?"));
  EXPECT_THAT(Message(status),
              HasSubstr("output_stream tag \"OUT\" has 2 indexes in the "
                        "subgraph node but has only 1"));
  EXPECT_THAT(Message(status),
              HasSubstr("input_side_packet tag \"SIDE\" does not exist"));
}

TEST(ExpandSubgraphsTest, ReadersOfAFailedSubgraphAreNotBlamed) {
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

TEST(ExpandSubgraphsTest, FieldsForCalculatorsOnlyAreErrors) {
  const absl::Status status = ErrorOf(R"pb(
    input_stream: "a"
    node {
      calculator: "TwoPassGraph"
      input_stream: "IN:a"
      source_layer: 1
      buffer_size_hint: 5
      output_stream_handler {}
      input_stream_info { tag_index: "IN" }
    }
  )pb");
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(Message(status),
              HasSubstr("has a field that is only applicable to calculators: "
                        "source_layer, buffer_size_hint, "
                        "output_stream_handler, input_stream_info"));
}

constexpr char kIgnoredFields[] = R"pb(
  input_stream: "a"
  executor { name: "e" }
  node {
    name: "sub"
    calculator: "TwoPassGraph"
    input_stream: "IN:a"
    executor: "e"
    input_stream_handler {}
    max_in_flight: 3
  }
)pb";

TEST(ExpandSubgraphsTest, FieldsWithoutEffectAreWarnings) {
  const GraphPlan plan = PlanOf(kIgnoredFields);
  ASSERT_EQ(plan.warnings().size(), 1);
  EXPECT_THAT(plan.warnings()[0], HasSubstr("node \"sub\" (TwoPassGraph)"));
  EXPECT_THAT(plan.warnings()[0],
              HasSubstr("executor, input_stream_handler, max_in_flight"));
  EXPECT_EQ(plan.nodes()[0].max_in_flight, 1);
  EXPECT_EQ(plan.nodes()[0].executor, 0);
}

TEST(ExpandSubgraphsTest, FieldsWithoutEffectAreErrorsWhenStrict) {
  EXPECT_THAT(Message(ErrorOf(kIgnoredFields, {.strict = true})),
              HasSubstr("no effect on a subgraph node"));
}

TEST(ExpandSubgraphsTest, AStreamThatIsInputAndOutputIsAnError) {
  GraphRegistry registry;
  ASSERT_TRUE(registry
                  .Register("Short", ParseGraph(R"pb(
                              input_stream: "IN:x"
                              output_stream: "OUT:x"
                            )pb"))
                  .ok());
  EXPECT_THAT(Message(ErrorOf(R"pb(
                                input_stream: "a"
                                node {
                                  calculator: "Short"
                                  input_stream: "IN:a"
                                  output_stream: "OUT:b"
                                }
                              )pb",
                              {.registry = &registry})),
              HasSubstr("is an input of it as well"));
}

TEST(ExpandSubgraphsTest, AnOutputThatNothingInsideProducesSaysSo) {
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

TEST(ExpandSubgraphsTest, ASubgraphHidesACalculatorOfItsName) {
  GraphRegistry registry;
  ASSERT_TRUE(
      registry
          .Register("IntNode", ParseGraph(R"pb(
                      input_stream: "in"
                      node { calculator: "FloatNode" input_stream: "in" }
                    )pb"))
          .ok());
  const GraphPlan plan =
      PlanOf(R"pb(
               input_stream: "a"
               node { calculator: "IntNode" input_stream: "a" }
             )pb",
             {.registry = &registry});
  EXPECT_THAT(NodeNames(plan), ElementsAre("intnode__FloatNode"));
}

TEST(ExpandSubgraphsTest, GeneratorsAndStatusHandlersComeOutOfSubgraphs) {
  GraphRegistry registry;
  ASSERT_TRUE(registry
                  .Register("Legacy", ParseGraph(R"pb(
                              input_side_packet: "IN:given"
                              output_side_packet: "OUT:made"
                              packet_generator {
                                packet_generator: "IntGenerator"
                                external_input: "given"
                                output_side_packet: "made"
                              }
                              status_handler {
                                status_handler: "IntStatusHandler"
                                input_side_packet: "made"
                              }
                              num_threads: 3
                              executor { name: "ignored" }
                            )pb"))
                  .ok());
  const GraphPlan plan = PlanOf(R"pb(
                                  node {
                                    calculator: "Legacy"
                                    input_side_packet: "IN:a"
                                    output_side_packet: "OUT:b"
                                  }
                                )pb",
                                {.registry = &registry});
  EXPECT_THAT(NodeNames(plan), ElementsAre("__pg_0_IntGenerator"));
  EXPECT_THAT(plan.Config().node(0).input_side_packet(), ElementsAre("a"));
  EXPECT_THAT(plan.Config().node(0).output_side_packet(), ElementsAre("b"));
  ASSERT_EQ(plan.status_handlers().size(), 1);
  EXPECT_THAT(plan.status_handlers()[0].input_side_packets,
              ElementsAre(plan.FindSidePacket("b")));
  EXPECT_EQ(plan.executors().size(), 1) << "a subgraph brings no executors";
}

TEST(ExpandSubgraphsTest, APacketFactoryInsideASubgraphIsAnError) {
  GraphRegistry registry;
  ASSERT_TRUE(
      registry.Register("Factory", ParseGraph("packet_factory {}")).ok());
  EXPECT_THAT(Message(ErrorOf("node { calculator: \"Factory\" }",
                              {.registry = &registry})),
              HasSubstr("packet_factory"));
  EXPECT_TRUE(CompileText("packet_factory {}").ok()) << "ignored in a graph";
}

TEST(ExpandSubgraphsTest, ErrorsInsideNameTheChainWithPositions) {
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

}  // namespace
}  // namespace syncline
