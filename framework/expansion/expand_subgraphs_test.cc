// The rules of expansion: order, names, interface, fields. Limits have a test
// of their own.

#include "framework/expansion/expand_subgraphs.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "framework/expansion/expansion_test_support.h"
#include "framework/expansion/graph_registry.h"
#include "framework/graph_text/node_names.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> NodeNames(const CalculatorGraphConfig& config) {
  return CanonicalNames(config.node());
}

std::string Message(const absl::Status& status) {
  return std::string(status.message());
}

TEST(ExpandSubgraphsTest, ASubgraphNodeBecomesItsNodesAtTheEndOfTheList) {
  const CalculatorGraphConfig config = ExpandedConfig(R"pb(
    input_stream: "a"
    node {
      calculator: "TwoPassGraph"
      input_stream: "IN:a"
      output_stream: "OUT:b"
    }
    node { calculator: "IntNode" input_stream: "a" }
  )pb");
  EXPECT_THAT(NodeNames(config),
              ElementsAre("IntNode", "twopassgraph__PassNode_1",
                          "twopassgraph__PassNode_2"));
}

TEST(ExpandSubgraphsTest, InnerNamesGetThePrefixAndInterfaceNamesTheOuterOnes) {
  const CalculatorGraphConfig config = ExpandedConfig(R"pb(
    input_stream: "a"
    node {
      name: "My.Sub graph:1"
      calculator: "TwoPassGraph"
      input_stream: "IN:a"
      output_stream: "OUT:b"
    }
  )pb");
  ASSERT_EQ(config.node_size(), 2);
  EXPECT_EQ(config.node(0).name(), "my_sub_graph_1__PassNode_1");
  EXPECT_THAT(config.node(0).input_stream(), ElementsAre("a"));
  EXPECT_THAT(config.node(0).output_stream(),
              ElementsAre("my_sub_graph_1__middle"));
  EXPECT_THAT(config.node(1).output_stream(), ElementsAre("b"));
}

TEST(ExpandSubgraphsTest, EqualNamesAreNumberedOverPlainAndSubgraphNodes) {
  const CalculatorGraphConfig config = ExpandedConfig(R"pb(
    input_stream: "a"
    node { calculator: "TwoPassGraph" input_stream: "IN:a" }
    node { name: "TwoPassGraph" calculator: "IntNode" input_stream: "a" }
    node { calculator: "TwoPassGraph" input_stream: "IN:a" }
  )pb");
  // The node of a calculator counts first, as it would in this round's list.
  EXPECT_EQ(config.node(1).name(), "twopassgraph_2__PassNode_1");
  EXPECT_EQ(config.node(3).name(), "twopassgraph_3__PassNode_1");
}

TEST(ExpandSubgraphsTest, NestedSubgraphsExpandPassByPass) {
  const CalculatorGraphConfig config = ExpandedConfig(R"pb(
    input_stream: "a"
    node {
      calculator: "NestedGraph"
      input_stream: "IN:a"
      output_stream: "OUT:b"
    }
    node { name: "last" calculator: "IntNode" input_stream: "b" }
  )pb");
  EXPECT_THAT(NodeNames(config),
              ElementsAre("last", "nestedgraph__PassNode",
                          "nestedgraph__twopassgraph__PassNode_1",
                          "nestedgraph__twopassgraph__PassNode_2"));
}

TEST(ExpandSubgraphsTest, UnconnectedOutputsStayInside) {
  const CalculatorGraphConfig config = ExpandedConfig(R"pb(
    input_stream: "a"
    node { calculator: "TwoPassGraph" input_stream: "IN:a" }
  )pb");
  EXPECT_THAT(config.node(1).output_stream(), ElementsAre("twopassgraph__out"));
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
  const CalculatorGraphConfig config =
      ExpandedConfig(R"pb(
                       input_stream: "a"
                       node { calculator: "OptionalGraph" input_stream: "IN:a" }
                     )pb",
                     {.registry = &registry});
  ASSERT_EQ(config.node_size(), 1);
  EXPECT_THAT(config.node(0).input_stream(), ElementsAre("IN:a"));
  EXPECT_THAT(config.node(0).input_side_packet(), IsEmpty());
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
  const CalculatorGraphConfig config = ExpandedConfig(
      R"pb(
        input_stream: "x"
        node { calculator: "Loop" input_stream: "B:x" output_stream: "OUT:y" }
      )pb",
      {.registry = &registry});
  const CalculatorGraphConfig::Node& node = config.node(0);
  EXPECT_THAT(node.input_stream(), ElementsAre("x", "y"));
  ASSERT_EQ(node.input_stream_info_size(), 1);
  EXPECT_EQ(node.input_stream_info(0).tag_index(), ":1");
  EXPECT_TRUE(node.input_stream_info(0).back_edge());
}

