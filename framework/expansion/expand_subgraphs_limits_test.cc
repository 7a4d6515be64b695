// What a config may not make of itself by expansion: endless, huge or deep
// graphs. Each is a status within a moment.

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/expansion/expansion_test_support.h"
#include "framework/expansion/graph_registry.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

std::string Message(const absl::Status& status) {
  return std::string(status.message());
}

TEST(ExpandSubgraphsLimitsTest, ASubgraphThatContainsItselfShowsTheChain) {
  GraphRegistry registry;
  ASSERT_TRUE(
      registry.Register("A", ParseGraph("node { calculator: \"B\" }")).ok());
  ASSERT_TRUE(
      registry.Register("B", ParseGraph("node { calculator: \"C\" }")).ok());
  ASSERT_TRUE(
      registry.Register("C", ParseGraph("node { calculator: \"A\" }")).ok());
  const absl::Status status =
      ExpansionError("node { calculator: \"A\" }", {.registry = &registry});
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(Message(status),
              HasSubstr("the subgraph contains itself: A > B > C > A."));
}

TEST(ExpandSubgraphsLimitsTest, AClassMayContainItselfIfThatEnds) {
  const CalculatorGraphConfig config = ExpandedConfig(R"pb(
    node {
      calculator: "CountdownGraph"
      options {
        [syncline.NodeChainSubgraphOptions.ext] { chain_length: 20 }
      }
    }
  )pb");
  ASSERT_EQ(config.node_size(), 1);
  EXPECT_EQ(config.node(0).calculator(), "IntNode");
}

TEST(ExpandSubgraphsLimitsTest, AClassThatContainsItselfForeverIsAnError) {
  const absl::Status status = ExpansionError(R"pb(
    node {
      calculator: "CountdownGraph"
      options {
        [syncline.NodeChainSubgraphOptions.ext] { chain_length: -1 }
      }
    }
  )pb");
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(Message(status), HasSubstr("nested more than 100 deep"));
  EXPECT_THAT(Message(status),
              HasSubstr("... > CountdownGraph > CountdownGraph"));
}

TEST(ExpandSubgraphsLimitsTest, DoublingNodesEndAtTheNodeLimit) {
  const absl::Status status = ExpansionError(
      "node { calculator: \"DoublingGraph\" }", {.max_nodes = 1000});
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(Message(status), HasSubstr("expand to more than 1000 nodes"));
}

TEST(ExpandSubgraphsLimitsTest, TenLevelsOfTenAreStoppedByTheDefaultLimit) {
  GraphRegistry registry;
  for (int level = 0; level < 10; ++level) {
    std::string text;
    for (int i = 0; i < 10; ++i) {
      absl::StrAppend(&text, "node { calculator: \"",
                      level == 9 ? "AnyNode" : absl::StrCat("L", level + 1),
                      "\" }");
    }
    ASSERT_TRUE(
        registry.Register(absl::StrCat("L", level), ParseGraph(text)).ok());
  }
  const absl::Status status =
      ExpansionError("node { calculator: \"L0\" }", {.registry = &registry});
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(Message(status), HasSubstr("expand to more than 200000 nodes"));
}

TEST(ExpandSubgraphsLimitsTest, GeneratorsAndHandlersCountAsNodes) {
  GraphRegistry registry;
  std::string text;
  for (int i = 0; i < 100; ++i) {
    absl::StrAppend(&text, "packet_generator {} status_handler {}");
  }
  ASSERT_TRUE(registry.Register("Wide", ParseGraph(text)).ok());
  EXPECT_THAT(
      Message(ExpansionError("node { calculator: \"Wide\" } "
                             "node { calculator: \"Wide\" }",
                             {.registry = &registry, .max_nodes = 300})),
      HasSubstr("expand to more than 300 nodes"));
}

TEST(ExpandSubgraphsLimitsTest, LongNamesCountAgainstTheByteLimit) {
  GraphRegistry registry;
  std::string text;
  for (int i = 0; i < 1000; ++i) {
    absl::StrAppend(&text, "node { calculator: \"AnyNode\" }");
  }
  ASSERT_TRUE(registry.Register("Wide", ParseGraph(text)).ok());
  const absl::Status status =
      ExpansionError(absl::StrCat("node { calculator: \"Wide\" name: \"",
                                  std::string(1 << 20, 'x'), "\" }"),
                     {.registry = &registry, .max_expanded_bytes = 10 << 20});
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(Message(status), HasSubstr("expand to more than 10485760 bytes"));
  EXPECT_LT(status.message().size(), 10000);
}

TEST(ExpandSubgraphsLimitsTest, NestingDepthIsLimited) {
  GraphRegistry registry;
  for (int level = 0; level < 200; ++level) {
    ASSERT_TRUE(registry
                    .Register(absl::StrCat("D", level),
                              ParseGraph(absl::StrCat("node { calculator: \"D",
                                                      level + 1, "\" }")))
                    .ok());
  }
  EXPECT_THAT(Message(ExpansionError("node { calculator: \"D0\" }",
                                     {.registry = &registry})),
              HasSubstr("nested more than 100 deep"));
  const CalculatorGraphConfig config =
      ExpandedConfig("node { calculator: \"D0\" }",
                     {.registry = &registry, .max_subgraph_depth = 1000});
  ASSERT_EQ(config.node_size(), 1);
  EXPECT_EQ(config.node(0).calculator(), "D200");
}

TEST(ExpandSubgraphsLimitsTest, AClassWithoutGetConfigIsAnError) {
  const absl::Status status =
      ExpansionError("node { calculator: \"EmptyGraph\" }");
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(Message(status), HasSubstr("overrides no overload of GetConfig"));
}

}  // namespace
}  // namespace syncline
