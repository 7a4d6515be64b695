// A config with its subgraphs expanded, and nothing else done to it.

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/config/calculator.pb.h"
#include "framework/expansion/compile_options.h"
#include "framework/expansion/expand_subgraphs.h"
#include "framework/expansion/graph_registry.h"
#include "framework/graph_text/test_graphs.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> NodeNames(
    const absl::StatusOr<CalculatorGraphConfig>& config) {
  if (!config.ok()) return {std::string(config.status().message())};
  std::vector<std::string> names;
  for (const auto& node : config->node()) names.push_back(node.name());
  return names;
}

TEST(ExpandConfigTest, SubgraphsOfTheProcessBecomeTheirNodes) {
  EXPECT_THAT(NodeNames(ExpandConfig(ParseGraph(R"(
                  input_stream: "a"
                  node { name: "n" calculator: "TwoPassGraph"
                         input_stream: "IN:a" output_stream: "OUT:b" })"))),
              ElementsAre("n__PassNode_1", "n__PassNode_2"));
}

TEST(ExpandConfigTest, ARegistryThatIsGivenIsAskedInstead) {
  GraphRegistry registry;
  ASSERT_TRUE(registry
                  .Register("TwoPassGraph",
                            ParseGraph("node { calculator: \"Local\" }"))
                  .ok());
  EXPECT_THAT(
      NodeNames(ExpandConfig(
          ParseGraph("node { name: \"n\" calculator: \"TwoPassGraph\" }"),
          {.registry = &registry})),
      ElementsAre("n__Local"));
}

TEST(ExpandConfigTest, NothingElseIsDoneToTheConfig) {
  const auto config = ExpandConfig(ParseGraph(R"(
      num_threads: 3
      node { calculator: "NoSuchCalculator" input_stream: "nowhere" })"));
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->num_threads(), 3);
  EXPECT_EQ(config->node(0).calculator(), "NoSuchCalculator");
  EXPECT_EQ(config->executor_size(), 0);
}

TEST(ExpandConfigTest, NamesOfMediaPipeAreOurs) {
  CalculatorGraphConfig config;
  config.add_node()->set_calculator("mediapipe.TwoPassGraph");
  config.add_node()->set_calculator("mediapipe.X");
  const auto expanded = ExpandConfig(config);
  ASSERT_TRUE(expanded.ok()) << expanded.status();
  ASSERT_EQ(expanded->node_size(), 3);
  EXPECT_EQ(expanded->node(0).calculator(), "syncline.X");
}

TEST(ExpandConfigTest, AllErrorsAreReportedAtOnce) {
  const absl::Status status =
      ExpandConfig(ParseGraph("node { calculator: \"ThrowingGraph\" } "
                              "node { calculator: \"EmptyGraph\" }"))
          .status();
  EXPECT_THAT(std::string(status.message()), HasSubstr("ThrowingGraph"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("EmptyGraph"));
}

TEST(ExpandConfigTest, LimitsOfTheOptionsCount) {
  const auto config =
      ParseGraph("node { name: \"n\" calculator: \"TwoPassGraph\" }");
  EXPECT_TRUE(ExpandConfig(config, {.max_nodes = 2}).ok());
  EXPECT_EQ(ExpandConfig(config, {.max_nodes = 1}).status().code(),
            absl::StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace syncline