TEST(ExpandSubgraphsTest, TagsThatTheSubgraphDoesNotHaveAreErrors) {
  const absl::Status status = ExpansionError(R"pb(
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

TEST(ExpandSubgraphsTest, FieldsForCalculatorsOnlyAreErrors) {
  const absl::Status status = ExpansionError(R"pb(
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
  const Expansion expansion = Expand(ParseSource(kIgnoredFields));
  EXPECT_TRUE(expansion.error.ok()) << expansion.error;
  ASSERT_EQ(expansion.warnings.size(), 1);
  EXPECT_THAT(expansion.warnings[0], HasSubstr("node \"sub\" (TwoPassGraph)"));
  EXPECT_THAT(expansion.warnings[0],
              HasSubstr("executor, input_stream_handler, max_in_flight"));
  for (const auto& node : expansion.config.node()) {
    EXPECT_EQ(node.max_in_flight(), 0);
    EXPECT_FALSE(node.has_input_stream_handler());
    EXPECT_EQ(node.executor(), "");
  }
}

TEST(ExpandSubgraphsTest, FieldsWithoutEffectAreErrorsWhenStrict) {
  EXPECT_THAT(Message(ExpansionError(kIgnoredFields, {.strict = true})),
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
  EXPECT_THAT(Message(ExpansionError(R"pb(
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

TEST(ExpandSubgraphsTest, ASubgraphHidesACalculatorOfItsName) {
  GraphRegistry registry;
  ASSERT_TRUE(
      registry
          .Register("IntNode", ParseGraph(R"pb(
                      input_stream: "in"
                      node { calculator: "FloatNode" input_stream: "in" }
                    )pb"))
          .ok());
  const CalculatorGraphConfig config =
      ExpandedConfig(R"pb(
                       input_stream: "a"
                       node { calculator: "IntNode" input_stream: "a" }
                     )pb",
                     {.registry = &registry});
  EXPECT_THAT(NodeNames(config), ElementsAre("intnode__FloatNode"));
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
  const CalculatorGraphConfig config =
      ExpandedConfig(R"pb(
                       node {
                         calculator: "Legacy"
                         input_side_packet: "IN:a"
                         output_side_packet: "OUT:b"
                       }
                     )pb",
                     {.registry = &registry});
  ASSERT_EQ(config.packet_generator_size(), 1);
  EXPECT_THAT(config.packet_generator(0).input_side_packet(), ElementsAre("a"));
  EXPECT_THAT(config.packet_generator(0).output_side_packet(),
              ElementsAre("b"));
  ASSERT_EQ(config.status_handler_size(), 1);
  EXPECT_THAT(config.status_handler(0).input_side_packet(), ElementsAre("b"));
  EXPECT_EQ(config.executor_size(), 0) << "a subgraph brings no executors";
  EXPECT_EQ(config.num_threads(), 0);
}

TEST(ExpandSubgraphsTest, APacketFactoryInsideASubgraphIsAnError) {
  GraphRegistry registry;
  ASSERT_TRUE(
      registry.Register("Factory", ParseGraph("packet_factory {}")).ok());
  EXPECT_THAT(Message(ExpansionError("node { calculator: \"Factory\" }",
                                     {.registry = &registry})),
              HasSubstr("packet_factory"));
  EXPECT_EQ(ExpandedConfig("packet_factory {}").node_size(), 0)
      << "no error in a graph";
}

}  // namespace
}  // namespace syncline
