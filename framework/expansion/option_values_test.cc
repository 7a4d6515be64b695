// Options that nodes take from the options of the graph around them: what is
// copied where, in both styles, through nested subgraphs; and what is said
// where that cannot be.

#include "framework/expansion/option_values.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator/node_options.h"
#include "framework/config/node_chain_subgraph.pb.h"
#include "framework/config/switch_container.pb.h"
#include "framework/expansion/compile_options.h"
#include "framework/expansion/expansion_test_support.h"
#include "framework/expansion/graph_registry.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// The options of the only node of a graph that expands.
template <typename T>
T OptionsOf(const std::string& graph, const CompileOptions& options = {}) {
  const CalculatorGraphConfig config = ExpandedConfig(graph, options);
  EXPECT_EQ(config.node_size(), 1);
  EXPECT_THAT(config.node(0).option_value(), IsEmpty());
  return NodeOptions(config.node(0)).Get<T>();
}

// A graph with options, and a node with others that takes `option_value`.
std::string GraphWith(const std::string& option_value,
                      const std::string& graph_options = "chain_length: 3",
                      const std::string& node_options = "enable: true") {
  return absl::StrCat(
      "graph_options { [type.googleapis.com/syncline.NodeChainSubgraphOptions] "
      "{ ",
      graph_options, " } } node { calculator: \"IntNode\" ",
      "node_options { [type.googleapis.com/syncline.SwitchContainerOptions] { ",
      node_options, " } } option_value: \"", option_value, "\" }");
}

TEST(OptionValuesTest, AFieldOfTheNodeTakesAFieldOfTheGraph) {
  for (const char* value :
       {"select:options/chain_length", "select:chain_length",
        "OPTIONS/select:OPTIONS/chain_length",
        "select:options/Ext::NodeChainSubgraphOptions/chain_length",
        "options/Ext::mediapipe::SwitchContainerOptions/"
        "select:options/Ext::syncline.NodeChainSubgraphOptions/chain_length",
        "[mediapipe.SwitchContainerOptions.ext]/select:chain_length"}) {
    const auto options = OptionsOf<SwitchContainerOptions>(GraphWith(value));
    EXPECT_EQ(options.select(), 3) << value;
    EXPECT_TRUE(options.enable()) << value;
  }
}

TEST(OptionValuesTest, WhatTheGraphDoesNotSetTheNodeKeeps) {
  const auto options = OptionsOf<SwitchContainerOptions>(GraphWith(
      "select:options/chain_length", "node_type: \"A\"", "select: 7"));
  EXPECT_EQ(options.select(), 7);
}

TEST(OptionValuesTest, OptionsInTheOlderStyleAreReadAndEndInNodeOptions) {
  const CalculatorGraphConfig config = ExpandedConfig(R"pb(
    graph_options {
      [type.googleapis.com/mediapipe.NodeChainSubgraphOptions] {
        chain_length: 5
      }
    }
    node {
      calculator: "IntNode"
      options {
        [mediapipe.SwitchContainerOptions.ext] { enable: true }
      }
      option_value: "select:options/chain_length"
    }
  )pb");
  const auto& node = config.node(0);
  EXPECT_FALSE(node.has_options());
  ASSERT_THAT(node.node_options(), SizeIs(1));
  EXPECT_EQ(node.node_options(0).type_url(),
            "type.googleapis.com/syncline.SwitchContainerOptions");
  const auto options = NodeOptions(node).Get<SwitchContainerOptions>();
  EXPECT_EQ(options.select(), 5);
  EXPECT_TRUE(options.enable());
}

TEST(OptionValuesTest, OptionsInBothStylesBecomeOne) {
  const CalculatorGraphConfig config = ExpandedConfig(R"pb(
    graph_options {
      [type.googleapis.com/syncline.NodeChainSubgraphOptions] {
        chain_length: 5
      }
    }
    node {
      calculator: "IntNode"
      options {
        [syncline.SwitchContainerOptions.ext] { enable: true }
      }
      node_options {
        [type.googleapis.com/syncline.SwitchContainerOptions] { select: 1 }
      }
      option_value: "select:options/chain_length"
    }
  )pb");
  ASSERT_THAT(config.node(0).node_options(), SizeIs(1));
  EXPECT_TRUE(
      NodeOptions(config.node(0)).Get<SwitchContainerOptions>().enable());
}

