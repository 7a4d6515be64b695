// Each step of the expansion of a subgraph by itself.

#include "framework/tool/subgraph_expansion.h"

#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/node_chain_subgraph.pb.h"
#include "framework/deps/message_matchers.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "framework/subgraph.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace tool {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

using Config = CalculatorGraphConfig;
using Node = CalculatorGraphConfig::Node;

Config Graph(const std::string& text) {
  return ParseTextProtoOrDie<Config>(text);
}

std::string Prefixed(absl::string_view name) {
  return absl::StrCat("p_", name);
}

TEST(SubgraphExpansionTest, NamesOfStreamsChangeAndTagsStay) {
  Node node = ParseTextProtoOrDie<Node>(R"pb(
    input_stream: "a"
    input_stream: "TAG:b"
    input_stream: "TAG:1:c"
  )pb");
  SYNCLINE_ASSERT_OK(
      TransformStreamNames(node.mutable_input_stream(), Prefixed));
  EXPECT_THAT(node.input_stream(), ElementsAre("p_a", "TAG:p_b", "TAG:1:p_c"));
  node.add_input_stream("no:name");
  EXPECT_THAT(TransformStreamNames(node.mutable_input_stream(), Prefixed),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(SubgraphExpansionTest, AllNamesOfAGraphChange) {
  Config config = Graph(R"pb(
    input_stream: "in"
    output_side_packet: "OUT:side"
    node { calculator: "A" input_stream: "in" output_stream: "x" }
    node { calculator: "A" input_stream: "X:x" input_side_packet: "side" }
    node { name: "b" calculator: "B" output_side_packet: "made" }
    packet_generator {
      packet_generator: "G"
      input_side_packet: "made"
      output_side_packet: "SIDE:side"
    }
    status_handler { status_handler: "S" input_side_packet: "side" }
  )pb");
  SYNCLINE_ASSERT_OK(TransformNames(&config, Prefixed));
  EXPECT_THAT(
      config, EqualsProto(Graph(R"pb(
        input_stream: "p_in"
        output_side_packet: "OUT:p_side"
        node {
          name: "p_A_1"
          calculator: "A"
          input_stream: "p_in"
          output_stream: "p_x"
        }
        node {
          name: "p_A_2"
          calculator: "A"
          input_stream: "X:p_x"
          input_side_packet: "p_side"
        }
        node { name: "p_b" calculator: "B" output_side_packet: "p_made" }
        packet_generator {
          packet_generator: "G"
          input_side_packet: "p_made"
          output_side_packet: "SIDE:p_side"
        }
        status_handler { status_handler: "S" input_side_packet: "p_side" }
      )pb")));
  config.add_packet_factory();
  EXPECT_FALSE(TransformNames(&config, Prefixed).ok());
}

TEST(SubgraphExpansionTest, NamesInFusedNodesChangeToo) {
  Config config = Graph(R"pb(
    node {
      name: "n"
      fused_node { calculator: "A" input_stream: "in" output_stream: "OUT:x" }
      fused_node { calculator: "A" input_stream: "x" output_side_packet: "s" }
    })pb");
  SYNCLINE_ASSERT_OK(TransformNames(&config, Prefixed));
  const Node& node = config.node(0);
  EXPECT_EQ(node.name(), "p_n");
  EXPECT_THAT(node.fused_node(0).input_stream(), ElementsAre("p_in"));
  EXPECT_THAT(node.fused_node(0).output_stream(), ElementsAre("OUT:p_x"));
  EXPECT_THAT(node.fused_node(1).input_stream(), ElementsAre("p_x"));
  EXPECT_THAT(node.fused_node(1).output_side_packet(), ElementsAre("p_s"));
}

TEST(SubgraphExpansionTest, PortsCorrespondByTagAndIndex) {
  const Node inner = ParseTextProtoOrDie<Node>(R"pb(
    input_stream: "a"
    input_stream: "T:b"
    input_stream: "T:1:c"
    input_stream: "OPEN:d"
  )pb");
  Node outer = ParseTextProtoOrDie<Node>(R"pb(
    input_stream: "T:1:z"
    input_stream: "T:y"
    input_stream: "x"
  )pb");
  std::map<std::string, std::string> names;
  SYNCLINE_ASSERT_OK(FindCorrespondingStreams(&names, inner.input_stream(),
                                              outer.input_stream()));
  EXPECT_THAT(names,
              ElementsAre(Pair("a", "x"), Pair("b", "y"), Pair("c", "z")));

  outer.add_input_stream("T:2:w");
  EXPECT_THAT(FindCorrespondingStreams(&names, inner.input_stream(),
                                       outer.input_stream()),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("\"T\""), HasSubstr("3 indexes"))));
  EXPECT_THAT(
      FindCorrespondingStreams(
          &names, inner.input_stream(),
          ParseTextProtoOrDie<Node>("input_stream: 'OPN:v'").input_stream()),
      StatusIs(absl::StatusCode::kInvalidArgument,
               HasSubstr("\"OPN\" does not exist in the subgraph")));
}

TEST(SubgraphExpansionTest, FieldsOfCalculatorsAreNotForSubgraphs) {
  Node node;
  node.set_calculator("FooSubgraph");
  node.set_executor("ignored");
  node.set_max_in_flight(4);
  node.mutable_input_stream_handler();
  SYNCLINE_EXPECT_OK(ValidateSubgraphFields(node));
  node.set_source_layer(1);
  EXPECT_THAT(
      ValidateSubgraphFields(node),
      StatusIs(absl::StatusCode::kInvalidArgument,
               AllOf(HasSubstr("FooSubgraph"), HasSubstr("source_layer"))));
}

TEST(SubgraphExpansionTest, InnerNodesGetTheNamesOfTheNode) {
  Config inner = Graph(R"pb(
    input_stream: "IN:a"
    input_stream: "OPEN:b"
    output_stream: "OUT:c"
    node {
      calculator: "A"
      input_stream: "a"
      input_stream: "B:b"
      output_stream: "x"
    }
    node { name: "n" calculator: "A" input_stream: "x" output_stream: "c" }
  )pb");
  const Node outer = ParseTextProtoOrDie<Node>(R"pb(
    calculator: "Inner"
    input_stream: "IN:foo"
    output_stream: "OUT:bar"
  )pb");
  SYNCLINE_ASSERT_OK(ConnectSubgraphStreams(outer, &inner));
  EXPECT_THAT(inner, EqualsProto(Graph(R"pb(
                input_stream: "IN:a"
                input_stream: "OPEN:b"
                output_stream: "OUT:c"
                node { calculator: "A" input_stream: "foo" output_stream: "x" }
                node {
                  name: "n"
                  calculator: "A"
                  input_stream: "x"
                  output_stream: "bar"
                }
              )pb")));
  EXPECT_FALSE(
      ConnectSubgraphStreams(
          ParseTextProtoOrDie<Node>("calculator: 'Inner' input_stream: 'X:f'"),
          &inner)
          .ok());
}

// As many nodes as its options say.
class ChainForTestSubgraph : public Subgraph {
 public:
  absl::StatusOr<Config> GetConfig(const SubgraphOptions& options) override {
    const auto chain = GetOptions<NodeChainSubgraphOptions>(options);
    Config config = Graph("input_stream: 'IN:s0'");
    for (int i = 0; i < chain.chain_length(); ++i) {
      Node* node = config.add_node();
      node->set_calculator(chain.node_type());
      node->add_input_stream(absl::StrCat("s", i));
      node->add_output_stream(absl::StrCat("s", i + 1));
    }
    config.add_output_stream(absl::StrCat("OUT:s", chain.chain_length()));
    return config;
  }
};
REGISTER_SYNCLINE_GRAPH(ChainForTestSubgraph);

// A chain that takes one name from the graph's options.
Config GraphOfChain() {
  return Graph(R"pb(
    input_stream: "a"
    graph_options {
      [type.googleapis.com/syncline.NodeChainSubgraphOptions] {
        node_type: "Unknown"
        chain_length: 1
      }
    }
    node {
      calculator: "ChainForTestSubgraph"
      input_stream: "IN:a"
      output_stream: "OUT:b"
      option_value: "OPTIONS:options"
    }
    executor { name: "e" }
  )pb");
}

TEST(SubgraphExpansionTest, SubgraphsOfAConfigAreExpandedAndNothingElse) {
  Config config = GraphOfChain();
  SYNCLINE_ASSERT_OK(ExpandSubgraphs(&config));
  config.clear_graph_options();
  // Expansion does not care that no calculator is called "Unknown".
  EXPECT_THAT(config, EqualsProto(Graph(R"pb(
                input_stream: "a"
                node {
                  name: "chainfortestsubgraph__Unknown"
                  calculator: "Unknown"
                  input_stream: "a"
                  output_stream: "b"
                }
                executor { name: "e" }
              )pb")));
}

TEST(SubgraphExpansionTest, TheGraphsOptionsMayComeWithTheCall) {
  Config config = GraphOfChain();
  Node options;
  options.mutable_options()
      ->MutableExtension(NodeChainSubgraphOptions::ext)
      ->set_chain_length(3);
  SYNCLINE_ASSERT_OK(ExpandSubgraphs(&config, nullptr, &options));
  EXPECT_EQ(config.node_size(), 3);
}

TEST(SubgraphExpansionTest, ALocalRegistryComesFirst) {
  GraphRegistry registry;
  SYNCLINE_ASSERT_OK(registry.Register(
      "ChainForTestSubgraph", Graph(R"pb(
        input_stream: "IN:a"
        output_stream: "OUT:b"
        node { calculator: "Local" input_stream: "a" output_stream: "b" }
      )pb")));
  Config config = GraphOfChain();
  SYNCLINE_ASSERT_OK(ExpandSubgraphs(&config, &registry));
  ASSERT_EQ(config.node_size(), 1);
  EXPECT_EQ(config.node(0).calculator(), "Local");
}

TEST(SubgraphExpansionTest, AfterAnErrorTheConfigIsAsItWas) {
  Config config = GraphOfChain();
  config.mutable_node(0)->set_source_layer(1);
  const Config before = config;
  EXPECT_THAT(ExpandSubgraphs(&config),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("ChainForTestSubgraph")));
  EXPECT_THAT(config, EqualsProto(before));
}

TEST(SubgraphExpansionTest, AGraphOfOneNodeHasTheNodesPorts) {
  const Node node = ParseTextProtoOrDie<Node>(R"pb(
    calculator: "A"
    input_stream: "IN:a"
    output_stream: "b"
    input_side_packet: "S:c"
    output_side_packet: "d"
  )pb");
  const Config config = MakeSingleNodeGraph(node);
  EXPECT_THAT(config.input_stream(), ElementsAre("IN:a"));
  EXPECT_THAT(config.output_stream(), ElementsAre("b"));
  EXPECT_THAT(config.input_side_packet(), ElementsAre("S:c"));
  EXPECT_THAT(config.output_side_packet(), ElementsAre("d"));
  EXPECT_THAT(config.node(0), EqualsProto(node));
}

}  // namespace
}  // namespace tool
}  // namespace syncline