constexpr char kInner[] = R"pb(
  type: "InnerGraph"
  graph_options {
    [type.googleapis.com/syncline.NodeChainSubgraphOptions] {
      node_type: "Default"
      chain_length: 1
    }
  }
  node {
    calculator: "IntNode"
    node_options {
      [type.googleapis.com/syncline.NodeChainSubgraphOptions] {
        node_type: "Own"
      }
    }
    option_value: "OPTIONS:options"
  }
)pb";

// The node of `outer`, which uses InnerGraph and MiddleGraph.
NodeChainSubgraphOptions InnerOptions(const std::string& outer) {
  constexpr char kMiddle[] = R"pb(
    type: "MiddleGraph"
    graph_options {
      [type.googleapis.com/syncline.SwitchContainerOptions] { select: 40 }
    }
    node {
      calculator: "InnerGraph"
      options {
        [syncline.NodeChainSubgraphOptions.ext] { node_type: "M" }
      }
      option_value: "chain_length:options/select"
    }
  )pb";
  GraphRegistry registry;
  EXPECT_TRUE(registry.Register("InnerGraph", ParseSource(kInner)).ok());
  EXPECT_TRUE(registry.Register("MiddleGraph", ParseSource(kMiddle)).ok());
  return OptionsOf<NodeChainSubgraphOptions>(outer, {.registry = &registry});
}

TEST(OptionValuesTest, ASubgraphsOptionsAreItsOwnWithThoseOfTheNodeOnTop) {
  const auto options = InnerOptions(R"pb(
    node {
      calculator: "InnerGraph"
      options {
        [syncline.NodeChainSubgraphOptions.ext] { chain_length: 9 }
      }
    }
  )pb");
  EXPECT_EQ(options.chain_length(), 9);
  EXPECT_EQ(options.node_type(), "Default");
}

TEST(OptionValuesTest, OptionsGoDownThroughNestedSubgraphs) {
  EXPECT_EQ(InnerOptions("node { calculator: \"MiddleGraph\" }").chain_length(),
            40);
  const auto options = InnerOptions(R"pb(
    node {
      calculator: "MiddleGraph"
      node_options {
        [type.googleapis.com/syncline.SwitchContainerOptions] { select: 41 }
      }
    }
  )pb");
  EXPECT_EQ(options.chain_length(), 41);
  EXPECT_EQ(options.node_type(), "M");
}

TEST(OptionValuesTest, TheRootTakesOptionsFromTheCaller) {
  CalculatorGraphConfig::Node node;
  node.mutable_options()
      ->MutableExtension(NodeChainSubgraphOptions::ext)
      ->set_chain_length(12);
  const auto options =
      OptionsOf<NodeChainSubgraphOptions>(kInner, {.graph_options = &node});
  EXPECT_EQ(options.chain_length(), 12);
  EXPECT_EQ(options.node_type(), "Default");
}

TEST(OptionValuesTest, AWholeMessageGoesIntoANodeWithoutOptions) {
  const auto options = OptionsOf<NodeChainSubgraphOptions>(R"pb(
    graph_options {
      [type.googleapis.com/syncline.NodeChainSubgraphOptions] {
        chain_length: 6
      }
    }
    node { calculator: "IntNode" option_value: "OPTIONS:options" }
  )pb");
  EXPECT_EQ(options.chain_length(), 6);
}

TEST(OptionValuesTest, WithoutOptionsNothingIsCopiedAndThatIsAWarning) {
  const std::string no_graph_options = R"pb(
    node {
      calculator: "IntNode"
      options {
        [syncline.NodeChainSubgraphOptions.ext] { chain_length: 6 }
      }
      option_value: "chain_length:options/select"
    }
  )pb";
  EXPECT_THAT(Expand(ParseSource(no_graph_options)).warnings,
              ElementsAre(AllOf(HasSubstr("the graph has no options"),
                                HasSubstr("node [IntNode]"))));
  EXPECT_EQ(ExpansionError(no_graph_options, {.strict = true}).code(),
            absl::StatusCode::kInvalidArgument);
}

// --- Errors

TEST(OptionValuesTest, BadPathsSayWhatThereIs) {
  const struct {
    const char* value;
    const char* error;
  } cases[] = {
      {"select", "has not two sides"},
      {":x", "has not two sides"},
      {"a:b:c", "has not two sides"},
      {"select:options/chain_lenth", "Did you mean \"chain_length\"?"},
      {"selekt:options/chain_length", "Did you mean \"select\"?"},
      {"select:options/chain_length/x", "has no field \"x\" inside"},
      {"select:options/chain_length[0]", "takes no index"},
      {"select:options//chain_length", "empty part"},
      {"select:options/chain_length[-1]", "where an index"},
      {"contained_node/name:options/node_type", "needs an index"},
      {"contained_node[2]/max_in_flight:options/chain_length", "has 0 values"},
      {"select:options/Ext::FooOptions/chain_length", "\"FooOptions\""},
      {"enable:options/chain_length",
       "field \"syncline.SwitchContainerOptions.enable\" (bool) cannot take "
       "the value of field \"syncline.NodeChainSubgraphOptions.chain_length\""},
      {"OPTIONS:options/chain_length", "cannot take the value"},
      {"OPTIONS:options",
       "options of type \"syncline.SwitchContainerOptions\" cannot take the "
       "value of message \"syncline.NodeChainSubgraphOptions\""},
  };
  for (const auto& c : cases) {
    const absl::Status status = ExpansionError(GraphWith(c.value));
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << c.value;
    EXPECT_THAT(std::string(status.message()),
                AllOf(HasSubstr("graph.pbtxt:1: node [IntNode]"),
                      HasSubstr(absl::StrCat("option_value \"", c.value)),
                      HasSubstr(c.error)));
  }
}

TEST(OptionValuesTest, AnOptionsTypeThatIsNotLinkedIsNamed) {
  CalculatorGraphConfig config =
      ParseGraph("node { calculator: \"IntNode\" option_value: \"a:b\" }");
  config.add_graph_options()->set_type_url("type.googleapis.com/my.Missing");
  config.mutable_node(0)->add_node_options()->PackFrom(
      NodeChainSubgraphOptions());
  EXPECT_THAT(std::string(Expand({.config = config}).error.message()),
              AllOf(HasSubstr("\"my.Missing\""), HasSubstr("deps")));
}

TEST(OptionValuesTest, OptionsThatAreNoSuchMessageAreAnError) {
  CalculatorGraphConfig config = ParseGraph(GraphWith("select:chain_length"));
  config.mutable_graph_options(0)->set_value("\xff\xff\xff");
  EXPECT_THAT(std::string(Expand({.config = config}).error.message()),
              HasSubstr("do not parse"));
}

TEST(OptionValuesTest, CopiesWithoutEndAreStopped) {
  CalculatorGraphConfig config = ParseGraph(GraphWith("select:chain_length"));
  NodeChainSubgraphOptions large;
  large.set_node_type(std::string(1000, 'x'));
  config.mutable_graph_options(0)->PackFrom(large);
  auto* node = config.mutable_node(0);
  node->clear_node_options();
  node->clear_option_value();
  for (int i = 0; i < 1000; ++i) node->add_option_value("OPTIONS:options");
  EXPECT_EQ(
      Expand({.config = config}, {.max_expanded_bytes = 100000}).error.code(),
      absl::StatusCode::kResourceExhausted);
}

TEST(OptionValuesTest, AFewOfManyMistakesAreEnough) {
  CalculatorGraphConfig graph =
      ParseGraph(GraphWith("nothing:options/chain_length"));
  CalculatorGraphConfig::Node& node = *graph.mutable_node(0);
  for (int i = 0; i < 1000; ++i) {
    node.add_option_value(absl::StrCat("nothing", i, ":options/chain_length"));
  }
  GraphOptionValues values(graph, nullptr);
  EXPECT_THAT(values.Apply(1 << 20, &node).errors, SizeIs(10));
}

}  // namespace
}  // namespace syncline
